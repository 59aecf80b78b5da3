/** Answers remembered under the client's Idempotency-Key, per key and project, for 24 hours. */

export const ANSWERS_KEPT_MS = 24 * 60 * 60_000

export interface IdempotencyKey {
  keyId: string
  projectId: number
  token: string
}

/** Held by the request that may proceed. */
export interface IdempotencyClaim extends IdempotencyKey {
  claimedAt: number
}

/** What is remembered under a key: a claim, and its answer once there is one. */
export interface IdempotencyEntry {
  bodyHash: string
  claimedAt: number
  /** Null while the request runs. */
  status: number | null
  body: string | null
}

export interface IdempotencyWriter {
  /** Null when the key is not in use. */
  find(key: IdempotencyKey): Promise<IdempotencyEntry | null>
  /** Replaces whatever was remembered under the key by a claim without an answer. */
  claim(claim: IdempotencyClaim, bodyHash: string): Promise<void>
  /** Keeps the answer; false when the claim is held by another or has its answer, and nothing changes. */
  finish(claim: IdempotencyClaim, status: number, body: string): Promise<boolean>
  /** The request failed with a server error: the key may be used again, unless it has an answer. */
  abandon(claim: IdempotencyClaim): Promise<void>
  /** Removes up to `limit` of those claimed before this instant; returns how many. */
  removeBefore(instant: number, limit: number): Promise<number>
}
