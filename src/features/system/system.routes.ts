/** /_health (the process answers), /_ready (its stores answer), /metrics (loopback only, or by token). */
import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Answer, type Call, type Route, rawAnswer, route } from '../../http/route.ts'
import { denied } from '../../lib/errors.ts'
import { NotReady, type SystemFeature } from './system.feature.ts'

const LOOPBACK_ONLY = 'Metrics are open to loopback only; set HEDGEROW_METRICS_TOKEN and send it as a bearer token.'
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

type Reader = Pick<Call, 'ip' | 'isProxied' | 'headers'>

/** A local proxy does not make its callers local. */
function mayRead(token: string | null, { ip, isProxied, headers: { authorization } }: Reader): boolean {
  if (token === null) return LOOPBACK.test(ip) && !isProxied
  const given = Buffer.from(String(authorization ?? '').replace(/^Bearer +/, ''))
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function ready(checks: SystemFeature['checks']): Promise<Answer> {
  const names = Object.keys(checks)
  const settled = await Promise.allSettled(names.map((name) => checks[name]?.()))
  const parts = names.map((name, i) => {
    const outcome = settled[i]
    if (outcome?.status === 'fulfilled') return [name, String(outcome.value ?? 'ok')]
    return [name, outcome?.reason instanceof NotReady ? outcome.reason.message : 'failing']
  })
  const fine = settled.every((outcome) => outcome.status === 'fulfilled')
  const body = { status: fine ? 'ok' : 'not ready', checks: Object.fromEntries(parts) }
  // Serialized here: a 503 is not a success, so no response schema would let it pass.
  return new Answer(JSON.stringify(body), {
    status: fine ? 200 : 503,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

const base = { method: 'GET', level: 'public', tag: 'system' } as const

export const systemRoutes = ({ checks, metrics, metricsToken }: SystemFeature): Route[] => [
  route({
    ...base,
    path: '/_health',
    scope: { none: 'for load balancers' },
    summary: 'Whether the process answers',
    response: Type.Object({ status: Type.String() }),
    example: { status: 'ok' },
    handler: async () => ({ status: 'ok' }),
  }),
  route({
    ...base,
    path: '/_ready',
    scope: { none: 'for load balancers' },
    summary: 'Whether every store answers; 503 when one does not',
    sameBodyStatuses: { 503: 'A part does not answer; `checks` says which.' },
    response: Type.Object({
      status: Type.String(),
      checks: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    }),
    example: {
      status: 'ok',
      checks: {
        sql: 'ok',
        events: 'ok',
        blobs: 'ok',
        disk: 'ok',
        outbox: 'ok',
        jobs: 'ok',
        deletions: 'ok',
        clock: 'ok',
        mail: 'ok',
      },
    },
    handler: () => ready(checks),
  }),
  route({
    ...base,
    path: '/metrics',
    scope: { none: 'loopback only, unless HEDGEROW_METRICS_TOKEN is set and given as bearer' },
    summary: 'Metrics in the Prometheus text format',
    errors: { 403: 'Not asked from loopback, or without the token that is set.' },
    contentType: 'text/plain',
    response: Type.String(),
    example: '# HELP hedgerow_outbox_rows Batches waiting for the event store.\n',
    handler: async (call) => {
      if (!mayRead(metricsToken, call)) {
        throw denied(
          metricsToken === null ? LOOPBACK_ONLY : 'Metrics are open to HEDGEROW_METRICS_TOKEN only, as a bearer token.',
        )
      }
      const { text, contentType } = await metrics()
      return rawAnswer(text, contentType)
    },
  }),
]
