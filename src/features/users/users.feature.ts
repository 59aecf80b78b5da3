/** The user of the key, as far as the key's limits allow. Other users are managed on the command line. */
import { refusal } from '../../http/access/auth.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { UserPatch } from '../../model/accounts/user.ts'
import type { Stores } from '../../model/stores.ts'
import { viewUser } from '../../rules/accounts/user-view.ts'

export interface UsersParts {
  stores: Pick<Stores, 'users' | 'projects' | 'transaction'>
  /** What `@current` means for the caller; null when its key may access no project. */
  currentProject: (caller: Caller) => Promise<Project | null>
  /** Cached callers may be out of date. */
  changed: () => void
}

export function createUsersFeature({ stores, currentProject, changed }: UsersParts) {
  const view = async (caller: Caller) => {
    const team = await currentProject(caller)
    const organization = team && (await stores.users.findOrganization(team.organizationId))
    return {
      ...viewUser(caller.user),
      organization: organization && { id: organization.id, name: organization.name },
      team: team && { id: team.id, uuid: team.uuid, name: team.name, api_token: team.apiToken },
    }
  }
  return {
    async me(caller: Caller) {
      return view({ ...caller, user: (await stores.users.find(caller.user.id)) ?? caller.user })
    },
    async updateMe(caller: Caller, patch: UserPatch) {
      const { currentProjectId } = patch
      if (currentProjectId != null) {
        const project = await stores.projects.find(currentProjectId)
        if (!project || refusal(caller, project) !== null) {
          const detail = `Invalid pk "${currentProjectId}" - object does not exist.`
          throw invalid(detail, 'set_current_team', 'does_not_exist')
        }
      }
      const user = await stores.transaction((tx) => tx.users.update(caller.user.id, patch))
      if (!user) throw notFound()
      changed()
      return view({ ...caller, user })
    },
  }
}

export type UsersFeature = ReturnType<typeof createUsersFeature>
