/** Answers remembered under the client's Idempotency-Key, per key and project, for 24 hours. */

export interface IdempotencyKey {
  keyId: string
  projectId: number
  token: string
}

export type IdempotencyState =
  | { state: 'started' }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'done'; status: number; body: string }

export interface IdempotencyWriter {
  /**
   * Claims the key for this body. `running`: another request holds it (a claim whose holder died lapses
   * after a minute); `reused`: it was used with another body; `done`: the first answer.
   */
  begin(key: IdempotencyKey, bodyHash: string, now: number): Promise<IdempotencyState>
  finish(key: IdempotencyKey, status: number, body: string): Promise<void>
  /** The request failed on our side: the key may be used again. */
  abandon(key: IdempotencyKey): Promise<void>
  /** So many at most of those claimed before this instant; how many there were. */
  removeBefore(instant: number, limit: number): Promise<number>
}
