/**
 * One declaration per endpoint: path, scope, schemas, documentation and handler. http/server.ts mounts it
 * (both prefixes, both slash forms, CORS, 405 for its other methods) and runs the checks in their order.
 */
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '../model/accounts/caller.ts'
import type { Project } from '../model/accounts/project.ts'
import type { SqlWriters } from '../model/stores.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call. `project`: under /api/environments/{project_id} and /api/projects/{project_id}, by key or sign-in;
 * `account`: likewise, without a project; `public`: by anyone.
 */
export type Level = 'project' | 'account' | 'public'

/** The scope a key needs; several: any one of them; or why none is needed. */
export type Scope = string | string[] | { none: string }

/**
 * Stores the answer under the request's Idempotency-Key, as the last statement of the transaction that does the work:
 * neither is committed without the other. Does nothing if the request has no such key.
 */
export type Remember = (tx: Pick<SqlWriters, 'idempotency'>, answer: unknown) => Promise<void>

/** For requests without such a key. */
export const rememberNothing: Remember = async () => {}

/** The argument of a handler. */
export interface Call<Params = unknown, Query = unknown, Input = unknown> {
  params: Params
  query: Query
  body: Input
  caller: Caller
  project: Project
  /** The request's own absolute URL; links are made from it. */
  url: URL
  /** From this path to the root of the server; what a page refers to begins with it. */
  root: string
  format: 'json' | 'csv'
  headers: Record<string, string | string[] | undefined>
  /** The client's IP address, from forwarding headers only if a configured proxy sent them. */
  ip: string
  /** Forwarded by a proxy that is not configured, or that does not name the client: `ip` is the proxy's own. */
  isProxied: boolean
  /** Aborted when the client disconnects before the response; for long work. */
  signal: AbortSignal
  /** Every `idempotent` route must call it. */
  remember: Remember
  /** Whether it would be admitted now; for answers that go on (see http/access/recheck.ts). Of level `project` only. */
  isStillAdmitted: () => Promise<boolean>
}

/** The argument of a handler when access is by sharing token: there is no caller. */
type SharedCall<Params = unknown, Query = unknown> = Omit<Call<Params, Query>, 'caller' | 'body'>

/** A handler's answer when it is more than a body: another status, headers, bytes or a stream. */
export class Answer {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: Record<string, string>
  constructor(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? {}
  }
}

/** A body that bypasses the response schema: CSV, JSON lines, pages. */
export const rawAnswer = (
  body: string | Buffer | Readable,
  contentType: string,
  headers: Record<string, string> = {},
): Answer => new Answer(body, { headers: { 'content-type': contentType, ...headers } })

export interface CsvSpec {
  /** File name without its extension. */
  fileName: string
  /** Columns that are always present, even without rows. */
  columns: string[]
  /** The rows of a JSON answer. */
  rows: (body: never) => unknown[]
}

export interface RouteSpec<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema> {
  method: Method
  level: Level
  /** With a trailing slash; for level `project` relative to the project, e.g. `/persons/:id/`. */
  path: string
  scope: Scope
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** The status of success (200 by default) and the schema that serialises its body. */
  status?: number
  response: R
  example: unknown
  /** Other statuses that are answered with a body of that schema, and what they mean. */
  sameBodyStatuses?: Record<number, string>
  /** Errors of the handler beside those that http/openapi/operation.ts derives, by status, and what they mean. */
  errors?: Record<number, string>
  /** Also answers `?format=csv`. */
  csv?: CsvSpec
  /** Its answer depends on events: a header warns when some are parked and therefore missing (see http/output/parked-header.ts). */
  readsEvents?: true
  /** Honours Idempotency-Key and stores its answer (see Call); `secret`: fields of the answer that are not replayed. */
  idempotent?: { secret: string[] }
  /** Throws when the key is refused for another reason than its scopes; called with the scope check, before the body is read. */
  admit?: (caller: Caller) => void
  /** Reads and changes nothing but what is the user's own: the same for members of every level. */
  own?: true
  /** Sensitive: a sign-in has to be of the last hour, or proved again (see http/access/recent-proof.ts). */
  asksAgain?: true
  /** Of level `public`, and gives or takes a sign-in: refused unless it comes from a page of this server. */
  ownPagesOnly?: true
  /** No `Access-Control-*` headers on this path. */
  noCors?: boolean
  /** Asked by the SDKs: mirrors the origin and allows credentials, as http/raw-routes.ts does. */
  mirrorsOrigin?: true
  /**
   * Also accessible by sharing token (see http/access/sharing-token.ts), for the recording that the path parameter `param`
   * names; the response is then a different, smaller one.
   */
  shared?: {
    param: keyof Static<P> & string
    response: TSchema
    handler: (call: SharedCall<Static<P>, Static<Q>>) => Promise<unknown>
  }
  /** The content type of a response that is not JSON. */
  contentType?: string
  /** Its answer ends when the client leaves, or is no longer admitted: never compressed, and timed until it begins. */
  goesOn?: true
  /** For people with a browser: refused at another host than the public URL's (see http/page-routes.ts). */
  page?: true
  /** Left out of the API document: pages and their files, alternative paths. */
  undocumented?: true
  /** Error messages for methods that this path refuses. */
  refusals?: Partial<Record<Method, string>>
  handler: (call: Call<Static<P>, Static<Q>, Static<B>>) => Promise<Static<R> | Answer>
}

/** A route without its type parameters, for lists of routes. */
export type Route = Omit<RouteSpec<TObject, TObject, TSchema, TSchema>, 'handler' | 'shared'> & {
  handler: (call: Call) => Promise<unknown>
  shared?: { param: string; response: TSchema; handler: (call: SharedCall) => Promise<unknown> }
}

export function route<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema>(
  spec: RouteSpec<P, Q, B, R>,
): Route {
  return spec as unknown as Route
}
