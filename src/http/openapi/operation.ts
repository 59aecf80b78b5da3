/** One route as an operation of the API document: its parameters, body, scope and responses. */
import { queryOf } from '../mount.ts'
import { PARKED_HEADER, PARKED_HEADER_HELP } from '../output/parked-header.ts'
import type { Route } from '../route.ts'
import { errorAnswers } from './errors.ts'
import { pathParameters } from './operation-ids.ts'
import type { JsonSchema, SchemaBook } from './schema.ts'

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
}

type Reference = { $ref: string }

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  /** Any one of them is enough. Absent when none is needed. */
  'x-required-scopes'?: string[]
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, unknown>
}

const NO_BODY = 204

const quoted = (scopes: string[]): string => scopes.map((scope) => `\`${scope}\``).join(', ')

function neededScopes({ scope }: Route): string[] {
  if (typeof scope === 'string') return [scope]
  return Array.isArray(scope) ? scope : []
}

function describe(route: Route): string {
  const { scope, level, description, shared } = route
  const scopes = neededScopes(route)
  const needs =
    typeof scope === 'object' && 'none' in scope
      ? `${level === 'public' ? 'Needs no key' : 'Needs a valid key, no scope'}: ${scope.none}.`
      : `Needs ${scopes.length > 1 ? 'one of the scopes' : 'the scope'} ${quoted(scopes)}.`
  const sharing = shared ? 'A sharing token opens it too; the answer is then the smaller one.' : undefined
  return [description, needs, sharing].filter((part) => part !== undefined).join('\n\n')
}

/**
 * Scopes have a field of their own: OpenAPI 3.1 would let a requirement list them for any kind of scheme, but linters
 * look them up among those of an OAuth flow, and a bearer scheme has none.
 */
function securityOf(route: Route): Pick<Operation, 'security' | 'x-required-scopes'> {
  if (route.level === 'public') return { security: [] }
  const scopes = neededScopes(route)
  return {
    security: [{ personalApiKey: [] }, ...(route.shared ? [{ sharingToken: [] }] : [])],
    ...(scopes.length > 0 ? { 'x-required-scopes': scopes } : {}),
  }
}

function parameter(place: Parameter['in'], name: string, required: boolean, written: JsonSchema): Parameter {
  const { description, ...schema } = written
  return {
    name,
    in: place,
    required,
    ...(typeof description === 'string' ? { description } : {}),
    schema,
  }
}

/** The default format is JSON. The route's own schema cannot have this default, because `Accept` decides too. */
function documentedQuery(route: Route): Record<string, object> {
  const query = queryOf(route)
  return route.csv ? { ...query, format: { ...query.format, default: 'json' } } : query
}

function parametersOf(route: Route, book: SchemaBook): Operation['parameters'] {
  const paths = pathParameters(route).map((name) =>
    parameter('path', name, true, book.write(route.params?.properties[name] ?? { type: 'string' })),
  )
  const required = new Set<string>(route.query?.required ?? [])
  const queries = Object.entries(documentedQuery(route)).map(([name, schema]) =>
    parameter('query', name, required.has(name), book.write(schema)),
  )
  return [
    ...(route.level === 'project' ? [{ $ref: '#/components/parameters/ProjectId' }] : []),
    ...paths,
    ...queries,
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function bodyOf(route: Route, book: SchemaBook): Pick<Operation, 'requestBody'> {
  if (!route.body) return {}
  const { required } = route.body as { required?: string[] }
  const schema = book.write(route.body)
  return { requestBody: { required: (required?.length ?? 0) > 0, content: { 'application/json': { schema } } } }
}

/** Both forms where a sharing token gets another answer than a key. */
function successSchema({ response, shared }: Route, book: SchemaBook): JsonSchema {
  const own = book.write(response)
  const smaller = shared ? book.write(shared.response) : own
  return JSON.stringify(smaller) === JSON.stringify(own) ? own : { anyOf: [own, smaller] }
}

function successOf(route: Route, book: SchemaBook): Record<string, unknown> {
  const status = route.status ?? 200
  if (status === NO_BODY) return { [status]: { description: 'Done; no body.' } }
  const schema = successSchema(route, book)
  const content = {
    [route.contentType ?? 'application/json']: { schema, example: route.example },
    ...(route.csv ? { 'text/csv': { schema: { type: 'string', description: 'Header row, then rows.' } } } : {}),
  }
  const headers = route.readsEvents
    ? { headers: { [PARKED_HEADER]: { description: PARKED_HEADER_HELP, schema: { type: 'integer', minimum: 1 } } } }
    : {}
  const others = Object.entries(route.sameBodyStatuses ?? {}).map(([other, description]) => [
    other,
    { description, content },
  ])
  return { [status]: { description: route.summary, ...headers, content }, ...Object.fromEntries(others) }
}

/** Routes with a time limit: lists (they have a `limit`), lists of values (a `key`), and others that read events but compute no insight. */
function hasReadLimit({ level, method, query, readsEvents, tag }: Route): boolean {
  if (level !== 'project' || method !== 'GET') return false
  const isList = ['limit', 'key'].some((name) => query?.properties[name] !== undefined)
  return isList || (readsEvents === true && !['insights', 'dashboards'].includes(tag))
}

/** What any request may be answered before it is known what it asks for: it came too slowly, or its head is too large. */
const ALWAYS = [408, 431]

/** The error statuses of the checks before the handler, and of the handler. */
function refusalsOf(route: Route): number[] {
  const isKeyed = route.level !== 'public'
  const hasInput =
    route.body !== undefined || Object.keys(queryOf(route)).length > 0 || pathParameters(route).length > 0
  const canMiss = route.level === 'project' || pathParameters(route).length > 0
  return [
    ...ALWAYS,
    ...(hasInput ? [400] : []),
    ...(isKeyed ? [401, 403] : []),
    ...(canMiss ? [404] : []),
    ...(route.idempotent ? [409] : []),
    ...(route.body ? [413, 415] : []),
    ...(route.idempotent ? [422] : []),
    ...(isKeyed ? [429] : []),
    ...(route.level === 'project' ? [503] : []),
    ...(hasReadLimit(route) ? [504] : []),
  ]
}

export function operationOf(route: Route, operationId: string, book: SchemaBook): Operation {
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: describe(route),
    ...securityOf(route),
    parameters: parametersOf(route, book),
    ...bodyOf(route, book),
    responses: { ...successOf(route, book), ...errorAnswers(refusalsOf(route), route.errors) },
  }
}
