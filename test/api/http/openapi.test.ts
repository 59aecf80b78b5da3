import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts'
import { makeApp, type TestApp } from '../../support/app.ts'

type Json = Record<string, unknown>

interface FoundParameter {
  name: string
  in: string
  required: boolean
  schema: Json
}

interface FoundOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  'x-required-scopes'?: string[]
  parameters: FoundParameter[]
  requestBody?: { content: { 'application/json': { schema: Json } } }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json; example?: unknown }> }>
}

let app: TestApp
let document: OpenApiDocument

beforeAll(async () => {
  app = await makeApp()
  document = (await app.call('GET', '/api/schema/', { key: null })).json()
})
afterAll(() => app.end())

/** The same with every local reference replaced by what it points to. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: string }
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Json)[name], document)
    return resolved(target)
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]))
}

function operation(method: string, path: string): FoundOperation {
  const found = document.paths[`/api/environments/{project_id}${path}`]?.[method.toLowerCase()]
  expect(found, `${method} ${path}`).toBeDefined()
  return resolved(found) as FoundOperation
}

const PERSON = {
  id: 'integer',
  name: 'string',
  distinct_ids: 'array',
  properties: 'object',
  created_at: 'date-time',
  uuid: 'uuid',
}
const RECORDING = {
  id: 'string',
  distinct_id: 'string',
  viewed: 'boolean',
  recording_duration: 'integer',
  active_seconds: 'integer',
  inactive_seconds: 'integer',
  start_time: 'date-time',
  end_time: 'date-time',
  click_count: 'integer',
  keypress_count: 'integer',
  mouse_activity_count: 'integer',
  console_log_count: 'integer',
  console_warn_count: 'integer',
  console_error_count: 'integer',
  start_url: 'string',
  person: 'object',
  storage: 'string',
  snapshot_source: 'string',
  ongoing: 'boolean',
  activity_score: 'number',
}
const SHARING = { created_at: 'date-time', enabled: 'boolean', access_token: 'string' }
const SUBSCRIPTION_INPUT = {
  dashboard: 'integer',
  insight: 'integer',
  target_type: 'string',
  target_value: 'string',
  frequency: 'string',
  interval: 'integer',
  byweekday: 'array',
  bysetpos: 'integer',
  count: 'integer',
  start_date: 'date-time',
  until_date: 'date-time',
  deleted: 'boolean',
  title: 'string',
  invite_message: 'string',
}
const SUBSCRIPTION = {
  ...SUBSCRIPTION_INPUT,
  id: 'integer',
  created_at: 'date-time',
  created_by: 'object',
  summary: 'string',
  next_delivery_date: 'date-time',
}
const PAGE = { count: 'integer', next: 'string', previous: 'string', results: 'array' }

interface SeedOperation {
  method: string
  path: string
  id: string
  scopes: string[]
  status: number
  query?: Record<string, string>
  body?: Record<string, string>
  answer?: Record<string, string>
}

const FORMAT = { format: 'string' }

/** Section 4 of the contract, line by line. */
const SEED: SeedOperation[] = [
  {
    method: 'GET',
    path: '/persons/{id}/',
    id: 'persons_retrieve',
    scopes: ['person:read'],
    status: 200,
    query: FORMAT,
    answer: PERSON,
  },
  {
    method: 'PATCH',
    path: '/persons/{id}/',
    id: 'persons_partial_update',
    scopes: ['person:write'],
    status: 200,
    query: FORMAT,
    body: { properties: 'object' },
    answer: PERSON,
  },
  {
    method: 'DELETE',
    path: '/persons/{id}/',
    id: 'persons_destroy',
    scopes: ['person:write'],
    status: 204,
    query: { ...FORMAT, delete_events: 'boolean' },
  },
  {
    method: 'GET',
    path: '/persons/{id}/activity/',
    id: 'persons_activity_retrieve',
    scopes: ['activity_log:read'],
    status: 200,
    query: FORMAT,
  },
  {
    method: 'POST',
    path: '/persons/{id}/delete_property/',
    id: 'persons_delete_property_create',
    scopes: ['person:write'],
    status: 200,
    query: { ...FORMAT, $unset: 'string' },
    body: {},
  },
  {
    method: 'GET',
    path: '/persons/{id}/properties_timeline/',
    id: 'persons_properties_timeline_retrieve',
    scopes: ['person:read'],
    status: 200,
    query: FORMAT,
  },
  {
    method: 'POST',
    path: '/persons/{id}/split/',
    id: 'persons_split_create',
    scopes: ['person:write'],
    status: 200,
    query: FORMAT,
    body: {},
  },
  {
    method: 'POST',
    path: '/persons/{id}/update_property/',
    id: 'persons_update_property_create',
    scopes: ['person:write'],
    status: 200,
    // In a query any value is text; its meaning is parsed from it.
    query: { ...FORMAT, key: 'string', value: 'string' },
    body: {},
  },
  {
    method: 'GET',
    path: '/persons/activity/',
    id: 'persons_all_activity_retrieve',
    scopes: ['activity_log:read'],
    status: 200,
    query: FORMAT,
  },
  {
    method: 'GET',
    path: '/session_recordings/{id}/',
    id: 'session_recordings_retrieve',
    scopes: ['session_recording:read'],
    status: 200,
    answer: RECORDING,
  },
  {
    method: 'PATCH',
    path: '/session_recordings/{id}/',
    id: 'session_recordings_partial_update',
    scopes: ['session_recording:write'],
    status: 200,
    body: { person: 'any' },
    answer: RECORDING,
  },
  {
    method: 'DELETE',
    path: '/session_recordings/{id}/',
    id: 'session_recordings_destroy',
    scopes: ['session_recording:write'],
    status: 204,
  },
  {
    method: 'GET',
    path: '/session_recordings/{recording_id}/sharing/',
    id: 'session_recordings_sharing_retrieve',
    scopes: ['sharing_configuration:read'],
    status: 200,
    answer: SHARING,
  },
  {
    method: 'GET',
    path: '/sessions/property_definitions/',
    id: 'sessions_property_definitions_retrieve',
    scopes: [],
    status: 200,
  },
  {
    method: 'GET',
    path: '/sessions/values/',
    id: 'sessions_values_retrieve',
    scopes: ['query:read', 'person:read', 'session_recording:read'],
    status: 200,
  },
  {
    method: 'GET',
    path: '/subscriptions/',
    id: 'subscriptions_list',
    scopes: ['subscription:read'],
    status: 200,
    query: { limit: 'integer', offset: 'integer' },
    answer: PAGE,
  },
  {
    method: 'POST',
    path: '/subscriptions/',
    id: 'subscriptions_create',
    scopes: ['subscription:write'],
    status: 201,
    body: SUBSCRIPTION_INPUT,
    answer: SUBSCRIPTION,
  },
  {
    method: 'GET',
    path: '/subscriptions/{id}/',
    id: 'subscriptions_retrieve',
    scopes: ['subscription:read'],
    status: 200,
    answer: SUBSCRIPTION,
  },
]

const UNDONE = { success: 'boolean', person: 'object', split: 'array' }

/** Section 8 of the contract, as far as it is there: what the web app needs of people, sessions and recordings. */
const ADDED: SeedOperation[] = [
  {
    method: 'GET',
    path: '/persons/',
    id: 'persons_list',
    scopes: ['person:read'],
    status: 200,
    query: { ...FORMAT, limit: 'integer', offset: 'integer', ordering: 'string' },
    answer: PAGE,
  },
  {
    method: 'GET',
    path: '/persons/{id}/counts/',
    id: 'persons_counts_retrieve',
    scopes: ['person:read'],
    status: 200,
    query: { ...FORMAT, by_distinct_id: 'boolean' },
    answer: {
      events: 'integer',
      sessions: 'integer',
      recordings: 'integer',
      bytes: 'integer',
      first_seen: 'date-time',
      last_seen: 'date-time',
      distinct_ids: 'array',
    },
  },
  {
    method: 'POST',
    path: '/persons/{id}/merge/',
    id: 'persons_merge_create',
    scopes: ['person:write'],
    status: 200,
    query: FORMAT,
    body: { preview: 'boolean' },
    answer: { person: 'object', merged: 'object', properties: 'object' },
  },
  {
    method: 'GET',
    path: '/persons/deletion_summary/',
    id: 'persons_deletion_summary_retrieve',
    scopes: ['person:read'],
    status: 200,
    answer: { pending: 'integer', scheduled_for: 'date-time', phase: 'string', since: 'date-time', last_run: 'object' },
  },
  {
    method: 'POST',
    path: '/activity_log/{id}/undo/',
    id: 'activity_log_undo_create',
    scopes: ['person:write'],
    status: 200,
    query: FORMAT,
    answer: UNDONE,
  },
  {
    method: 'GET',
    path: '/sessions/',
    id: 'sessions_list',
    scopes: ['query:read', 'person:read', 'session_recording:read'],
    status: 200,
    query: { ...FORMAT, person_id: 'string', has_recording: 'boolean', ordering: 'string', properties: 'string' },
    answer: { results: 'array' },
  },
  {
    method: 'GET',
    path: '/sessions/{session_id}/',
    id: 'sessions_retrieve',
    scopes: ['query:read', 'person:read', 'session_recording:read'],
    status: 200,
    answer: { id: 'uuid', properties: 'object', recording: 'object' },
  },
]

/** The type of a value by its schema: its format where it has one, `any` where it has no type. */
function kindOf(schema: Json): string {
  const branches = schema.anyOf as Json[] | undefined
  const inner = branches?.find((branch) => branch.type !== 'null') ?? schema
  return String(inner.format ?? inner.type ?? 'any')
}

const kindsOf = (schema: Json): Record<string, string> =>
  Object.fromEntries(Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([k, v]) => [k, kindOf(v)]))

/** The object of a success answer; of several forms the first, which is the one for keys. */
function answerSchema({ responses }: FoundOperation, status: number): Json {
  const schema = responses[status]?.content?.['application/json']?.schema ?? {}
  return (schema.anyOf as Json[] | undefined)?.[0] ?? schema
}

describe('the API document', () => {
  it('is valid OpenAPI 3.1 by a public validator', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('is refused by the same validator when an answer is missing', async () => {
    const broken = structuredClone(document)
    const persons = broken.paths['/api/environments/{project_id}/persons/{id}/'] as Record<string, object>
    persons.get = { ...persons.get, responses: 'none' }
    expect((await new Validator().validate(broken as unknown as Record<string, unknown>)).valid).toBe(false)
  })

  it('is public JSON, the same with and without the slash, and not sent again to clients that have it', async () => {
    const first = await app.call('GET', '/api/schema', { key: null })
    expect(first.statusCode).toBe(200)
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(first.headers['access-control-allow-origin']).toBe('*')
    expect(first.json()).toEqual(document)
    const again = await app.call('GET', '/api/schema/', {
      key: null,
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  it('lists each project path once, in the first spelling, and names the second', () => {
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/api/projects/{'))).toEqual([])
    expect(document.info.description).toContain('/api/projects/{project_id}/')
  })

  it('gives every operation a name of its own, a summary, and its needs in words', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, summary, description } of operations) {
      expect(operationId).toMatch(/^[a-z0-9_]+$/)
      expect(summary).not.toBe('')
      expect(description).toMatch(/\bNeeds /)
    }
  })

  it('refers only to components that are there', () => {
    expect(() => resolved(document)).not.toThrow()
    expect(JSON.stringify(resolved(document))).not.toContain('"$ref"')
  })

  it('shows none of the keywords that are ours', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-(?:date-time|judged|relation)"/)
  })

  it('describes the one error body', () => {
    expect(kindsOf(resolved(document.components.schemas.Error) as Json)).toEqual({
      type: 'string',
      code: 'string',
      detail: 'string',
      attr: 'string',
      errors: 'array',
    })
  })
})

describe.each([...SEED, ...ADDED])('$method $path in the API document', (seed) => {
  const { method, path, id, scopes, status, query = {}, body, answer = {} } = seed

  it('has its name and its scope', () => {
    const { operationId, security, description, 'x-required-scopes': required = [] } = operation(method, path)
    expect(operationId).toBe(id)
    expect(security[0]).toEqual({ personalApiKey: [] })
    expect(required).toEqual(scopes)
    for (const scope of scopes) expect(description).toContain(`\`${scope}\``)
  })

  it('has its path and query parameters with their types', () => {
    const { parameters } = operation(method, path)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(['project_id', ...inPath])
    const found = Object.fromEntries(
      parameters.filter((one) => one.in === 'query').map((one) => [one.name, kindOf(one.schema)]),
    )
    expect(found).toMatchObject(query)
    if ('format' in query) {
      const format = parameters.find((one) => one.name === 'format')
      expect(format?.schema.enum).toEqual(['csv', 'json'])
    }
  })

  it('has its body fields', () => {
    const { requestBody } = operation(method, path)
    if (!body) expect(requestBody).toBeUndefined()
    else expect(kindsOf(requestBody?.content['application/json'].schema ?? {})).toMatchObject(body)
  })

  it('has its success answer with every field, an example, and CSV where it is offered', () => {
    const found = operation(method, path)
    const success = found.responses[status]
    expect(success?.description).toBeTruthy()
    if (status === 204) {
      expect(success?.content).toBeUndefined()
      return
    }
    expect(kindsOf(answerSchema(found, status))).toMatchObject(answer)
    expect(success?.content?.['application/json']).toHaveProperty('example')
    expect(Object.keys(success?.content ?? {}).includes('text/csv')).toBe('format' in query)
  })

  it('has its error answers, each with the one error body', () => {
    const { responses, requestBody } = operation(method, path)
    const expected = ['401', '403', '404', '408', '429', '431', '503', ...(requestBody ? ['400', '413', '415'] : [])]
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected))
    for (const [code, { content }] of Object.entries(responses)) {
      if (Number(code) < 400) continue
      expect(content?.['application/json']?.schema).toEqual(resolved(document.components.schemas.Error))
    }
  })
})

it('the list of blocks in the API document has the full snapshots of each', () => {
  const { responses, security, 'x-required-scopes': scopes } = operation('GET', '/session_recordings/{id}/snapshots/')
  const found = JSON.stringify(responses['200']?.content?.['application/json']?.schema)
  for (const name of ['sources', 'full_snapshots', 'window_id', 'timestamp']) expect(found).toContain(`"${name}":`)
  expect([security[0], scopes]).toEqual([{ personalApiKey: [] }, ['session_recording:read']])
})

describe('system operations in the API document', () => {
  const system = (path: string) => resolved(document.paths[path]?.get) as FoundOperation

  it('have no security, and say how they refuse', () => {
    for (const path of ['/_health', '/_ready', '/metrics', '/api/schema/']) {
      const { security, responses } = system(path)
      expect(security).toEqual([])
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '408', '431']))
    }
    expect(document.paths['/metrics']?.get?.responses[403]).toEqual({
      $ref: '#/components/responses/Forbidden',
      description: expect.stringContaining('loopback'),
    })
  })

  it('give the same body whether everything is ready or not', () => {
    const { responses } = system('/_ready')
    expect(responses[503]?.content).toEqual(responses[200]?.content)
  })
})

describe('subscriptions_create in the API document', () => {
  it('offers Idempotency-Key, with the two answers it brings', () => {
    const { parameters, responses } = operation('POST', '/subscriptions/')
    expect(parameters.find((one) => one.in === 'header')?.name).toBe('Idempotency-Key')
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['409', '422']))
  })
})
