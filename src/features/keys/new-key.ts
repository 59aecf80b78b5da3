/**
 * Rules for a new key, whoever creates it: known scopes, an expiry in the future, and no project or organisation that
 * its user is not a member of.
 */
import { isKnownScope } from '../../http/access/scope.ts'
import { invalid, required } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { ProjectReader } from '../../model/accounts/project.ts'
import type { Membership } from '../../model/accounts/user.ts'

export interface NewKeyInput {
  label: string
  scopes: string[]
  scopedTeams: number[] | null
  scopedOrganizations: string[] | null
  expiresAt: number | null
}

export interface NewKeyParts {
  projects: ProjectReader
  /** Of the key's user. */
  memberships: Membership[]
  now: number
}

export function checkScopes(scopes: string[]): void {
  if (scopes.length === 0) throw required('scopes')
  const unknown = scopes.find((scope) => !isKnownScope(scope))
  if (unknown !== undefined) throw invalid(`Invalid scope: ${unknown}`, 'scopes')
}

async function checkMembership({ projects, memberships }: NewKeyParts, input: NewKeyInput): Promise<void> {
  const organizationIds = memberships.map(({ organizationId }) => organizationId)
  for (const id of input.scopedTeams ?? []) {
    const project = await projects.find(id)
    if (!project || !organizationIds.includes(project.organizationId)) {
      throw invalid('You must be a member of all teams that you are scoping the key to.', 'scoped_teams')
    }
  }
  if (!(input.scopedOrganizations ?? []).every(isUuid)) {
    throw invalid('Invalid organization UUID', 'scoped_organizations')
  }
  if (!(input.scopedOrganizations ?? []).every((id) => organizationIds.includes(id))) {
    throw invalid('You must be a member of all organizations that you are scoping the key to.', 'scoped_organizations')
  }
}

export async function checkNewKey(parts: NewKeyParts, input: NewKeyInput): Promise<void> {
  checkScopes(input.scopes)
  if (input.expiresAt !== null && input.expiresAt <= parts.now) throw invalid('Must lie in the future.', 'expires_at')
  await checkMembership(parts, input)
}
