/** The user behind the key. Other users are managed on the command line. */
import { invalid, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Stores } from '../../model/stores.ts'
import type { User, UserPatch } from '../../model/user.ts'
import { viewUser } from '../../rules/user-view.ts'

export interface UsersParts {
  stores: Pick<Stores, 'users' | 'projects' | 'transaction'>
  /** Remembered callers may be wrong now. */
  changed: () => void
}

export function createUsers({ stores, changed }: UsersParts) {
  const view = async (user: User, organizationIds: string[]) => {
    const [first] = organizationIds
    const organization = first === undefined ? null : await stores.users.findOrganization(first)
    const team = user.currentProjectId === null ? null : await stores.projects.find(user.currentProjectId)
    return {
      ...viewUser(user),
      organization: organization && { id: organization.id, name: organization.name },
      team: team && { id: team.id, uuid: team.uuid, name: team.name, api_token: team.apiToken },
    }
  }
  return {
    async me(caller: Caller) {
      return view((await stores.users.find(caller.user.id)) ?? caller.user, caller.organizationIds)
    },
    async updateMe(caller: Caller, patch: UserPatch) {
      const { currentProjectId } = patch
      if (currentProjectId != null) {
        const project = await stores.projects.find(currentProjectId)
        if (!project || !caller.organizationIds.includes(project.organizationId)) {
          const detail = `Invalid pk "${currentProjectId}" - object does not exist.`
          throw invalid(detail, 'set_current_team', 'does_not_exist')
        }
      }
      const user = await stores.transaction((tx) => tx.users.update(caller.user.id, patch))
      if (!user) throw notFound()
      changed()
      return view(user, caller.organizationIds)
    },
  }
}

export type Users = ReturnType<typeof createUsers>
