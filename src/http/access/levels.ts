/**
 * What the members of an organisation may do, by level: the scopes within which their keys and sign-ins work in its
 * projects, at each use.
 */
import { denied } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { MemberLevel } from '../../model/accounts/user.ts'
import type { Scope } from '../route.ts'
import { EVERY_SCOPE, grants, scopesOf } from './scope.ts'

export const LEVELS = { owner: 15, admin: 8, member: 1, viewer: 0 } as const satisfies Record<string, MemberLevel>
export type LevelName = keyof typeof LEVELS

export const levelName = (level: MemberLevel): LevelName =>
  (Object.keys(LEVELS) as LevelName[]).find((name) => LEVELS[name] === level) ?? 'viewer'

const ADMINISTRATION = ['project:write', 'organization:write', 'organization_member:write']

/** Whether a level includes the one scope `needed`, which may be `*`. */
export function levelAllows(level: MemberLevel, needed: string): boolean {
  if (level >= LEVELS.admin) return true
  if (level === LEVELS.member) return needed !== '*' && !ADMINISTRATION.includes(needed)
  return needed.endsWith(':read')
}

/** What is left of scopes at a level. */
export const scopesWithin = (level: MemberLevel, scopes: string[]): string[] =>
  level >= LEVELS.admin ? scopes : EVERY_SCOPE.filter((scope) => grants(scopes, scope) && levelAllows(level, scope))

export const levelIn = ({ memberships }: Caller, organizationId: string | null): MemberLevel | null =>
  memberships.find((membership) => membership.organizationId === organizationId)?.level ?? null

/** Throws when the caller's level in the organisation does not include the scope; several: any one of them. */
export function checkLevel(caller: Caller, organizationId: string | null, scope: Scope): void {
  const anyOf = scopesOf(scope)
  if (anyOf === null) return
  const level = levelIn(caller, organizationId)
  // Who belongs to no organisation finds nothing that a level could be asked for.
  if (level === null || anyOf.some((needed) => levelAllows(level, needed))) return
  throw denied(`Your level in this organization (${levelName(level)}) does not include '${anyOf[0]}'.`)
}
