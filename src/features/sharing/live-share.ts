/**
 * The one place that decides whether a sharing token is live: enabled, not replaced beyond its grace period, of a
 * recording that is neither deleted nor expired, in a project that is not being removed. Every use of a token is
 * checked here.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Recording } from '../../model/recordings/recording.ts'
import type { Sharing } from '../../model/recordings/sharing.ts'
import type { SqlReaders } from '../../model/stores.ts'

export interface LiveShare {
  sharing: Sharing
  recording: Recording
}

const SHAPE = /^[A-Za-z0-9_-]{30}$/

/** On some engines the index may find values that are merely similar; a constant-time comparison decides. */
const same = (stored: string, given: string): boolean =>
  stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given))

export async function findLiveShare(
  stores: Pick<SqlReaders, 'sharing' | 'recordings' | 'projects'>,
  token: string,
  now: number,
): Promise<LiveShare | null> {
  if (!SHAPE.test(token)) return null
  const found = await stores.sharing.findToken(token)
  if (!found || !same(found.token, token)) return null
  const { sharing, expiresAt } = found
  if (!sharing.enabled || (expiresAt !== null && expiresAt <= now)) return null
  if (!(await stores.projects.find(sharing.projectId))) return null
  const recording = await stores.recordings.find(sharing.projectId, sharing.sessionId, now)
  return recording && { sharing, recording }
}
