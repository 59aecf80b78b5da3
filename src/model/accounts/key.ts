/** Personal API keys. The secret itself is never stored, only its SHA-256. */

export interface Key {
  id: string
  userId: number
  label: string
  maskValue: string
  scopes: string[]
  /** Null: every project the user may access. */
  scopedTeams: number[] | null
  /** Null: every organisation the user belongs to. */
  scopedOrganizations: string[] | null
  createdAt: number
  lastUsedAt: number | null
  lastRolledAt: number | null
  expiresAt: number | null
}

export interface KeyPatch {
  label?: string
  scopes?: string[]
}

export interface KeyReader {
  /** An index look-up by hash; the secret is not compared any other way. */
  findByHash(hash: string): Promise<Key | null>
  find(id: string): Promise<Key | null>
  /** Newest first. */
  listOfUser(userId: number): Promise<Key[]>
  listAll(): Promise<Key[]>
}

export interface KeyWriter extends KeyReader {
  create(key: Key, hash: string): Promise<void>
  /** The old secret is invalid at once. */
  replaceHash(id: string, hash: string, maskValue: string, rolledAt: number): Promise<void>
  update(id: string, patch: KeyPatch): Promise<void>
  touch(id: string, usedAt: number): Promise<void>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
  removeOfUser(userId: number): Promise<void>
}
