/**
 * The domain's error type. Code that refuses something throws an AppError made by a helper below; HTTP status and
 * response body are decided in http/output/error-body.ts alone. Unknown errors are
 * never shown to a caller.
 */
import { cutText } from './text/code-points.ts'

export type ErrorKind =
  | 'invalid' // the input breaks a rule of a field
  | 'malformed' // the input could not be read at all
  | 'unauthenticated'
  | 'denied'
  | 'not_found'
  | 'gone'
  | 'misdirected' // it is to be asked elsewhere
  | 'method_not_allowed'
  | 'conflict'
  | 'unprocessable'
  | 'too_large'
  | 'unsupported_media'
  | 'throttled'
  | 'unavailable'
  | 'timeout' // it takes longer than allowed

/** One problem of one field; `attr` is null when it concerns the input as a whole. */
export interface Problem {
  attr: string | null
  code: string
  detail: string
}

export interface AppErrorOptions {
  attr?: string | null
  /** All problems, when there are several; the first one is the error itself. */
  problems?: Problem[]
  retryAfterSeconds?: number
  /** How many were allowed, when one was too many. */
  limit?: number
  allow?: string[]
  /** Why, for the operator's metrics and log; the code unless given. */
  reason?: string
  cause?: unknown
}

export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly attr: string | null
  readonly problems: Problem[]
  readonly retryAfterSeconds: number | undefined
  readonly limit: number | undefined
  readonly allow: string[] | undefined
  readonly reason: string

  constructor(kind: ErrorKind, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.attr = options.attr ?? null
    this.problems = options.problems ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
    this.allow = options.allow
    this.reason = options.reason ?? code
  }
}

export const invalid = (detail: string, attr: string | null = null, code = 'invalid_input'): AppError =>
  new AppError('invalid', code, detail, { attr })

export const required = (attr: string): AppError => invalid('This field is required.', attr, 'required')

/** Several field problems at once: the first leads, all are listed. `problems` must not be empty. */
export function invalidFields(problems: Problem[]): AppError {
  const [first] = problems
  if (!first) throw new Error('invalidFields needs at least one problem')
  return new AppError('invalid', first.code, first.detail, { attr: first.attr, problems })
}

export const malformed = (detail: string): AppError => new AppError('malformed', 'parse_error', detail)

export const notFound = (detail = 'Not found.'): AppError => new AppError('not_found', 'not_found', detail)

export const conflict = (detail: string): AppError => new AppError('conflict', 'conflict', detail)

export const denied = (detail: string): AppError => new AppError('denied', 'permission_denied', detail)

export const tooLarge = (detail: string): AppError => new AppError('too_large', 'request_too_large', detail)

export const unavailable = (detail: string, retryAfterSeconds: number, cause?: unknown): AppError =>
  new AppError('unavailable', 'unavailable', detail, { retryAfterSeconds, cause })

/** What was the limit, as the metrics name it. */
type Shortage = 'memory' | 'queue' | 'outbox' | 'disk_space'

export const OVERLOADED = 'transient error, please retry'

/** Too much work is in progress; SDKs retry after this answer. */
export const overloaded = (reason: Shortage): AppError =>
  new AppError('unavailable', 'unavailable', OVERLOADED, { retryAfterSeconds: 5, reason })

const STORE_TROUBLE = {
  sql_away: { detail: 'The database cannot be reached. Try again shortly.', retryAfterSeconds: 5 },
  blobs_away: { detail: 'The store of recordings cannot be reached. Try again shortly.', retryAfterSeconds: 5 },
  events_away: { detail: 'The store of events cannot be reached. Try again shortly.', retryAfterSeconds: 5 },
  sql_busy: { detail: 'The database is busy. Try again shortly.', retryAfterSeconds: 1 },
}

/**
 * A store on another machine cannot be reached, or does not get to it in time. What was to be written may have been: it is
 * for the caller to repeat it, as a whole.
 */
export class StoreUnavailable extends AppError {
  constructor(reason: keyof typeof STORE_TROUBLE, cause?: unknown) {
    const { detail, retryAfterSeconds } = STORE_TROUBLE[reason]
    super('unavailable', 'unavailable', detail, { retryAfterSeconds, reason, cause })
  }
}

/** Whoever opened the store has been told so, once: there is nothing to add for each time. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof StoreUnavailable && ['sql_away', 'blobs_away', 'events_away'].includes(error.reason)

export const timedOut = (detail: string): AppError => new AppError('timeout', 'timeout', detail)

const rateLimited = (wait: number): string =>
  `Request was throttled. Expected available in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`

/** `limit`: how many requests the window allows. `tell`: the words for whole seconds. */
export function throttled(seconds: number, limit: number, tell = rateLimited, code = 'throttled'): AppError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new AppError('throttled', code, tell(wait), { retryAfterSeconds: wait, limit })
}

/** A sentence for the operator at the terminal: printed without a stack, exit code 1. */
export class OperatorError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OperatorError'
  }
}

/** Another process uses the data folder. */
export class FolderInUse extends OperatorError {}

/** Work that can never succeed, however often it is retried: its job is parked at once. */
export class Unworkable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Unworkable'
  }
}

/** Longer errors are cut: the store is not the place for them. */
const MAX_ERROR_TEXT = 2_000

/** The message of an error, as a row of the store keeps it. */
export const errorText = (error: unknown): string =>
  cutText(error instanceof Error ? error.message : String(error), MAX_ERROR_TEXT) || 'unknown error'
