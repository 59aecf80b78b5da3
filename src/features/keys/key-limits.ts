/** What a caller may do with other keys: none of them has wider limits than the key or the sign-in that changes it. */
import { organizationsOf } from '../../http/access/auth.ts'
import { levelAllows, levelName } from '../../http/access/levels.ts'
import { denied } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Key } from '../../model/accounts/key.ts'
import type { ProjectReader } from '../../model/accounts/project.ts'

const within = <T>(inner: T[] | null, outer: T[] | null): boolean =>
  outer === null || (inner?.every((item) => outer.includes(item)) ?? false)

type KeyLimits = Pick<Key, 'scopes' | 'scopedTeams' | 'scopedOrganizations' | 'expiresAt'>

/** Whether every project the key is limited to belongs to one of these organisations. */
async function teamsWithin(projects: ProjectReader, teams: number[] | null, organizations: string[]): Promise<boolean> {
  if (teams === null) return false
  const found = await Promise.all(teams.map((id) => projects.find(id)))
  return found.every((project) => project !== null && organizations.includes(project.organizationId))
}

/** A key that a caller creates, changes or rolls has no wider limits than the caller's own: else 403. */
export async function checkKeyLimits(projects: ProjectReader, caller: Caller, limits: KeyLimits): Promise<void> {
  const { credential: key } = caller
  if (!within(limits.scopedTeams, key.scopedTeams)) throw denied('That key reaches more projects than this one.')
  const organizations = key.scopedOrganizations
  if (organizations && !within(limits.scopedOrganizations, organizations)) {
    if (limits.scopedOrganizations || !(await teamsWithin(projects, limits.scopedTeams, organizations))) {
      throw denied('That key reaches more organizations than this one.')
    }
  }
  if (key.expiresAt !== null && (limits.expiresAt === null || limits.expiresAt > key.expiresAt)) {
    throw denied('That key lives longer than this one.')
  }
  if (key.kind === 'sign_in' && key.keyId === null) await checkLevels(projects, caller, limits)
}

/** What a sign-in makes or changes lies within its user's level, in every organisation that the key reaches: else 403. */
async function checkLevels(projects: ProjectReader, { memberships }: Caller, limits: KeyLimits): Promise<void> {
  const teams = limits.scopedTeams && (await Promise.all(limits.scopedTeams.map((id) => projects.find(id))))
  const reaches = (organizationId: string): boolean =>
    (limits.scopedOrganizations?.includes(organizationId) ?? true) &&
    (teams?.some((project) => project?.organizationId === organizationId) ?? true)
  for (const { level } of memberships.filter((membership) => reaches(membership.organizationId))) {
    const beyond = limits.scopes.find((scope) => !levelAllows(level, scope))
    if (beyond !== undefined) throw denied(`Your level (${levelName(level)}) does not include '${beyond}'.`)
  }
}

/** Whether the caller may see which organisations a key is limited to. */
type MayRead = (key: Key) => boolean

export async function confinedReading(projects: ProjectReader, caller: Caller): Promise<MayRead> {
  const { scopedTeams, scopedOrganizations } = caller.credential
  if (!scopedTeams && !scopedOrganizations) return () => true
  const teams = await Promise.all((scopedTeams ?? []).map((id) => projects.find(id)))
  const known = new Set(scopedTeams ? teams.map((team) => team?.organizationId) : organizationsOf(caller))
  return (key) => key.id === caller.credential.keyId || (key.scopedOrganizations ?? []).every((id) => known.has(id))
}
