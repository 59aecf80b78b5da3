/** Answers remembered under the client's Idempotency-Key, per key and project, for 24 hours. */

export interface IdempotencyKey {
  keyId: string
  projectId: number
  token: string
}

/** What the one that may go on holds. */
export interface IdempotencyClaim extends IdempotencyKey {
  claimedAt: number
}

export type IdempotencyState =
  | { state: 'started'; claimedAt: number }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'done'; status: number; body: string }

export interface IdempotencyWriter {
  /**
   * Claims the key for this body. `running`: another request holds it (a claim whose holder died lapses
   * after a minute); `reused`: it was used with another body; `done`: the first answer.
   */
  begin(key: IdempotencyKey, bodyHash: string, now: number): Promise<IdempotencyState>
  /** Keeps the answer; false when the claim is held by another or has its answer, and nothing changes. */
  finish(claim: IdempotencyClaim, status: number, body: string): Promise<boolean>
  /** The request failed on our side: the key may be used again, unless it has its answer. */
  abandon(claim: IdempotencyClaim): Promise<void>
  /** So many at most of those claimed before this instant; how many there were. */
  removeBefore(instant: number, limit: number): Promise<number>
}
