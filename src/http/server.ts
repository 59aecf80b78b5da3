/**
 * The HTTP layer: Fastify with our limits, hooks and error body. Takes a list of routes and the look-ups it
 * needs; knows no feature. Its own responses are never HTML or stack traces, and nothing secret is logged.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { notFound } from '../lib/errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Access } from './access/auth.ts'
import { allowAnyOrigin } from './access/cors.ts'
import { createGate } from './access/gate.ts'
import type { RateLimiter } from './access/rate-limit.ts'
import { createRecheck } from './access/recheck.ts'
import type { IdempotencyMemory } from './idempotency/idempotency.ts'
import { createIdempotencyHooks } from './idempotency/idempotency-hooks.ts'
import { compileValidator, isTooLarge, keepConnectionOpen, readJsonBodies } from './input/body.ts'
import { ByteBudget } from './input/byte-budget.ts'
import { parseQueryString } from './input/query-string.ts'
import type { Metrics } from './metrics/metrics.ts'
import { firstSpelling, mountRoutes } from './mount.ts'
import { createFindPath, type OtherMethods } from './other-methods.ts'
import { forgetCoding } from './output/compression.ts'
import { answerError } from './output/error-body.ts'
import type { CountParked } from './output/parked-header.ts'
import { createHostHook, mountPages, type PageParts, type PageRoute } from './page-routes.ts'
import { createPublicAddress } from './public-address.ts'
import { mountRawRoutes, type RawRoute } from './raw-routes.ts'
import type { Route } from './route.ts'
import { whoAsked } from './who-asked.ts'

export interface ServerParts {
  routes: Route[]
  rawRoutes: RawRoute[]
  pages: { routes: PageRoute[]; problem: PageParts['problem'] }
  /** Bytes of raw bodies held at once. */
  rawBytesInFlight: number
  access: Access
  idempotency: IdempotencyMemory
  countParked: CountParked
  metrics: Metrics
  clock: Clock
  limiter: RateLimiter
  logger: Logger
  publicUrl: string | null
  trustProxy: readonly string[]
  rateLimits: boolean
}

const BODY_LIMIT = 2_000_000
const MAX_PARAM_LENGTH = 512
/** A request must arrive completely within this time, or its connection is closed; checked at this interval. */
const REQUEST_MS = 60_000
const CHECK_EVERY_MS = 1_000

const idPrefix = randomBytes(6).toString('hex')

function createRequestIds(): (request: { headers: Record<string, string | string[] | undefined> }) => string {
  let count = 0
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)) return given
    count += 1
    return `${idPrefix}-${count.toString(36)}`
  }
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = answerError(error, request.headers['content-type'])
  request.passed.refusal = answer.reason
  if (answer.unexpected) request.log.error({ ...whoAsked(request), err: error }, 'request failed')
  if (isTooLarge(error)) keepConnectionOpen(request, reply)
  // A stream that failed before its first byte had set these headers; the error is not a file.
  forgetCoding(reply)
  reply.raw.removeHeader('content-disposition')
  reply.removeHeader('content-disposition').serializer((body: unknown) => JSON.stringify(body))
  return reply.code(answer.status).headers(answer.headers).type('application/json; charset=utf-8').send(answer.body)
}

const BROKEN: Record<string, [status: string, code: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'parse_error', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', 'The request did not arrive in time.'],
}
const UNREADABLE = ['400 Bad Request', 'parse_error', 'The request could not be read as HTTP.'] as const

/** A client that keeps sending after the response is disconnected after this time. */
const LINGER_MS = 1_000

/**
 * Requests that cannot be parsed (broken request line, oversized headers, too slow): the same error body, written by
 * hand. The connection is closed on both sides: half-closed it would stay open for as long as the client wants.
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, refused: Metrics['refused']): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, code, detail] = BROKEN[error.code ?? ''] ?? UNREADABLE
  refused(code)
  const body = JSON.stringify({ type: 'invalid_request', code, detail, attr: null })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

type Observe = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/** Counts a route's responses, and logs them at debug level. */
function observer({ metrics, logger }: ServerParts, route: string): Observe {
  const verbose = logger.isLevelEnabled('debug')
  const count = metrics.requestsOf(route)
  return (request, reply, done) => {
    const { method } = request
    const { statusCode: status } = reply
    const { refusal, begunAfter: ms = reply.elapsedTime } = request.passed
    count(method, status, ms / 1_000)
    if (refusal !== undefined) metrics.refused(refusal)
    if (verbose) {
      const reason = refusal === undefined ? {} : { reason: refusal }
      request.log.debug({ ...whoAsked(request), method, route, status, ms, ...reason }, 'request answered')
    }
    done()
  }
}

/** Headers of every response. */
function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
}

/** These hooks run on every request, so they use callbacks: a promise would cost more than their work. */
function addObservation(app: FastifyInstance, parts: ServerParts): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.passed = {}
    markAnswer(request, reply)
    done()
  })
  // One hook per route, which knows its pattern: reading it from the request would build an options object on every call.
  app.addHook('onRoute', (route) => {
    route.onResponse = observer(parts, route.url)
  })
}

/** `/api/` answers any origin, also for paths without a route. */
function allowWithinApi(request: FastifyRequest, reply: FastifyReply): void {
  if (request.url.startsWith('/api/')) allowAnyOrigin(reply)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The path, where it exists but not with this method. */
    known?: OtherMethods | null
  }
}

/** Handles what has no route. Its own plugin scope, so that these requests are counted too. */
function answerUnknown(app: FastifyInstance, parts: ServerParts, others: OtherMethods[]): void {
  const findPath = createFindPath(others)
  const observers = new Map<string, Observe>()
  app.register(async (scope) => {
    scope.decorateRequest('known', null)
    scope.addHook('onRequest', (request, reply, done) => {
      const found = findPath(request.method, request.url)
      if (!found) return done()
      request.known = found.known
      request.params = found.params
      found.known.onRequest(request, reply, done)
    })
    scope.addHook('onResponse', (request, reply, done) => {
      const route = request.known?.path ?? '(none)'
      const observe = observers.get(route) ?? observer(parts, route)
      observers.set(route, observe)
      observe(request, reply, done)
    })
    scope.setNotFoundHandler((request, reply) => {
      // Only OPTIONS gets here: other methods have been refused.
      if (request.known) return request.known.answerOptions(request, reply)
      allowWithinApi(request, reply)
      return sendError(notFound('Endpoint not found.'), request, reply)
    })
  })
}

export function createServer(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    loggerInstance: parts.logger.child({}, { serializers: { req: () => undefined, res: () => undefined } }),
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request is expensive and almost no request logs; code that logs adds the request id itself.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    trustProxy: parts.trustProxy.length > 0 ? [...parts.trustProxy] : false,
    rewriteUrl: ({ url = '/' }) => firstSpelling(url),
    // Ours, so that Fastify does not load its own validator.
    schemaController: { compilersFactory: { buildValidator: () => compileValidator as never } },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_PARAM_LENGTH,
      querystringParser: parseQueryString,
    },
    frameworkErrors: (error, request, reply) => {
      // No hook has run for these, nor will one.
      request.passed = {}
      markAnswer(request, reply)
      allowWithinApi(request, reply)
      sendError(error, request, reply)
      parts.metrics.refused(request.passed.refusal ?? 'error')
      return reply
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket as Socket, parts.metrics.refused),
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_MS,
    http: { connectionsCheckingInterval: CHECK_EVERY_MS },
  }) as unknown as FastifyInstance
  readJsonBodies(app)
  app.decorateRequest('passed')
  app.setErrorHandler(sendError)
  addObservation(app, parts)
  const address = createPublicAddress(parts.publicUrl)
  const gate = createGate({
    access: parts.access,
    limiter: parts.limiter,
    rateLimits: parts.rateLimits,
    urlOf: address.urlOf,
    clock: parts.clock,
  })
  const idempotency = createIdempotencyHooks(parts.idempotency)
  const pages = { address, problem: parts.pages.problem }
  const hostHook = createHostHook(pages)
  const recheck = createRecheck(parts.access)
  const { countParked } = parts
  const mounting = { urlOf: address.urlOf, recheck, gate, idempotency, countParked, hostHook }
  answerUnknown(app, parts, mountRoutes(app, mounting, parts.routes))
  mountRawRoutes(app, parts.rawRoutes, new ByteBudget(parts.rawBytesInFlight, parts.clock))
  mountPages(app, parts.pages.routes, pages)
  return app
}
