/**
 * /_health (the process answers), /_ready (its stores answer), /metrics (loopback only, or by token), /_status (for the
 * command line on the same machine).
 */
import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Answer, type Call, type Route, rawAnswer, route } from '../../http/route.ts'
import { FreeForm } from '../../http/schema.ts'
import { denied } from '../../lib/errors.ts'
import type { SystemFeature } from './system.feature.ts'

const LOOPBACK_ONLY = 'Metrics are open to loopback only; set HEDGEROW_METRICS_TOKEN and send it as a bearer token.'
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

type Reader = Pick<Call, 'ip' | 'isProxied' | 'headers'>

const bearerOf = (authorization: string | string[] | undefined): string =>
  String(authorization ?? '').replace(/^Bearer +/, '')

/** A local proxy does not make its callers local. */
function mayRead(token: string | null, { ip, isProxied, headers: { authorization } }: Reader): boolean {
  if (token === null) return LOOPBACK.test(ip) && !isProxied
  return matches(bearerOf(authorization), token)
}

const matches = (given: string, wanted: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const NOT_CACHED = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

async function answerReady(ready: SystemFeature['ready']): Promise<Answer> {
  const { fine, words } = await ready()
  const body = { status: fine ? 'ok' : 'not ready', checks: words }
  // Serialized here: a 503 is not a success, so no response schema would let it pass.
  return new Answer(JSON.stringify(body), { status: fine ? 200 : 503, headers: NOT_CACHED })
}

const base = { method: 'GET', level: 'public', tag: 'system' } as const

export const systemRoutes = ({ ready, metrics, metricsToken, status, statusToken }: SystemFeature): Route[] => [
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
    handler: () => answerReady(ready),
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
  route({
    ...base,
    path: '/_status',
    scope: { none: 'the token in the data folder, which is new at each start' },
    undocumented: true,
    summary: "The server's own view of itself, for hedgerow doctor",
    response: FreeForm(),
    example: {},
    handler: async ({ headers: { authorization } }) => {
      if (!matches(bearerOf(authorization), statusToken)) throw denied('The status is for the command line only.')
      return new Answer(JSON.stringify(await status()), { headers: NOT_CACHED })
    },
  }),
]
