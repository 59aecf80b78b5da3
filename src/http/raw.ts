/**
 * Routes that take bytes and answer in plain text, for the SDKs: no key, any origin with credentials (these paths
 * read no cookie), both slash forms, never a redirect. Memory is bounded before a body is read: when too many
 * bytes are on their way in, the answer is 503 with Retry-After.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, unavailable } from '../lib/errors.ts'
import { hearOut, isTooLarge } from './body.ts'
import { answerError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a raw route: the bytes of its body that are counted as on their way in. */
    rawBytes: number
  }
}

export interface RawCall {
  method: string
  params: Record<string, string>
  query: Record<string, string | undefined>
  headers: Record<string, string | undefined>
  body: Buffer
  ip: string
}

export interface RawAnswer {
  status: number
  contentType: string
  body: string | Buffer | null
  headers?: Record<string, string>
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

/** Any at all; those that the SDKs send by name, as the framework remembers who reads a named one. */
const CONTENT_TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', '*']

const ANY_ORIGIN = { vary: 'Origin', 'access-control-allow-origin': '*' }

function mirrorOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANY_ORIGIN)
  if (origin === undefined) return
  reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
}

function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers']
  return reply
    .header('access-control-allow-methods', 'GET, POST, OPTIONS')
    .header('access-control-allow-headers', asked ?? 'X-Requested-With, Content-Type')
    .header('access-control-max-age', '86400')
    .code(200)
    .send('')
}

/** A parameter of which there is the name alone is empty text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Of a repeated parameter the last counts. */
function flatten(values: Record<string, unknown>): Record<string, string | undefined> {
  const texts: Record<string, string> = {}
  for (const name of Object.keys(values)) {
    const value = values[name]
    texts[name] = textOf(Array.isArray(value) ? value.at(-1) : value)
  }
  return texts
}

/** Counts bytes on their way in; refuses what would go beyond. */
function guardMemory(scope: FastifyInstance, maxBytes: number): void {
  let held = 0
  const release = (request: FastifyRequest) => {
    held -= request.rawBytes
    request.rawBytes = 0
  }
  scope.decorateRequest('rawBytes', 0)
  scope.addHook('onRequest', (request, _reply, done) => {
    const length = Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? 1_000_000 : 0))
    if (held > 0 && held + length > maxBytes) throw unavailable('transient error, please retry', 5)
    held += length
    request.rawBytes = length
    done()
  })
  scope.addHook('onResponse', (request, _reply, done) => {
    release(request)
    done()
  })
  scope.addHook('onRequestAbort', (request, done) => {
    release(request)
    done()
  })
}

function sendPlain(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body, unexpected } = answerError(error, request.headers['content-type'])
  if (unexpected) request.log.error({ reqId: request.id, err: error }, 'capture failed')
  const answer = { status, text: body.detail }
  // A failure of ours is one the SDK should try again.
  if (status === 500) Object.assign(answer, { status: 503, text: 'transient error, please retry' })
  if (isTooLarge(error)) {
    hearOut(request, reply)
    answer.text = `maximum event size exceeded: more than ${request.routeOptions.bodyLimit} bytes`
  }
  reply.code(answer.status).headers(headers).removeHeader('www-authenticate')
  return reply.type('text/plain; charset=utf-8').send(answer.text)
}

function mount(scope: FastifyInstance, route: RawRoute): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await route.handler({
      method: request.method,
      params: request.params as Record<string, string>,
      query: flatten(request.query as Record<string, unknown>),
      headers: request.headers as Record<string, string | undefined>,
      body: Buffer.isBuffer(request.body) ? request.body : EMPTY,
      ip: request.ip,
    })
    reply.code(answer.status)
    if (answer.headers) reply.headers(answer.headers)
    if (answer.body === null) return reply.send()
    return reply.type(answer.contentType).send(answer.body)
  }
  const allow = [...route.methods, 'OPTIONS']
  const refuse = async (request: FastifyRequest) => {
    throw new AppError('method_not_allowed', 'method_not_allowed', `Method "${request.method}" not allowed.`, { allow })
  }
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.includes(method))
  for (const url of route.paths) {
    scope.route({ method: route.methods, url, bodyLimit: route.bodyLimit, handler })
    scope.route({ method: others, url, bodyLimit: route.bodyLimit, handler: refuse })
    scope.route({ method: 'OPTIONS', url, handler: async (request, reply) => preflight(request, reply) })
  }
}

export function mountRawRoutes(app: FastifyInstance, routes: RawRoute[], maxBytesInFlight: number): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(CONTENT_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler(sendPlain)
    scope.addHook('onRequest', (request, reply, done) => {
      mirrorOrigin(request, reply)
      done()
    })
    guardMemory(scope, maxBytesInFlight)
    for (const route of routes) mount(scope, route)
  })
}
