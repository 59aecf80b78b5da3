/**
 * Whether a request under an Idempotency-Key is the first, and the claim of one that is. Everything here happens in one
 * transaction, so that of two requests at once one gets the claim.
 */
import { MINUTE } from '../../lib/time/time.ts'
import { ANSWERS_KEPT_MS, type IdempotencyEntry, type IdempotencyKey } from '../../model/idempotency.ts'
import type { SqlWriters } from '../../model/stores.ts'

/** A claim whose holder died may be taken over after this long. */
const LEASE_MS = MINUTE

/** `running`: another request holds the claim; `reused`: the key was used with another body; `done`: the first answer. */
export type IdempotencyState =
  | { state: 'started'; claimedAt: number }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'done'; status: number; body: string }

/** Answers lapse on time, whether or not they were swept away in the meantime. */
function hasLapsed({ claimedAt, status }: IdempotencyEntry, now: number): boolean {
  const age = now - claimedAt
  // A claim that lies ahead was made by a clock that has gone back since.
  return age >= ANSWERS_KEPT_MS || (status === null && Math.abs(age) > LEASE_MS)
}

/** Claims the key for this body, unless it is in use. */
export async function claimKey(
  { idempotency }: Pick<SqlWriters, 'idempotency'>,
  key: IdempotencyKey,
  bodyHash: string,
  now: number,
): Promise<IdempotencyState> {
  const found = await idempotency.find(key)
  if (found && !hasLapsed(found, now)) {
    if (found.bodyHash !== bodyHash) return { state: 'reused' }
    if (found.status === null) return { state: 'running' }
    return { state: 'done', status: found.status, body: found.body ?? '' }
  }
  await idempotency.claim({ ...key, claimedAt: now }, bodyHash)
  return { state: 'started', claimedAt: now }
}
