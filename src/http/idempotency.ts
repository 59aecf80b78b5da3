/**
 * `Idempotency-Key` on routes that create: the same key and body get the first answer again, without its
 * secrets; another body 422; while the first one runs 409. Looked at before validation. 5xx are not kept.
 */
import type { Clock } from '../lib/clock.ts'
import { AppError, invalid } from '../lib/errors.ts'
import { sha256Hex } from '../lib/ids.ts'
import type { IdempotencyKey, IdempotencyState } from '../model/idempotency.ts'
import type { Stores } from '../model/stores.ts'

export interface IdempotencyMemory {
  begin(key: IdempotencyKey, bodyHash: string): Promise<IdempotencyState>
  finish(key: IdempotencyKey, status: number, body: string): Promise<void>
  abandon(key: IdempotencyKey): Promise<void>
}

const MAX_LENGTH = 255

export interface Replay {
  status: number
  body: string
}

/** The kept answer, or null when this request is the first and may go on. */
export async function beginIdempotent(
  memory: IdempotencyMemory,
  key: IdempotencyKey,
  route: string,
  body: unknown,
): Promise<Replay | null> {
  if (key.token.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key.token)) {
    throw invalid(`Idempotency-Key must be 1 to ${MAX_LENGTH} printable ASCII characters.`)
  }
  const state = await memory.begin(key, sha256Hex(`${route}\n${JSON.stringify(body ?? {})}`))
  switch (state.state) {
    case 'started':
      return null
    case 'done':
      return { status: state.status, body: state.body }
    case 'running':
      throw new AppError(
        'conflict',
        'idempotency_in_progress',
        'A request with this Idempotency-Key is still being processed.',
        { retryAfterSeconds: 1 },
      )
    case 'reused':
      throw new AppError(
        'unprocessable',
        'idempotency_key_reused',
        'This Idempotency-Key was used with a different request.',
      )
  }
}

/** The answer as it may be told again: its secret fields are null. */
export function withoutSecrets(payload: string, secret: string[]): string {
  if (secret.length === 0 || payload === '') return payload
  const body = JSON.parse(payload) as Record<string, unknown>
  return JSON.stringify({ ...body, ...Object.fromEntries(secret.filter((name) => name in body).map((n) => [n, null])) })
}

/** The memory kept in the SQL store. */
export const memoryIn = (stores: Pick<Stores, 'transaction'>, clock: Clock): IdempotencyMemory => ({
  begin: (key, bodyHash) => stores.transaction((tx) => tx.idempotency.begin(key, bodyHash, clock.now())),
  finish: (key, status, body) => stores.transaction((tx) => tx.idempotency.finish(key, status, body)),
  abandon: (key) => stores.transaction((tx) => tx.idempotency.abandon(key)),
})
