/**
 * Sharing of a recording: one configuration each, one current token, tokens that were replaced and still work
 * for a while, passwords, and the wrong tries that were made at them.
 */

export interface ShareSettings {
  whitelabel?: boolean
  noHeader?: boolean
  showInspector?: boolean
  legend?: boolean
  detailed?: boolean
  hideExtraDetails?: boolean
  /** Whether images and fonts of the recorded site are loaded. */
  loadRemote?: boolean
  theme?: 'light' | 'dark' | 'system'
}

export interface Sharing {
  projectId: number
  sessionId: string
  enabled: boolean
  /** The current one. */
  accessToken: string
  settings: ShareSettings | null
  passwordRequired: boolean
  createdAt: number
}

export type SharingPatch = Partial<Pick<Sharing, 'enabled' | 'settings' | 'passwordRequired'>>

export interface SharePassword {
  id: number
  note: string | null
  createdBy: number
  createdAt: number
  /** Salted; the password itself is not kept. */
  hash: string
}

/** A token as it is found: the configuration it belongs to, and until when it works. */
interface ShareToken {
  token: string
  /** Null: it is the current one. */
  expiresAt: number | null
  sharing: Sharing
}

export interface SharingReader {
  /** Null when it was never asked for. */
  find(projectId: number, sessionId: string): Promise<Sharing | null>
  /** By index; whether it is live, the index does not say. */
  findToken(token: string): Promise<ShareToken | null>
  /** Oldest first. */
  passwords(projectId: number, sessionId: string): Promise<SharePassword[]>
}

/** All of it goes when its recording is buried. */
export interface SharingWriter extends SharingReader {
  /** What is there, or a new one, disabled, with this token; two at once get the same. */
  ensure(projectId: number, sessionId: string, token: string, now: number): Promise<Sharing>
  /** Absent fields stay. */
  update(projectId: number, sessionId: string, patch: SharingPatch): Promise<void>
  /** A new current token; the one before works until `graceUntil`, those replaced earlier keep their end. */
  rotate(projectId: number, sessionId: string, token: string, when: { now: number; graceUntil: number }): Promise<void>
  /** Replaced tokens are gone at once; the current one stays. */
  dropReplaced(projectId: number, sessionId: string): Promise<void>
  /** Ids grow and are never used twice. */
  addPassword(projectId: number, sessionId: string, password: Omit<SharePassword, 'id'>): Promise<SharePassword>
  /** False when this recording has no such password. */
  removePassword(projectId: number, sessionId: string, id: number): Promise<boolean>
  /** Times of the tries at a token after `since`, oldest first; older ones are forgotten. */
  triesSince(token: string, since: number): Promise<number[]>
  /** Notes a try; gives what `removeTry` takes. */
  addTry(token: string, at: number): Promise<number>
  removeTry(id: number): Promise<void>
}

/** A share as whoever has its link may see it. */
export interface OpenShare {
  projectId: number
  sessionId: string
  startAt: number
  endAt: number
  source: 'web' | 'mobile'
  settings: ShareSettings
  passwordRequired: boolean
  /** A password is required and was not shown. */
  locked: boolean
}
