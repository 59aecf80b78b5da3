/** Building blocks of request and response schemas, on TypeBox. One schema validates, serialises and documents. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/**
 * An object with any keys and any values, passed through untouched. Not `Type.Record`: its pattern misses
 * keys with a line break, and the serialiser then drops them.
 */
export const FreeForm = (options: { description?: string; examples?: unknown[] } = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

export const isFreeForm = (schema: { type?: unknown; additionalProperties?: unknown } | null): boolean =>
  schema?.type === 'object' && schema.additionalProperties === true

/** Any JSON value, passed through untouched. */
export const AnyJson = (options: { description?: string } = {}) => Type.Unsafe<unknown>({ ...options })

export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })

export const Choice = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/**
 * A name, title or label in a request: stored trimmed; control characters are refused. In a list of them, white space
 * inside one becomes a single space.
 */
export const Line = (options: { minLength?: number; maxLength: number }) =>
  Type.Unsafe<string>({ type: 'string', 'x-line': true, ...options })

/** An ISO 8601 date-time in responses. Not for requests: `format: date-time` refuses times without an offset. */
export const DateTime = (options: { description?: string } = {}) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options })

/** A date-time in requests; parsed by lib/time/time.ts. */
export const DateTimeInput = (options: { description?: string } = {}) =>
  Type.Unsafe<string>({ type: 'string', 'x-date-time': true, ...options })

/** The integer id of another object, in requests. */
export const Relation = (options: { description?: string } = {}) =>
  Type.Unsafe<number>({ type: 'integer', 'x-relation': true, ...options })

/**
 * A body whose schema only documents: the handler gets it as it was sent and checks it with
 * http/input/collect-problems.ts, so that problems of shape and of further rules are reported together.
 */
export const CheckedInHandler = (schema: TSchema) => Type.Unsafe<unknown>({ ...schema, 'x-checked-in-handler': true })

export const Uuid = (options: { description?: string } = {}) =>
  Type.Unsafe<string>({ type: 'string', format: 'uuid', ...options })

/** Only the fields named here are sent. A `title` makes it a named component of the API document. */
export const Body = <T extends TProperties>(properties: T, options: { title?: string; description?: string } = {}) =>
  Type.Object(properties, options)

/** Bytes; the schema only documents them. */
export const Bytes = (contentMediaType: string) =>
  Type.Unsafe<string>({ type: 'string', contentMediaType, description: 'The bytes of the file.' })

export const Nothing = Type.Null({ description: 'No body.' })

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    count: Type.Integer({ description: 'Total number of results.' }),
    next: Nullable(
      Type.String({
        description:
          'Absolute URL of the next page; null on the last. Its `offset` is raised by the results given; its `cursor`, where the list has one, tells after which result it begins.',
      }),
    ),
    previous: Nullable(
      Type.String({
        description: 'Absolute URL of the previous page; null on the first. Its `offset` is lowered by `limit`.',
      }),
    ),
    results: Type.Array(item),
  })
