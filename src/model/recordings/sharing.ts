/**
 * Sharing of a recording: its configuration, the current token, replaced tokens that still work
 * for a while, passwords, and wrong password attempts.
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
  /** Salted; the password itself is not stored. */
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
  /** Null when it was never created. */
  find(projectId: number, sessionId: string): Promise<Sharing | null>
  /** An index look-up; the caller checks whether the token is still valid. */
  findToken(token: string): Promise<ShareToken | null>
  /** Oldest first. */
  passwords(projectId: number, sessionId: string): Promise<SharePassword[]>
}

/** All of it is deleted when its recording is replaced by a tombstone. */
export interface SharingWriter extends SharingReader {
  /** The existing configuration, or a new one, disabled, with this token; concurrent calls get the same one. */
  ensure(projectId: number, sessionId: string, token: string, now: number): Promise<Sharing>
  /** Absent fields stay. */
  update(projectId: number, sessionId: string, patch: SharingPatch): Promise<void>
  /** Sets a new current token; the previous one works until `graceUntil`, those replaced earlier keep their expiry. */
  rotate(projectId: number, sessionId: string, token: string, when: { now: number; graceUntil: number }): Promise<void>
  /** Removes replaced tokens; the current one stays. */
  dropReplaced(projectId: number, sessionId: string): Promise<void>
  /** Ids ascend and are never reused. */
  addPassword(projectId: number, sessionId: string, password: Omit<SharePassword, 'id'>): Promise<SharePassword>
  /** False when this recording has no such password. */
  removePassword(projectId: number, sessionId: string, id: number): Promise<boolean>
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
