/**
 * Sign-ins: what a browser shows in place of a key; and the one-time links by which a user gets a first password, or another
 * one. Of both only the SHA-256 of the secret is stored.
 */

export type SignInWay = 'password' | 'link' | 'key'

export interface SignIn {
  id: string
  userId: number
  via: SignInWay
  /** The key that it was made with, and whose rights it has; null otherwise. */
  keyId: string | null
  /** Of the browser, as it calls itself. */
  userAgent: string
  ip: string
  createdAt: number
  lastUsedAt: number
  /** When the user last showed who it is. */
  provedAt: number
}

export interface SignInReader {
  findByHash(hash: string): Promise<SignIn | null>
  /** The one used last first. */
  listOfUser(userId: number): Promise<SignIn[]>
}

export interface SignInWriter extends SignInReader {
  create(signIn: SignIn, hash: string): Promise<void>
  touch(id: string, usedAt: number): Promise<void>
  prove(id: string, provedAt: number): Promise<void>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
  /** All of the user but one; returns how many. */
  removeOthers(userId: number, keptId: string | null): Promise<number>
  /** Those made with the key. */
  removeOfKey(keyId: string): Promise<void>
  /** Those last used before `unusedSince`, and those made before `madeBefore`. */
  removeEnded(unusedSince: number, madeBefore: number): Promise<number>
}

/** `setup`: the user has no password yet. `reset`: it has lost its password. */
export type LinkPurpose = 'setup' | 'reset'

export interface AccountLink {
  userId: number
  purpose: LinkPurpose
  createdAt: number
  expiresAt: number
  usedAt: number | null
}

export interface AccountLinkReader {
  find(hash: string): Promise<AccountLink | null>
}

export interface AccountLinkWriter extends AccountLinkReader {
  create(link: AccountLink, hash: string): Promise<void>
  /** False when it was used before, or does not exist. */
  use(hash: string, usedAt: number): Promise<boolean>
  /** Those that can still be used. */
  removeUnused(userId: number): Promise<void>
  /** Those that expired before. */
  removeExpired(before: number): Promise<number>
}
