/** Results of insights and of the tiles of dashboards: computed on request, cached, and marked when stale. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeShop } from '../../../src/demo/shop.ts'
import { DAY, MINUTE } from '../../../src/lib/time/time.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const BASE = '/api/environments/1'

const trends = (fields: object = {}) => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-1d' },
    series: [{ kind: 'EventsNode', event: 'seen' }],
    ...fields,
  },
})

async function make(body: object): Promise<number> {
  const answer = await app.call('POST', `${BASE}/insights/`, { body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

const read = async (id: number, refresh?: string) => {
  const answer = await app.call('GET', `${BASE}/insights/${id}/`, refresh === undefined ? {} : { query: { refresh } })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

describe('the result of an insight', () => {
  it('is computed when requested, and cached until then', async () => {
    await makeEvents(app, [{ event: 'seen' }])
    const id = await make({ query: trends() })
    for (const refresh of [undefined, '', 'force_cache', 'false']) {
      expect(await read(id, refresh)).toMatchObject({
        result: null,
        last_refresh: null,
        is_cached: false,
        timezone: null,
      })
    }
    const first = await read(id, 'blocking')
    expect(first).toMatchObject({ is_cached: false, timezone: 'UTC', last_refresh: '2026-03-04T12:00:00Z' })
    expect(first.result).toEqual([expect.objectContaining({ data: [0, 1], days: ['2026-03-03', '2026-03-04'] })])
    app.clock.advance(MINUTE)
    for (const refresh of [undefined, 'blocking', 'async', 'lazy_async', 'true']) {
      expect(await read(id, refresh)).toEqual({ ...first, is_cached: true })
    }
  })

  it('is computed again when it is forced, when data came, and when time moved on', async () => {
    const id = await make({ query: trends({ series: [{ kind: 'EventsNode', event: 'new' }] }) })
    const counted = async (refresh: string) => {
      const { is_cached, result } = await read(id, refresh)
      return [is_cached, result[0].data]
    }
    expect(await counted('blocking')).toEqual([false, [0, 0]])
    expect(await counted('force_blocking')).toEqual([false, [0, 0]])
    expect(await counted('blocking')).toEqual([true, [0, 0]])
    await makeEvents(app, [{ event: 'new' }])
    expect(await counted('force_cache')).toEqual([true, [0, 0]])
    expect(await counted('blocking')).toEqual([false, [0, 1]])
    app.clock.advance(DAY)
    expect(await counted('force_cache')).toEqual([true, [0, 1]])
    expect(await counted('blocking')).toEqual([false, [1, 0]])
    expect(await counted('blocking')).toEqual([true, [1, 0]])
  })

  it('is the same for the same question, for every caller, and another one in another zone', async () => {
    const query = trends({ series: [{ kind: 'EventsNode', event: 'same' }] })
    const [a, b] = [await make({ query }), await make({ query, name: 'Another' })]
    await read(a, 'blocking')
    expect(await read(b, 'blocking')).toMatchObject({ is_cached: true })
    const asked = await app.call('POST', `${BASE}/query/`, { body: { query } })
    expect(asked.json()).toMatchObject({ is_cached: true })
    await app.call('PATCH', '/api/projects/1/', { body: { timezone: 'Asia/Tokyo' } })
    expect(await read(a, 'blocking')).toMatchObject({ is_cached: false, timezone: 'Asia/Tokyo' })
    await app.call('PATCH', '/api/projects/1/', { body: { timezone: 'UTC' } })
  })

  it('is forgotten when a person is deleted, as it may contain their properties', async () => {
    const person = await makePerson(app, { distinctIds: ['gone'], properties: { email: 'gone@example.com' } })
    await makeEvents(app, [{ event: 'left', distinctId: 'gone' }])
    const breakdownFilter = { breakdown: 'email', breakdown_type: 'person' }
    const id = await make({ query: trends({ series: [{ kind: 'EventsNode', event: 'left' }], breakdownFilter }) })
    expect((await read(id, 'blocking')).result[0].breakdown_value).toBe('gone@example.com')
    await app.call('DELETE', `${BASE}/persons/${person.id}/`)
    expect((await read(id)).result).toBeNull()
    expect((await read(id, 'blocking')).result[0].breakdown_value).toBe('$$_posthog_breakdown_null_$$')
  })

  it('is forgotten when events are deleted', async () => {
    const person = await makePerson(app, { distinctIds: ['erased'] })
    await makeEvents(app, [{ event: 'typed', distinctId: 'erased', properties: { text: 'a secret' } }])
    await app.call('DELETE', `${BASE}/persons/${person.id}/`, { query: { delete_events: 'true' } })
    const breakdownFilter = { breakdown: 'text' }
    const dateRange = { date_from: '-30d' }
    const id = await make({
      query: trends({ series: [{ kind: 'EventsNode', event: 'typed' }], breakdownFilter, dateRange }),
    })
    expect((await read(id, 'blocking')).result[0].breakdown_value).toBe('a secret')
    app.clock.set(nextDeletionRun(app.clock.now()))
    await app.runner.runDue()
    expect((await read(id)).result).toBeNull()
    expect((await read(id, 'blocking')).result).toEqual([])
  })

  it('stands in lists as far as it is kept, and not at all in short ones', async () => {
    const id = await make({ query: trends({ series: [{ kind: 'EventsNode', event: 'listed' }] }) })
    const listed = async (query: Record<string, string> = {}) => {
      const answer = await app.call('GET', `${BASE}/insights/`, { query: { limit: '1000', ...query } })
      return answer.json().results.find((item: { id: number }) => item.id === id)
    }
    expect((await listed()).result).toBeNull()
    const shown = await read(id, 'blocking')
    expect((await listed()).result).toEqual(shown.result)
    expect((await listed({ basic: 'true' })).result).toBeNull()
  })

  it.each([
    ['HogQL', { kind: 'HogQLQuery', query: 'select 1' }, 'HogQLQuery'],
    ['paths', { kind: 'PathsQuery', pathsFilter: {} }, 'PathsQuery'],
    ['an action', trends({ series: [{ kind: 'ActionsNode', id: 7 }] }), 'ActionsNode'],
  ])('of %s is refused by name, but the insight can be read', async (_name, query, named) => {
    const id = await make({ query })
    expect((await read(id)).result).toBeNull()
    const answer = await app.call('GET', `${BASE}/insights/${id}/`, { query: { refresh: 'blocking' } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'not_supported', detail: expect.stringContaining(named) })
  })

  it('of an insight without a query is refused, and an unknown refresh value', async () => {
    const id = await make({ filters: { events: [] } })
    const ask = (refresh: string) => app.call('GET', `${BASE}/insights/${id}/`, { query: { refresh } })
    expect((await ask('blocking')).json()).toMatchObject({ attr: 'query', code: 'not_supported' })
    expect((await ask('sometimes')).json()).toMatchObject({ attr: 'refresh', code: 'invalid_choice' })
    expect((await ask('constructor')).statusCode).toBe(400)
  })

  it('takes a key with insight:read and the project’s own', async () => {
    const id = await make({ query: trends() })
    const path = `${BASE}/insights/${id}/?refresh=blocking`
    const status = async (key: string | null) => (await app.call('GET', path, { key })).statusCode
    expect(await status(null)).toBe(401)
    expect(await status(await makeKey(app, { scopes: ['insight:read'] }))).toBe(200)
    expect(await status(await makeKey(app, { scopes: ['query:read'] }))).toBe(403)
    expect(await status((await makeStranger(app)).key)).toBe(403)
    expect((await app.call('GET', `${BASE}/insights/99999/?refresh=blocking`)).statusCode).toBe(404)
  })
})

describe('POST query/ with refresh', () => {
  const ask = (refresh: unknown, event = 'asked') =>
    app.call('POST', `${BASE}/query/`, {
      body: { refresh, query: trends({ series: [{ kind: 'EventsNode', event }] }) },
    })

  it('computes when nothing is cached, unless only cached results were requested', async () => {
    expect((await ask('force_cache')).statusCode).toBe(404)
    expect((await ask(undefined)).json().is_cached).toBe(false)
    expect((await ask('force_cache')).json().is_cached).toBe(true)
    expect((await ask(true)).json().is_cached).toBe(true)
    expect((await ask('force_blocking')).json().is_cached).toBe(false)
    expect((await ask(['x'])).json()).toMatchObject({ attr: 'refresh' })
  })

  it('computes the same question once when it is asked several times at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('blocking', 'crowd')))
    const [first, ...others] = answers.map((answer) => answer.json())
    for (const other of others) expect(other.results).toEqual(first.results)
  })
})

describe('the tiles of a dashboard', () => {
  it('show what is kept, or are computed, each with its own problem, narrowed by the dashboard', async () => {
    await makeEvents(app, [
      { event: 'tiled', properties: { shop: 'a' } },
      { event: 'tiled', properties: { shop: 'b' } },
      { event: 'tiled', timestamp: app.clock.now() - 2 * DAY, properties: { shop: 'a' } },
    ])
    const made = await app.call('POST', `${BASE}/dashboards/`, { body: { name: 'Tiles' } })
    const board = made.json().id
    const query = trends({ series: [{ kind: 'EventsNode', event: 'tiled' }] })
    const good = await make({ query, dashboards: [board] })
    await make({ query: { kind: 'HogQLQuery', query: 'select 1' }, dashboards: [board] })
    const tiles = async (refresh?: string) => {
      const answer = await app.call('GET', `${BASE}/dashboards/${board}/`, refresh ? { query: { refresh } } : {})
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json().tiles
    }
    expect((await tiles()).map((tile: { insight: { result: unknown } }) => tile.insight.result)).toEqual([null, null])
    const [computed, broken] = await tiles('blocking')
    expect(computed).toMatchObject({ error: null, insight: { id: good, result: [{ data: [0, 2] }] } })
    expect(broken).toMatchObject({ error: expect.stringContaining('HogQLQuery'), insight: { result: null } })
    expect((await tiles())[0].insight).toMatchObject({ is_cached: true, result: [{ data: [0, 2] }] })

    const filters = { date_from: '-2d', properties: [{ key: 'shop', value: 'a' }] }
    await app.call('PATCH', `${BASE}/dashboards/${board}/`, { body: { filters } })
    expect((await tiles())[0].insight.result).toBeNull()
    expect((await tiles('blocking'))[0].insight.result[0].data).toEqual([1, 0, 1])
    expect((await read(good)).result[0].data).toEqual([0, 2])
    expect((await app.call('GET', `${BASE}/dashboards/${board}/?refresh=maybe`)).json().attr).toBe('refresh')
  })
})

interface Row {
  data: number[]
  days: string[]
  count: number
  status?: string
  breakdown_value?: string
  aggregated_value?: number
  values?: { count: number }[]
}

describe('the default dashboard on a shop’s data', () => {
  let shop: TestApp
  const tiles = new Map<string, Row[]>()
  const events = makeShop(Date.UTC(2026, 2, 4, 12)).events
  const row = (name: string, place = 0): Row => {
    const found = tiles.get(name)?.[place]
    if (!found) throw new Error(`${name} has no row ${place}.`)
    return found
  }

  beforeAll(async () => {
    shop = await makeApp()
    for (let start = 0; start < events.length; start += 1_000) {
      const batch = events.slice(start, start + 1_000)
      await shop.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
    }
    const answer = await shop.call('GET', '/api/environments/1/dashboards/1/', { query: { refresh: 'blocking' } })
    expect(answer.statusCode, answer.body).toBe(200)
    for (const { insight, error } of answer.json().tiles) {
      expect(error).toBeNull()
      tiles.set(insight.name, insight.result)
    }
  })
  afterAll(() => shop.end())

  it('counts every page of the last 30 days', () => {
    const from = Date.UTC(2026, 1, 2)
    const pages = events.filter(({ event, timestamp }) => event === '$pageview' && Date.parse(timestamp) >= from)
    expect(row('Pageviews').count).toBe(pages.length)
    expect(row('Pageviews').data).toHaveLength(31)
    const onFirst = pages.filter(({ timestamp }) => timestamp.startsWith('2026-02-02'))
    expect(row('Pageviews').data[0]).toBe(onFirst.length)
  })

  it('counts fewer people than ids, as visitors sign in', () => {
    const day = row('Daily active users (DAUs)')
    const ids = (date: string) =>
      new Set(events.filter(({ timestamp }) => timestamp.startsWith(date)).map(({ distinct_id }) => distinct_id)).size
    for (const [place, date] of day.days.entries()) expect(day.data[place]).toBeLessThanOrEqual(ids(date))
    expect(day.data.some((count) => count > 0)).toBe(true)
  })

  it('has the people of each week new, returning or resurrecting, and dormant ones below zero', () => {
    const active = row('Weekly active users (WAUs)')
    const kinds = tiles.get('Growth accounting') ?? []
    expect(kinds.map(({ status }) => status)).toEqual(['new', 'returning', 'resurrecting', 'dormant'])
    for (const [place, date] of row('Growth accounting').days.entries()) {
      const [fresh = 0, returning = 0, resurrecting = 0, dormant = 0] = kinds.map(({ data }) => data[place])
      const week = active.days.indexOf(date)
      expect(fresh + returning + resurrecting, date).toBe(active.data[week])
      expect(dormant + (active.data[week - 1] ?? 0), date).toBe(returning)
    }
  })

  it('has no returning people without a first visit', () => {
    const rows = tiles.get('Retention') ?? []
    expect(rows.map(({ values }) => values?.length)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    for (const { values = [] } of rows) {
      const [begun, ...later] = values.map(({ count }) => count)
      for (const count of later) expect(count).toBeLessThanOrEqual(begun ?? 0)
    }
  })

  it('shows where people came from, most frequent first', () => {
    const rows = tiles.get('Referring domains') ?? []
    const names = rows.map(({ breakdown_value }) => breakdown_value)
    expect(names).toContain('$direct')
    expect(names.at(-1)).toBe('$$_posthog_breakdown_null_$$')
    const values = rows.slice(0, -1).map(({ aggregated_value }) => aggregated_value ?? 0)
    expect(values).toEqual([...values].sort((a, b) => b - a))
  })
})
