/**
 * Routes that take bytes and answer in plain text, for the SDKs: no key, any origin with credentials (these paths
 * read no cookie), both slash forms, never a redirect. Memory is bounded: when too many bytes are held, the answer
 * is 503 with Retry-After. A request's bytes are released when its handler is done, even if the client is gone.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, OVERLOADED } from '../lib/errors.ts'
import type { Project } from '../model/accounts/project.ts'
import { mirrorOrigin } from './access/cors.ts'
import { allowedMethods } from './allowed-methods.ts'
import { isTooLarge, keepConnectionOpen } from './input/body.ts'
import type { ByteBudget, Holding } from './input/byte-budget.ts'
import { readRawBody } from './input/raw-body.ts'
import { compressAnswer } from './output/compression.ts'
import { answerError } from './output/error-body.ts'
import { whoAsked } from './who-asked.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a raw route: the bytes that the request holds. */
    holding: Holding | null
  }
}

export interface RawCall {
  method: string
  params: Record<string, string>
  query: Record<string, string | undefined>
  headers: Record<string, string | undefined>
  body: Buffer
  /** The client's IP address, from forwarding headers only if a configured proxy sent them; worked out when called. */
  ip: () => string
  /** Charges bytes that are in use until the request is answered; throws when there is no space. */
  hold: (bytes: number) => void
  /** The project that the request is for, as soon as it is known: for the log. */
  note: (project: Project) => void
}

export interface RawAnswer {
  status: number
  contentType: string
  body: string | Buffer | null
  headers?: Record<string, string>
  /** Of a refusal: why, for metrics and log. */
  reason?: string
}

export interface RawRoute {
  /** Without a trailing slash; both forms are answered. */
  paths: string[]
  methods: ('GET' | 'POST')[]
  bodyLimit: number
  summary: string
  handler: (call: RawCall) => Promise<RawAnswer>
}

const EMPTY = Buffer.alloc(0)

/** Any content type; those that the SDKs send are listed because Fastify caches the parser of a named one. */
const CONTENT_TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', '*']

function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers']
  return reply
    .header('access-control-allow-methods', 'GET, POST, OPTIONS')
    .header('access-control-allow-headers', asked ?? 'X-Requested-With, Content-Type')
    .header('access-control-max-age', '86400')
    .code(200)
    .send('')
}

/** A parameter given by its name alone is empty text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** If a parameter is repeated, the last one counts. */
function flatten(values: Record<string, unknown>): Record<string, string | undefined> {
  const texts: Record<string, string> = {}
  for (const name of Object.keys(values)) {
    const value = values[name]
    texts[name] = textOf(Array.isArray(value) ? value.at(-1) : value)
  }
  return texts
}

function sendPlain(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body, unexpected, reason } = answerError(error, request.headers['content-type'])
  request.passed.refusal = reason
  if (unexpected) request.log.error({ ...whoAsked(request), err: error }, 'capture failed')
  const answer = { status, text: body.detail }
  // After an internal error the SDK should retry.
  if (status === 500) Object.assign(answer, { status: 503, text: OVERLOADED })
  // A client that is still sending must get the response.
  if (status === 413 || status === 503) keepConnectionOpen(request, reply)
  if (isTooLarge(error)) {
    answer.text = `maximum event size exceeded: more than ${request.routeOptions.bodyLimit} bytes`
  }
  reply.code(answer.status).headers(headers).removeHeader('www-authenticate')
  return reply.type('text/plain; charset=utf-8').send(answer.text)
}

/** The bytes charged to the request: its body, and what is made from it. */
function holdingOf(budget: ByteBudget, request: FastifyRequest): Holding {
  request.holding ??= budget.open(request.ip)
  return request.holding
}

function handlerOf(route: RawRoute, budget: ByteBudget) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const answer = await route.handler({
        method: request.method,
        params: request.params as Record<string, string>,
        query: flatten(request.query as Record<string, unknown>),
        headers: request.headers as Record<string, string | undefined>,
        body: Buffer.isBuffer(request.body) ? request.body : EMPTY,
        ip: () => request.ip,
        hold: (bytes) => holdingOf(budget, request).take(bytes),
        note: (project) => {
          request.passed.project = project
        },
      })
      if (answer.reason !== undefined) request.passed.refusal = answer.reason
      reply.code(answer.status)
      if (answer.headers) reply.headers(answer.headers)
      if (answer.body === null) return reply.send()
      reply.header('content-type', answer.contentType)
      // The body itself, not the reply, which would be waited for once more.
      return answer.body
    } finally {
      request.holding?.release()
    }
  }
}

/** One reader per route, which knows its limit: `request.routeOptions` builds a new object on every access. */
function readBodies(scope: FastifyInstance, limit: number, budget: ByteBudget): void {
  scope.addContentTypeParser(CONTENT_TYPES, (request, payload, done) => {
    const announced = Number(request.headers['content-length'])
    readRawBody(payload, holdingOf(budget, request), { limit, announced }, done)
  })
}

function mount(scope: FastifyInstance, route: RawRoute, budget: ByteBudget): void {
  const { methods, bodyLimit } = route
  readBodies(scope, bodyLimit, budget)
  const handler = handlerOf(route, budget)
  // Where data is sent to, the SDKs read the answer as it is, and no hook costs time there.
  const onSend = methods.includes('POST') ? {} : { onSend: compressAnswer }
  const allow = [...allowedMethods(methods), 'OPTIONS']
  const refuse = async (request: FastifyRequest) => {
    request.holding?.release()
    throw new AppError('method_not_allowed', 'method_not_allowed', `Method "${request.method}" not allowed.`, { allow })
  }
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.includes(method))
  for (const url of route.paths) {
    scope.route({ method: methods, url, bodyLimit, ...onSend, handler })
    scope.route({ method: others, url, bodyLimit, handler: refuse })
    scope.route({
      method: 'OPTIONS',
      url,
      handler: async (request, reply) => {
        request.holding?.release()
        return preflight(request, reply)
      },
    })
  }
}

export function mountRawRoutes(app: FastifyInstance, routes: RawRoute[], budget: ByteBudget): void {
  app.register(async (outer) => {
    outer.removeAllContentTypeParsers()
    outer.decorateRequest('holding', null)
    outer.setErrorHandler(sendPlain)
    outer.addHook('onRequest', (request, reply, done) => {
      mirrorOrigin(request, reply)
      done()
    })
    for (const route of routes) outer.register(async (scope) => mount(scope, route, budget))
  })
}
