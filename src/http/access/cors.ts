/**
 * Cross-origin rules. `/api/` answers any origin without credentials; routes that return or accept secrets
 * set `noCors` and answer none.
 */
import type { FastifyReply } from 'fastify'

const EXPOSED =
  'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Content-Disposition, X-Request-Id, ' +
  'Hedgerow-Parked-Batches'
const PREFLIGHT_SECONDS = '86400'

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', EXPOSED)
}

export function answerPreflight(reply: FastifyReply, methods: string[]): void {
  reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-Id')
    .header('access-control-max-age', PREFLIGHT_SECONDS)
}
