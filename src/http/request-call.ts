/** A request as handlers see it. What few handlers use (url, root, format, ip, signal) is computed on access. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../model/accounts/caller.ts'
import type { Project } from '../model/accounts/project.ts'
import type { Recheck } from './access/recheck.ts'
import { formatOf } from './output/output-format.ts'
import { pathToRoot } from './public-address.ts'
import { type Call, type Remember, type Route, rememberNothing } from './route.ts'

/** Headers that proxies add; a client that connects directly has no reason to send them. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
] as const

/** Absolute URL of a request, from the configured public URL or from Host. */
export type UrlOf = (request: FastifyRequest) => URL

/** Aborted when the response is closed; also after a complete one, when no work is in progress any more. */
function signalOf(raw: FastifyReply['raw']): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort()
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}

export interface CallParts {
  urlOf: UrlOf
  recheck: Recheck
}

/**
 * The gate has admitted the request, so project routes have caller and project, and
 * account routes a caller; public handlers use neither, and the type of shared handlers has no caller.
 */
export class RequestCall implements Call {
  readonly #route: Route
  readonly #urlOf: UrlOf
  readonly #recheck: Recheck
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller
  readonly project: Project
  readonly headers: Call['headers']

  constructor(route: Route, request: FastifyRequest, reply: FastifyReply, { urlOf, recheck }: CallParts) {
    this.#route = route
    this.#reply = reply
    this.#urlOf = urlOf
    this.#recheck = recheck
    this.#request = request
    this.params = request.params
    this.query = request.query
    this.body = request.body
    this.caller = request.passed.caller as Caller
    this.project = request.passed.project as Project
    this.headers = request.headers
  }

  get url(): URL {
    return this.#urlOf(this.#request)
  }

  get root(): string {
    return pathToRoot(this.#request)
  }

  get format(): 'json' | 'csv' {
    return this.#route.csv ? formatOf(this.#request) : 'json'
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply.raw)
    return this.#signal
  }

  get remember(): Remember {
    return this.#request.passed.remember ?? rememberNothing
  }

  get isStillAdmitted(): Call['isStillAdmitted'] {
    return () => this.#recheck(this.#request, this.#route)
  }

  get ip(): string {
    return this.#request.ip
  }

  get isProxied(): boolean {
    const { headers, ips } = this.#request
    // The first address is the connection's own; others follow only if a configured proxy sent them.
    return (ips ?? []).length < 2 && PROXY_HEADERS.some((name) => headers[name] !== undefined)
  }
}
