/**
 * `Idempotency-Key` on routes that create: the same key and body get the first answer again, without its
 * secrets; another body or object 422; while the first one runs 409. Checked before validation. 5xx are not stored.
 * The request's writes and its stored answer are one transaction (docs/decisions/0009-idempotency.md).
 */
import { AppError, invalid } from '../../lib/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { IdempotencyClaim, IdempotencyKey } from '../../model/idempotency.ts'
import type { Stores } from '../../model/stores.ts'
import type { Remember, Route } from '../route.ts'
import { claimKey, type IdempotencyState } from './claim.ts'

export interface IdempotencyMemory {
  begin(key: IdempotencyKey, bodyHash: string): Promise<IdempotencyState>
  finish(claim: IdempotencyClaim, status: number, body: string): Promise<boolean>
  abandon(claim: IdempotencyClaim): Promise<void>
}

const MAX_LENGTH = 255

export interface Replay {
  status: number
  body: string
}

const inProgress = () =>
  new AppError('conflict', 'idempotency_in_progress', 'A request with this Idempotency-Key is still being processed.', {
    retryAfterSeconds: 1,
  })

/** The stored answer, or a claim if the request is the first one with its key. */
export async function beginIdempotent(
  memory: IdempotencyMemory,
  key: IdempotencyKey,
  line: string,
  body: unknown,
): Promise<Replay | { claim: IdempotencyClaim }> {
  if (key.token.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key.token)) {
    throw invalid(`Idempotency-Key must be 1 to ${MAX_LENGTH} printable ASCII characters.`)
  }
  const state = await memory.begin(key, sha256Hex(`${line}\n${JSON.stringify(body ?? {})}`))
  switch (state.state) {
    case 'started':
      return { claim: { ...key, claimedAt: state.claimedAt } }
    case 'done':
      return { status: state.status, body: state.body }
    case 'running':
      throw inProgress()
    case 'reused':
      throw new AppError(
        'unprocessable',
        'idempotency_key_reused',
        'This Idempotency-Key was used with a different request.',
      )
  }
}

/** The answer as it is replayed: its secret fields are null. */
function withoutSecrets(payload: string, secret: string[]): string {
  if (secret.length === 0 || payload === '') return payload
  const body = JSON.parse(payload) as Record<string, unknown>
  return JSON.stringify({ ...body, ...Object.fromEntries(secret.filter((name) => name in body).map((n) => [n, null])) })
}

/** A request that has lost its claim to a later one must roll back, so that nothing is done twice. */
export const rememberIn =
  (
    claim: IdempotencyClaim,
    { status = 200, idempotent }: Pick<Route, 'status' | 'idempotent'>,
    textOf: (answer: unknown) => string,
  ): Remember =>
  async (tx, answer) => {
    const body = withoutSecrets(textOf(answer), idempotent?.secret ?? [])
    if (!(await tx.idempotency.finish(claim, status, body))) throw inProgress()
  }

/** Stored in the SQL store. */
export const memoryIn = (stores: Pick<Stores, 'transaction'>, clock: Clock): IdempotencyMemory => ({
  begin: (key, bodyHash) => stores.transaction((tx) => claimKey(tx, key, bodyHash, clock.now())),
  finish: (claim, status, body) => stores.transaction((tx) => tx.idempotency.finish(claim, status, body)),
  abandon: (claim) => stores.transaction((tx) => tx.idempotency.abandon(claim)),
})
