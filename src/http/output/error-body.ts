/**
 * The error body: `{"type","code","detail","attr"}`, plus `errors` when several fields are wrong. AppErrors,
 * Fastify's errors and unknown ones are all converted here; the cause of an unknown one goes to
 * the log, the caller gets a 500 without details.
 */
import { STATUS_CODES } from 'node:http'
import type { FastifyError } from 'fastify'
import { AppError, type ErrorKind, type Problem } from '../../lib/errors.ts'

interface ErrorBody {
  type: string
  code: string
  detail: string
  attr: string | null
  errors?: Problem[]
}

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: ErrorBody
  /** Not an error of the caller: it is logged. */
  unexpected: boolean
  /** Why, for metrics and log. */
  reason: string
}

const KINDS: Record<ErrorKind, [status: number, type: string]> = {
  invalid: [400, 'validation_error'],
  malformed: [400, 'invalid_request'],
  unauthenticated: [401, 'authentication_error'],
  denied: [403, 'authentication_error'],
  not_found: [404, 'invalid_request'],
  gone: [410, 'invalid_request'],
  misdirected: [421, 'invalid_request'],
  method_not_allowed: [405, 'invalid_request'],
  conflict: [409, 'invalid_request'],
  unprocessable: [422, 'invalid_request'],
  too_large: [413, 'invalid_request'],
  unsupported_media: [415, 'invalid_request'],
  throttled: [429, 'throttled_error'],
  unavailable: [503, 'server_error'],
  timeout: [504, 'server_error'],
}

function headersOf(error: AppError): Record<string, string> {
  return {
    ...(error.kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error.allow ? { allow: error.allow.join(', ') } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
    ...(error.limit === undefined
      ? {}
      : {
          'ratelimit-limit': String(error.limit),
          'ratelimit-remaining': '0',
          'ratelimit-reset': String(error.retryAfterSeconds ?? 0),
        }),
  }
}

function answerApp(error: AppError): ErrorAnswer {
  const [status, type] = KINDS[error.kind]
  const body: ErrorBody = { type, code: error.code, detail: error.message, attr: error.attr }
  if (error.problems.length > 1) body.errors = error.problems
  return { status, headers: headersOf(error), body, unexpected: false, reason: error.reason }
}

/** Fastify's errors as ours, by error code. */
function answerFramework(error: FastifyError, contentType: string): AppError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('too_large', 'request_too_large', 'The request body is too large.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return error.statusCode === 415
        ? new AppError(
            'unsupported_media',
            'unsupported_media_type',
            `Unsupported media type "${contentType}" in request.`,
          )
        : new AppError('malformed', 'parse_error', 'The request body does not match its Content-Length.')
    case 'FST_ERR_BAD_URL':
      return new AppError('malformed', 'parse_error', 'The path is not a valid URL.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found', 'not_found', 'Not found.')
    default:
      return null
  }
}

export function answerError(error: unknown, contentType = ''): ErrorAnswer {
  if (error instanceof AppError) return answerApp(error)
  const framework = error instanceof Error ? answerFramework(error as FastifyError, contentType) : null
  if (framework) return answerApp(framework)
  const status = (error as { statusCode?: number } | null)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    const body = { type: 'invalid_request', code: 'error', detail: STATUS_CODES[status] ?? 'Bad request.', attr: null }
    return { status, headers: {}, body, unexpected: false, reason: body.code }
  }
  const body = { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null }
  return { status: 500, headers: {}, body, unexpected: true, reason: 'server_error' }
}
