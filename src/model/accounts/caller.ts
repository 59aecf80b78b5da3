/** The authenticated caller: what it showed, its user, and the organisations that user belongs to. */
import type { Key } from './key.ts'
import type { Project } from './project.ts'
import type { Membership, User } from './user.ts'

/** What a caller showed, and what that may do: a key, or the cookie of a sign-in. */
export interface Credential extends Pick<Key, 'scopes' | 'scopedTeams' | 'scopedOrganizations' | 'expiresAt'> {
  kind: 'key' | 'sign_in'
  /** Of the key or the sign-in. */
  id: string
  /** The key, also that of a sign-in made with one, which has exactly its rights. */
  keyId: string | null
  /** When the user of a sign-in last showed who it is; null for keys, which do so each time. */
  provedAt: number | null
}

export interface Caller {
  credential: Credential
  user: User
  /** The oldest organisation first. */
  memberships: Membership[]
}

/** Who acts where. */
export interface Actor {
  project: Project
  caller: Caller
}
