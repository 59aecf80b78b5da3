/**
 * Cross-origin rules. `/api/` answers any origin without credentials; routes that return or accept secrets
 * set `noCors` and answer none. What the SDKs ask mirrors the origin and allows credentials, which old ones send; these
 * paths read no cookie.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from '../output/vary.ts'

const EXPOSED =
  'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Content-Disposition, X-Request-Id, ' +
  'Hedgerow-Parked-Batches'
/** For a preflight that asks for none. */
const USUAL_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id'
const PREFLIGHT_SECONDS = '86400'

/** Which origins a path answers; false: none. */
export type Cors = false | 'any' | 'mirrored'

const ANY_ORIGIN = { vary: 'Origin', 'access-control-allow-origin': '*' }

export function mirrorOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANY_ORIGIN)
  if (origin === undefined) return
  reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
}

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', EXPOSED)
}

/** Allows whatever headers are asked for: clients add their own, and none of them lets a page do more. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string[]): void {
  addVary(reply, 'Access-Control-Request-Headers')
  reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', headers['access-control-request-headers'] ?? USUAL_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
}
