/**
 * Organisations, as far as the caller may see them: those of its user within the key's limits, and for a key limited to
 * projects those that hold one of them. Any other is not found. They are made on the command line.
 */
import { organizationsOf } from '../../http/access/auth.ts'
import { notFound } from '../../lib/errors.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Organization } from '../../model/accounts/user.ts'
import type { Stores } from '../../model/stores.ts'

export interface OrganizationsParts {
  stores: Pick<Stores, 'users' | 'projects'>
  /** What `@current` means for the caller; null when its key may access no project. */
  currentProject: (caller: Caller) => Promise<Project | null>
}

const viewOrganization = ({ id, name, createdAt }: Organization) => ({
  id,
  name,
  created_at: formatInstant(createdAt),
})

const byAge = (one: Organization, other: Organization): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

export function createOrganizationsFeature({ stores, currentProject }: OrganizationsParts) {
  const reachedIds = async (caller: Caller): Promise<string[]> => {
    const organizationIds = organizationsOf(caller)
    const { scopedTeams: ids } = caller.credential
    if (!ids) return organizationIds
    const { items } = await stores.projects.list(
      { organizationIds, ids, search: null },
      { limit: ids.length, offset: 0 },
    )
    return [...new Set(items.map((project) => project.organizationId))]
  }
  /** The oldest first. */
  const reached = async (caller: Caller): Promise<Organization[]> => {
    const found = await Promise.all((await reachedIds(caller)).map((id) => stores.users.findOrganization(id)))
    return found.filter((organization) => organization !== null).sort(byAge)
  }
  /** `@current`: that of the current project, or else the oldest. */
  const find = async (caller: Caller, id: string): Promise<Organization> => {
    const all = await reached(caller)
    const wanted = id === '@current' ? ((await currentProject(caller))?.organizationId ?? all[0]?.id) : id
    const found = all.find((organization) => organization.id === wanted)
    if (!found) throw notFound('Organization not found.')
    return found
  }
  return {
    reached,
    find,
    async list(caller: Caller, { limit, offset }: { limit: number; offset: number }) {
      const all = await reached(caller)
      return { count: all.length, items: all.slice(offset, offset + limit).map(viewOrganization) }
    },
    retrieve: async (caller: Caller, id: string) => viewOrganization(await find(caller, id)),
  }
}

export type OrganizationsFeature = ReturnType<typeof createOrganizationsFeature>
