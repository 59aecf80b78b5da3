/**
 * The HTTP floor: Fastify with our limits, hooks and error body. Takes a list of routes and the look-ups it
 * needs; knows no feature. Nothing it answers is HTML or a stack, and nothing secret reaches the log.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import { notFound } from '../lib/errors.ts'
import type { Access } from './auth.ts'
import { compileValidator, readJsonBodies } from './body.ts'
import { answerError } from './errors.ts'
import { createGate } from './gate.ts'
import { beginIdempotent, type IdempotencyMemory, withoutSecrets } from './idempotency.ts'
import type { Metrics } from './metrics.ts'
import { mountRoutes } from './mount.ts'
import { mountPages, type PageParts, type PageRoute } from './page.ts'
import { RateLimiter } from './rate-limit.ts'
import { mountRawRoutes, type RawRoute } from './raw.ts'
import type { Route } from './route.ts'

export interface ServerParts {
  routes: Route[]
  rawRoutes: RawRoute[]
  pages: { routes: PageRoute[]; problem: PageParts['problem'] }
  /** Bytes of raw bodies held at once. */
  rawBytesInFlight: number
  access: Access
  idempotency: IdempotencyMemory
  metrics: Metrics
  clock: Clock
  logger: Logger
  publicUrl: string | null
  trustProxy: readonly string[]
  rateLimits: boolean
}

export const BODY_LIMIT = 2_000_000
const MAX_PARAM_LENGTH = 512

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
  if (answer.unexpected) request.log.error({ err: error }, 'request failed')
  // What a stream that failed before its first byte had set stands in the way: it is a file no more.
  reply.raw.removeHeader('content-disposition')
  reply.removeHeader('content-disposition').serializer((body: unknown) => JSON.stringify(body))
  return reply.code(answer.status).headers(answer.headers).type('application/json; charset=utf-8').send(answer.body)
}

/** Requests that never became one (broken request line, oversized headers): the same body, by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const detail = tooLarge ? 'The request headers are too large.' : 'The request could not be read as HTTP.'
  const body = JSON.stringify({ type: 'invalid_request', code: 'parse_error', detail, attr: null })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}

function addIdempotency(app: FastifyInstance, memory: IdempotencyMemory): void {
  const claims = new WeakMap<FastifyRequest, Parameters<IdempotencyMemory['abandon']>[0]>()
  app.addHook('preValidation', async (request, reply) => {
    // No body at all is the same thing as {}.
    if (request.body === undefined) request.body = {}
    const route = request.routeOptions.config.mounted?.route
    const token = request.headers['idempotency-key']
    const { caller, project } = request.passed
    if (!route?.idempotent || typeof token !== 'string' || !caller) return
    const key = { keyId: caller.key.id, projectId: project?.id ?? 0, token }
    const replay = await beginIdempotent(memory, key, `${route.method} ${route.path}`, request.body)
    if (!replay) {
      claims.set(request, key)
      return
    }
    reply.code(replay.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8')
    reply.serializer((payload: unknown) => payload as string)
    return reply.send(replay.body)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const key = claims.get(request)
    if (!key) return payload
    claims.delete(request)
    const secret = request.routeOptions.config.mounted?.route?.idempotent?.secret ?? []
    if (reply.statusCode >= 500) await memory.abandon(key)
    else await memory.finish(key, reply.statusCode, withoutSecrets(String(payload ?? ''), secret))
    return payload
  })
}

function addObservation(app: FastifyInstance, { metrics, logger }: ServerParts): void {
  const verbose = logger.isLevelEnabled('debug')
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-request-id', request.id)
    return payload
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)'
    const labels = { method: request.method, route, status: reply.statusCode }
    metrics.request(labels, reply.elapsedTime / 1_000)
    if (verbose) request.log.debug({ ...labels, ms: reply.elapsedTime }, 'request answered')
  })
}

export function createServer(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    loggerInstance: parts.logger.child({}, { serializers: { req: () => undefined, res: () => undefined } }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    trustProxy: parts.trustProxy.length > 0 ? [...parts.trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(compileValidator)
  readJsonBodies(app)
  app.decorateRequest('passed')
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => sendError(notFound('Endpoint not found.'), request, reply))
  app.addHook('onRequest', async (request) => {
    request.passed = {}
  })
  const limiter = new RateLimiter(parts.clock)
  app.addHook('onRequest', createGate({ access: parts.access, limiter, rateLimits: parts.rateLimits }))
  addIdempotency(app, parts.idempotency)
  addObservation(app, parts)
  const urlOf = (request: FastifyRequest) => {
    const base = parts.publicUrl ?? `${request.protocol}://${request.host}`
    // Joined as text: a path that begins with // must not become the host. A Host that is none is not used.
    return new URL(URL.canParse(base + request.url) ? base + request.url : `http://localhost${request.url}`)
  }
  mountRoutes(app, { urlOf }, parts.routes)
  mountRawRoutes(app, parts.rawRoutes, parts.rawBytesInFlight)
  mountPages(app, parts.pages.routes, { urlOf, problem: parts.pages.problem })
  return app
}
