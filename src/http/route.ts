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
 * Who may call. `project`: under /api/environments/{project_id} and /api/projects/{project_id}, by key;
 * `account`: by key, without a project; `public`: by anyone.
 */
export type Level = 'project' | 'account' | 'public'

/** The scope a key needs; several: any one of them; or why none is needed. */
export type Scope = string | string[] | { none: string }

/**
 * Keeps the answer under the request's Idempotency-Key, in the transaction of what it tells of, as its last statement:
 * one is never there without the other. Without such a key it does nothing.
 */
export type Remember = (tx: Pick<SqlWriters, 'idempotency'>, answer: unknown) => Promise<void>

/** Where there is no such key. */
export const rememberNothing: Remember = async () => {}

/** What a handler is given. */
export interface Call<Params = unknown, Query = unknown, Input = unknown> {
  params: Params
  query: Query
  body: Input
  caller: Caller
  project: Project
  /** What links are made of: the request's own absolute address. */
  url: URL
  format: 'json' | 'csv'
  headers: Record<string, string | string[] | undefined>
  /** The caller's address, as far as the configured proxies can be believed. */
  ip: string
  /** Passed on by a proxy that is not configured, or that does not say for whom: `ip` is the proxy's own. */
  isProxied: boolean
  /** Aborted when the caller goes away before the answer: for what takes long. */
  signal: AbortSignal
  /** Every route that is `idempotent` calls it. */
  remember: Remember
}

/** What a handler is given when a sharing token has opened its route: there is no caller. */
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

/** Bytes that pass by the response schema: CSV, JSON lines, pages. */
export const rawAnswer = (
  body: string | Buffer | Readable,
  contentType: string,
  headers: Record<string, string> = {},
): Answer => new Answer(body, { headers: { 'content-type': contentType, ...headers } })

export interface CsvSpec {
  /** Name of the file without its ending. */
  fileName: string
  /** Columns that are there even without rows. */
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
  /** The status of success (200 unless said) and the schema that lets its body out. */
  status?: number
  response: R
  example: unknown
  /** The answers `?format=csv` too. */
  csv?: CsvSpec
  /** Its answer is made of events: a header says so when some are parked and therefore missing (see http/output/parked-header.ts). */
  readsEvents?: true
  /** Honours Idempotency-Key, and has its answer remembered (see Call); `secret`: the fields of the answer that are not told again. */
  idempotent?: { secret: string[] }
  /** Throws when the key is kept out for another reason than its scopes; asked with them, before the body is read. */
  admit?: (caller: Caller) => void
  /** No `Access-Control-*` headers on this path. */
  noCors?: boolean
  /**
   * A sharing token opens it too (see http/access/sharing-token.ts), for the recording that the path parameter `param` names;
   * what it then answers is another, smaller thing.
   */
  shared?: {
    param: keyof Static<P> & string
    response: TSchema
    handler: (call: SharedCall<Static<P>, Static<Q>>) => Promise<unknown>
  }
  /** The type of an answer that is not JSON. */
  contentType?: string
  /** Left out of the API document: pages and their files, second spellings. */
  undocumented?: true
  /** Sentences for methods this path refuses. */
  refusals?: Partial<Record<Method, string>>
  handler: (call: Call<Static<P>, Static<Q>, Static<B>>) => Promise<Static<R> | Answer>
}

/** A route whose types have done their work. */
export type Route = Omit<RouteSpec<TObject, TObject, TSchema, TSchema>, 'handler' | 'shared'> & {
  handler: (call: Call) => Promise<unknown>
  shared?: { param: string; response: TSchema; handler: (call: SharedCall) => Promise<unknown> }
}

export function route<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema>(
  spec: RouteSpec<P, Q, B, R>,
): Route {
  return spec as unknown as Route
}
