/** POST query/: queries that are not saved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'

const app = await makeApp()
afterAll(() => app.end())

const PATH = '/api/environments/1/query/'
const today = () => new Date(app.clock.now()).toISOString().slice(0, 10)

async function capture(events: object[]): Promise<void> {
  const answer = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch: events } })
  expect(answer.statusCode).toBe(200)
}

const event = (name: string, distinct_id: string, properties: object = {}) => ({
  event: name,
  distinct_id,
  properties,
  timestamp: new Date(app.clock.now()).toISOString(),
})

const trend = (fields: object = {}) => ({
  kind: 'TrendsQuery',
  dateRange: { date_from: 'dStart' },
  series: [{ kind: 'EventsNode', event: 'bought' }],
  ...fields,
})

const run = (query: unknown, options: object = {}) => app.call('POST', PATH, { body: { query }, ...options })

beforeAll(async () => {
  await capture([
    event('bought', 'ann', { price: 3, $set: { plan: 'paid' } }),
    event('bought', 'ann', { price: 5 }),
    event('bought', 'bob', { price: 10 }),
  ])
})

describe('a query', () => {
  it('is computed and returned in PostHog’s form', async () => {
    const answer = await run({ kind: 'InsightVizNode', source: trend() })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      results: [
        {
          action: {
            id: 'bought',
            type: 'events',
            order: 0,
            name: 'bought',
            custom_name: null,
            math: null,
            math_property: null,
          },
          label: 'bought',
          count: 3,
          data: [3],
          labels: [expect.stringMatching(/^\d+-[A-Z][a-z]{2}-\d{4}$/)],
          days: [today()],
        },
      ],
      timezone: 'UTC',
      last_refresh: expect.stringMatching(/Z$/),
      is_cached: false,
    })
  })

  it('counts people and filters by their properties', async () => {
    const series = [{ kind: 'EventsNode', event: 'bought', math: 'dau' }]
    const properties = [{ type: 'person', key: 'plan', operator: 'exact', value: 'paid' }]
    const [row] = (await run(trend({ series }))).json().results
    expect(row.data).toEqual([2])
    const [paid] = (await run(trend({ series, properties }))).json().results
    expect(paid.data).toEqual([1])
  })

  it('sees an event captured the moment before', async () => {
    await capture([event('hurried', 'ann')])
    const series = [{ kind: 'EventsNode', event: 'hurried' }]
    expect((await run(trend({ series }))).json().results[0].count).toBe(1)
  })
})

describe('a query that is refused', () => {
  it.each<[string, unknown, string]>([
    ['HogQL', { kind: 'HogQLQuery', query: 'select 1' }, 'query__kind'],
    ['no kind', {}, 'query__kind'],
    ['a frame without a source', { kind: 'InsightVizNode' }, 'query__source'],
    ['stickiness', { kind: 'InsightVizNode', source: { kind: 'StickinessQuery' } }, 'query__source__kind'],
    ['a formula', trend({ trendsFilter: { formula: 'A/B' } }), 'query__trendsFilter__formula'],
    ['an action', trend({ series: [{ kind: 'ActionsNode', id: 1 }] }), 'query__series__0__kind'],
    ['an unknown operator', trend({ properties: [{ key: 'a', operator: 'like', value: 1 }] }), 'query__properties'],
    ['a bad date', trend({ dateRange: { date_from: 'soon' } }), 'query__dateRange__date_from'],
    ['an unreadable pattern', trend({ properties: [{ key: 'a', operator: 'regex', value: '(' }] }), 'properties'],
  ])('%s', async (_name, query, attr) => {
    const answer = await run(query)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr, detail: expect.any(String) })
  })

  it('a missing query, and one that is not an object', async () => {
    expect((await app.call('POST', PATH, { body: {} })).json()).toMatchObject({ attr: 'query', code: 'required' })
    expect((await run('select 1')).statusCode).toBe(400)
  })
})

describe('access', () => {
  it('takes a key with query:read, and the project’s own', async () => {
    expect((await run(trend(), { key: null })).statusCode).toBe(401)
    const [reader, other] = await Promise.all([
      makeKey(app, { scopes: ['query:read'] }),
      makeKey(app, { scopes: ['insight:read'] }),
    ])
    expect((await run(trend(), { key: reader })).statusCode).toBe(200)
    expect((await run(trend(), { key: other })).statusCode).toBe(403)
    expect((await run(trend(), { key: (await makeStranger(app)).key })).statusCode).toBe(403)
    expect((await app.call('POST', '/api/environments/999/query/', { body: { query: trend() } })).statusCode).toBe(404)
  })
})
