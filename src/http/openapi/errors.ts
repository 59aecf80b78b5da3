/** The error body and its statuses in the API document. */

export const ERROR_SCHEMA = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: {
      type: 'string',
      enum: ['validation_error', 'invalid_request', 'authentication_error', 'throttled_error', 'server_error'],
    },
    code: { type: 'string', description: 'What is wrong, for programs: `required`, `not_found`, …' },
    detail: { type: 'string', description: 'What is wrong, for people.' },
    attr: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The field it is about, nested names joined by `__`; null when it is about none.',
    },
    errors: {
      type: 'array',
      description: 'All problems, when several fields are wrong.',
      items: {
        type: 'object',
        required: ['code', 'detail', 'attr'],
        properties: {
          code: { type: 'string' },
          detail: { type: 'string' },
          attr: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
    },
  },
}

interface Refusal {
  name: string
  description: string
  example: { type: string; code: string; detail: string; attr: string | null }
  headers?: Record<string, string>
}

const RETRY_AFTER = { 'Retry-After': 'Seconds to wait.' }
const LIMITS = {
  'RateLimit-Limit': 'Requests allowed in the window.',
  'RateLimit-Remaining': 'Requests left in it.',
  'RateLimit-Reset': 'Seconds until it ends.',
}

const refusal = (type: string, code: string, detail: string, attr: string | null = null) => ({
  type,
  code,
  detail,
  attr,
})

const REFUSALS: Record<number, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter, the body or a field of it is not acceptable; nothing was changed.',
    example: refusal('validation_error', 'required', 'This field is required.', 'properties'),
  },
  401: {
    name: 'Unauthorized',
    description: 'No key, or one that is unknown, expired or revoked.',
    example: refusal('authentication_error', 'not_authenticated', 'Authentication credentials were not provided.'),
    headers: { 'WWW-Authenticate': 'Always `Bearer`.' },
  },
  403: {
    name: 'Forbidden',
    description:
      'The key lacks the scope (named in `detail`), is confined to other projects, or its user is no member.',
    example: refusal('authentication_error', 'permission_denied', "API key missing required scope 'person:read'"),
  },
  404: {
    name: 'NotFound',
    description: 'No such project, or no such object in this project.',
    example: refusal('invalid_request', 'not_found', 'Not found.'),
  },
  408: {
    name: 'RequestTimeout',
    description: 'The request did not arrive within a minute; its connection is closed.',
    example: refusal('invalid_request', 'timeout', 'The request did not arrive in time.'),
  },
  409: {
    name: 'Conflict',
    description: 'The first request with this Idempotency-Key is still being processed.',
    example: refusal(
      'invalid_request',
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still being processed.',
    ),
    headers: RETRY_AFTER,
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is larger than 2 MB.',
    example: refusal('invalid_request', 'request_too_large', 'The request body is too large.'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON by its content type.',
    example: refusal('invalid_request', 'unsupported_media_type', 'Unsupported media type "text/plain" in request.'),
  },
  422: {
    name: 'UnprocessableContent',
    description: 'This Idempotency-Key was used with a different request.',
    example: refusal(
      'invalid_request',
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different request.',
    ),
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests, where the operator has set limits; or too many wrong keys.',
    example: refusal('throttled_error', 'throttled', 'Request was throttled. Expected available in 30 seconds.'),
    headers: { ...RETRY_AFTER, ...LIMITS },
  },
  431: {
    name: 'RequestHeaderFieldsTooLarge',
    description: 'Address and headers are larger than 16 KB; the connection is closed.',
    example: refusal('invalid_request', 'parse_error', 'The request headers are too large.'),
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'A store does not answer or is behind. What was asked for was not done.',
    example: refusal('server_error', 'unavailable', 'The event store is behind. Try again shortly.'),
    headers: RETRY_AFTER,
  },
  504: {
    name: 'GatewayTimeout',
    description: 'A list or a count took longer than 10 seconds and was given up.',
    example: refusal('server_error', 'timeout', 'This took longer than 10 seconds. Narrow the request.'),
  },
}

const headerObjects = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** The components that operations refer to. */
export const ERROR_RESPONSES = Object.fromEntries(
  Object.values(REFUSALS).map(({ name, description, example, headers }) => [
    name,
    {
      description,
      ...(headers ? { headers: headerObjects(headers) } : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
    },
  ]),
)

/** References to the responses of these statuses, and of a route's own, which say what they mean there. */
export const errorAnswers = (
  statuses: number[],
  own: Record<number, string> = {},
): Record<string, { $ref: string; description?: string }> =>
  Object.fromEntries(
    [...statuses, ...Object.keys(own).map(Number)].flatMap((status) => {
      const found = REFUSALS[status]
      if (!found) return []
      const description = own[status]
      const reference = { $ref: `#/components/responses/${found.name}` }
      return [[String(status), description === undefined ? reference : { ...reference, description }]]
    }),
  )
