/** What the processes of a drive and the test that starts them agree on. */
import type { Actor } from '../../../src/model/accounts/caller.ts'

export interface DriveOptions {
  sqlUrl: string
  dataDir: string
  actor: Actor
}

/** A line of a process: each is written after the commit. */
export type Acknowledged =
  | { events: string[] }
  | { patched: { distinctId: string; key: string } }
  | { changed: string }
  | { claimed: number; at: number }
  | { done: number }

export const JOB_KIND = 'drive'
export const LEASE_MS = 2_000
export const SHARE_TOKEN = 'd'.repeat(30)
/** Distinct ids that are merged, split and deleted. */
export const VISITORS = 30
/** Distinct ids that are not. */
export const STABLE = 5
