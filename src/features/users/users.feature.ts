/** The user of the key or sign-in, as far as its limits allow. Other users are managed on the command line. */
import { refusal } from '../../http/access/auth.ts'
import { levelIn } from '../../http/access/levels.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Organization, UserPatch } from '../../model/accounts/user.ts'
import type { Stores } from '../../model/stores.ts'
import { viewUser } from '../../rules/accounts/user-view.ts'

export interface UsersParts {
  stores: Pick<Stores, 'users' | 'projects' | 'transaction'>
  /** What `@current` means for the caller; null when its key may access no project. */
  currentProject: (caller: Caller) => Promise<Project | null>
  /** The organisations that the caller may see. */
  organizations: (caller: Caller) => Promise<Organization[]>
  /** Of the caller; refuses a password that is too short, or a wrong present one. */
  changePassword: (caller: Caller, change: { password: string; current: string | null }, ip: string) => Promise<void>
  /** Cached callers may be out of date. */
  changed: () => void
}

const viewTeam = ({ id, uuid, organizationId, name, apiToken }: Project) => ({
  id,
  uuid,
  organization: organizationId,
  name,
  api_token: apiToken,
})

export function createUsersFeature({ stores, currentProject, organizations, changePassword, changed }: UsersParts) {
  const view = async (caller: Caller) => {
    const team = await currentProject(caller)
    const seen = (await organizations(caller)).map(({ id, name }) => ({
      id,
      name,
      membership_level: levelIn(caller, id),
    }))
    return {
      ...viewUser(caller.user),
      theme_mode: caller.user.themeMode,
      is_impersonated: false,
      organization: seen.find(({ id }) => id === team?.organizationId) ?? null,
      organizations: seen,
      team: team && viewTeam(team),
    }
  }
  return {
    async me(caller: Caller) {
      return view({ ...caller, user: (await stores.users.find(caller.user.id)) ?? caller.user })
    },
    changePassword,
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
