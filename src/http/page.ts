/**
 * Routes for people with a browser and no key: HTML pages, the forms on them and what they load. No CORS, small
 * bodies, errors as pages. Everything here is behind a secret address: nobody keeps it, no search engine lists
 * it, and links from it do not tell it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { answerError } from './errors.ts'
import type { Answer } from './route.ts'

export interface PageCall {
  params: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  cookies: Record<string, string>
  /** The fields of a form; empty when none was sent. */
  form: URLSearchParams
  /** The request's own absolute address. */
  url: URL
  /** The caller's address, as far as the configured proxies can be believed. */
  ip: string
}

export interface PageRoute {
  /** Both slash forms are answered. */
  path: string
  method: 'GET' | 'POST'
  handler: (call: PageCall) => Promise<Answer>
}

export interface PageParts {
  urlOf(request: FastifyRequest): URL
  /** A page for what went wrong. */
  problem: (status: number, detail: string) => Answer
}

const FORM = 'application/x-www-form-urlencoded'
const BODY_LIMIT = 10_000
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** The first of a name counts: browsers send the one with the longest path first. */
function readCookies(header: string | undefined): Record<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs.reverse())
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status ?? 200).headers(headers)
  reply.serializer((payload: unknown) => payload as string)
  return reply.send(body)
}

function mount(scope: FastifyInstance, { urlOf }: PageParts, route: PageRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    bodyLimit: BODY_LIMIT,
    handler: async (request, reply) => {
      const answer = await route.handler({
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        headers: request.headers,
        cookies: readCookies(request.headers.cookie),
        form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
        url: urlOf(request),
        ip: request.ip,
      })
      return send(reply, answer)
    },
  })
}

/** Every other method of a page is refused by name. */
function refuseOthers(scope: FastifyInstance, routes: PageRoute[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const present = routes.filter((route) => route.path === path).map((route) => route.method as string)
    scope.route({
      method: METHODS.filter((method) => !present.includes(method)),
      url: path,
      handler: async (request) => {
        const detail = `Method "${request.method}" not allowed.`
        throw new AppError('method_not_allowed', 'method_not_allowed', detail, { allow: present })
      },
    })
  }
}

export function mountPages(app: FastifyInstance, routes: PageRoute[], parts: PageParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: unknown, text: string) => {
      return new URLSearchParams(text)
    })
    // RFC 8058 lets mail programs unsubscribe so; what the parts say adds nothing to the address they are sent to.
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, async () => new URLSearchParams())
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(PRIVATE))
    scope.setErrorHandler((error, request, reply) => {
      const { status, headers, body, unexpected } = answerError(error, request.headers['content-type'])
      if (unexpected) request.log.error({ reqId: request.id, err: error }, 'page failed')
      return send(reply.headers(headers), parts.problem(status, body.detail))
    })
    for (const route of routes) mount(scope, parts, route)
    refuseOthers(scope, routes)
  })
}
