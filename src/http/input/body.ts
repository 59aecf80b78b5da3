/** How request bodies and parameters are read on every instance: strict JSON, nothing converted silently. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { invalidFields } from '../../lib/errors.ts'
import { parseJsonBytes } from '../../lib/json/json.ts'
import { readQuery } from './query-string.ts'
import { trimLines } from './trim-strings.ts'
import { type Schema, validate } from './validate.ts'

export const JSON_TYPES = /^application\/(?:[\w.+-]+\+)?json\b/i

/** An empty body under a JSON content type is the same as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
    bytes.length === 0 ? {} : parseJsonBytes(bytes),
  )
}

/** The connection of a body longer than this is closed. */
const MOST_DROPPED = 100_000_000

export const isTooLarge = (error: unknown): boolean =>
  (error as FastifyError | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE'

/**
 * Fastify closes the connection of a body that is too large, and a client that is still sending gets a connection error
 * instead of the response. If it stays open, Node reads and drops the rest.
 */
export function keepConnectionOpen(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length <= MOST_DROPPED) reply.removeHeader('connection')
}

function bodyValidator(schema: TSchema) {
  if ('x-checked-in-handler' in schema) return (value: unknown) => ({ value })
  return (given: unknown) => {
    const value = trimLines(schema as Schema, given)
    const problems = validate(schema as Schema, value)
    return problems.length > 0 ? { error: invalidFields(problems) } : { value }
  }
}

const isEmpty = (value: object): boolean => {
  for (const _ in value) return false
  return true
}

function queryValidator(schema: TSchema) {
  const { properties = {}, required = [] } = schema as Schema
  const needsNothing = required.length === 0 && Object.values(properties).every((field) => !('default' in field))
  return (value: unknown) => {
    if (needsNothing && isEmpty(value as object)) return { value: {} }
    try {
      return { value: readQuery(schema as Schema, value as Record<string, unknown>) }
    } catch (error) {
      return { error: error as Error }
    }
  }
}

/** Path parameters are text; the features parse them. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return bodyValidator(schema)
  if (httpPart === 'querystring') return queryValidator(schema)
  return (value: unknown) => ({ value })
}
