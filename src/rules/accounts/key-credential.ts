/** What a key lets its holder do. */
import type { Credential } from '../../model/accounts/caller.ts'
import type { Key } from '../../model/accounts/key.ts'

export const keyCredential = ({ id, scopes, scopedTeams, scopedOrganizations, expiresAt }: Key): Credential => ({
  kind: 'key',
  id,
  keyId: id,
  scopes,
  scopedTeams,
  scopedOrganizations,
  expiresAt,
  provedAt: null,
})
