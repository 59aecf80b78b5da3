/**
 * Routes for people with a browser and no key: HTML pages, the forms on them and what they load. No CORS, small
 * bodies, errors as pages; a program that sends JSON instead of a form gets the JSON error body. All these URLs are
 * secret: responses are not cached, not indexed, and send no referrer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { parseJsonBytes } from '../lib/json/json.ts'
import { allowedMethods } from './allowed-methods.ts'
import { JSON_TYPES } from './input/body.ts'
import { readCookies } from './input/cookies.ts'
import { compressAnswer, forgetCoding } from './output/compression.ts'
import { answerError } from './output/error-body.ts'
import { type PublicAddress, pathToRoot } from './public-address.ts'
import { Answer } from './route.ts'
import { whoAsked } from './who-asked.ts'

export interface PageCall {
  params: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string | string[] | undefined>
  cookies: Record<string, string>
  /** The fields of a form; empty when none was sent. */
  form: URLSearchParams
  /** The JSON body that a program sent, not validated yet; undefined when it sent none. */
  json: unknown
  /** The request's own absolute URL. */
  url: URL
  /** From this page to the root of the server; what a page refers to begins with it. */
  root: string
  /** What stands before every path in the browser; for the paths of cookies. */
  basePath: string
  /** The client's IP address, from forwarding headers only if a configured proxy sent them. */
  ip: string
}

export interface PageRoute {
  /** Both slash forms are answered. */
  path: string
  method: 'GET' | 'POST'
  handler: (call: PageCall) => Promise<Answer>
}

/** For programs that send JSON to a page. */
export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  new Answer(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export interface PageParts {
  address: PublicAddress
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

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status ?? 200).headers(headers)
  reply.serializer((payload: unknown) => payload as string)
  return reply.send(body)
}

const sentJson = ({ headers }: FastifyRequest): boolean => JSON_TYPES.test(headers['content-type'] ?? '')

function mount(scope: FastifyInstance, { address }: PageParts, route: PageRoute): void {
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
        json: sentJson(request) ? (request.body ?? {}) : undefined,
        url: address.urlOf(request),
        root: pathToRoot(request),
        basePath: address.basePath,
        ip: request.ip,
      })
      return send(reply, answer)
    },
  })
}

function sendProblem(
  { problem }: PageParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body, unexpected, reason } = answerError(error, request.headers['content-type'])
  request.passed.refusal = reason
  if (unexpected) request.log.error({ ...whoAsked(request), err: error }, 'page failed')
  forgetCoding(reply)
  reply.headers(headers)
  if (sentJson(request)) return send(reply, jsonAnswer(body, status))
  return send(reply, problem(status, body.detail))
}

type PageHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/**
 * The onRequest hook of everything that is a page, wherever it is mounted: only at the public address, so that no other
 * site can pass as its host.
 */
export const createHostHook =
  (parts: PageParts): PageHook =>
  (request, reply, done) => {
    try {
      parts.address.checkHost(request)
    } catch (error) {
      sendProblem(parts, error, request, reply.headers(PRIVATE))
      return
    }
    done()
  }

/** 405 for every other method of a page. */
function refuseOthers(scope: FastifyInstance, routes: PageRoute[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const present = routes.filter((route) => route.path === path).map((route) => route.method as string)
    scope.route({
      method: METHODS.filter((method) => !present.includes(method)),
      url: path,
      handler: async (request) => {
        const detail = `Method "${request.method}" not allowed.`
        throw new AppError('method_not_allowed', 'method_not_allowed', detail, { allow: allowedMethods(present) })
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
    scope.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
      bytes.length === 0 ? {} : parseJsonBytes(bytes),
    )
    // RFC 8058: mail programs may send one-click unsubscribe requests as multipart. The URL has all we need; the parts are ignored.
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, async () => new URLSearchParams())
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(PRIVATE))
    scope.addHook('onRequest', createHostHook(parts))
    scope.addHook('onSend', compressAnswer)
    scope.setErrorHandler((error, request, reply) => sendProblem(parts, error, request, reply))
    for (const route of routes) mount(scope, parts, route)
    refuseOthers(scope, routes)
  })
}
