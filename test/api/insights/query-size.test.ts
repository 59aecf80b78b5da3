/** Queries whose factors are allowed and whose product is not: refused at once, with what to reduce. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { questionKey } from '../../../src/features/insights/compute/question-key.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
  await makeEvents(
    app,
    Array.from({ length: 30 }, (_, n) => ({ event: `e${n % 3}`, properties: { plan: `plan ${n}` } })),
  )
})
afterAll(() => app.end())

const BASE = '/api/environments/1'
const series = (count: number) => Array.from({ length: count }, (_, n) => ({ kind: 'EventsNode', event: `e${n}` }))
/** This many hours up to the present one. */
const hours = (count: number) => ({ date_from: `-${count - 1}h` })
const by = (limit: number) => ({ breakdown: 'plan', breakdown_limit: limit })

const trend = (fields: object) => ({ kind: 'TrendsQuery', interval: 'hour', series: series(1), ...fields })
const huge = trend({ series: series(26), dateRange: hours(4_990), breakdownFilter: by(500) })

const run = (query: object) => app.call('POST', `${BASE}/query/`, { body: { query } })

/** How often the offset of a time zone was read, which walking a range does for each interval. */
async function offsetsAsked(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  try {
    await work()
    return spy.mock.calls.length
  } finally {
    spy.mockRestore()
  }
}

describe('a trend of more than 200,000 cells', () => {
  it('is refused with its factors and what to reduce', async () => {
    const answer = await run(huge)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      attr: 'query',
      detail:
        'This asks for 64,870,000 cells (26 series × 500 breakdown values × 4,990 intervals); at most 200,000 are computed. Ask for fewer series, a lower breakdown_limit, a longer interval or a shorter date range.',
    })
  })

  it('is refused before the range is walked and anything is read', async () => {
    const read = vi.spyOn(app.stores.events, 'trend')
    expect(await offsetsAsked(() => run(huge))).toBeLessThan(10)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  it('is walked once for all its series', async () => {
    const ask = (count: number) => offsetsAsked(() => run(trend({ series: series(count), dateRange: hours(1_000) })))
    expect(await ask(1)).toBeGreaterThan(1_000)
    expect(await ask(26)).toBe(await ask(1))
  })

  it('has its bound where the product is, whatever the factors are', async () => {
    const status = async (fields: object) => (await run(trend(fields))).statusCode
    expect(await status({ dateRange: hours(400), breakdownFilter: by(500) })).toBe(200)
    expect(await status({ dateRange: hours(401), breakdownFilter: by(500) })).toBe(400)
    expect(await status({ series: series(4), dateRange: hours(100), breakdownFilter: by(500) })).toBe(200)
    expect(await status({ series: series(26), dateRange: hours(4_990) })).toBe(200)
    expect(await status({ dateRange: hours(4_990), breakdownFilter: by(41) })).toBe(400)
  })

  it('counts the range that is compared, and says so', async () => {
    const compared = trend({
      series: series(2),
      dateRange: hours(200),
      breakdownFilter: by(500),
      compareFilter: { compare: true },
    })
    const answer = await run({ kind: 'InsightVizNode', source: compared })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().attr).toBe('query__source')
    expect(answer.json().detail).toContain('2 series × 500 breakdown values × 200 intervals × 2 ranges')
    expect(answer.json().detail).toContain('no comparison')
    expect((await run({ ...compared, dateRange: hours(100) })).statusCode).toBe(200)
  })

  it('is one of one value for each row where time is not shown', async () => {
    const display = { trendsFilter: { display: 'ActionsBarValue' }, breakdownFilter: by(500) }
    expect((await run(trend({ series: series(26), dateRange: hours(4_990), ...display }))).statusCode).toBe(200)
  })
})

describe('a range of more intervals than are computed', () => {
  it.each([
    ['hours of a year', { dateRange: { date_from: '-1y' } }],
    ['hours of all of time', { dateRange: { date_from: '0001-01-01', date_to: '9999-12-31' } }],
    ['days of all of time', { interval: 'day', dateRange: { date_from: '0001-01-01', date_to: '9999-12-31' } }],
    ['months of all of time', { interval: 'month', dateRange: { date_from: '0001-01-01', date_to: '9999-12-31' } }],
    ['hours of all of time in front', { compareFilter: { compare: true }, dateRange: { date_from: '-9999y' } }],
  ])('%s', async (_name, fields) => {
    const asked = await offsetsAsked(async () => {
      const answer = await run(trend({ series: series(26), ...fields }))
      expect(answer.statusCode).toBe(400)
      expect(answer.json().detail).toMatch(/^The range has [\d,]+ intervals; at most 5,000 are computed\. /)
    })
    expect(asked).toBeLessThan(10)
  })

  it('is none for a funnel, which has no intervals', async () => {
    const dateRange = { date_from: '0001-01-01', date_to: '9999-12-31' }
    const answer = await run({ kind: 'FunnelsQuery', series: series(2), dateRange })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().results[0].count).toBe(1)
  })
})

describe('every other way to such a question', () => {
  const make = async (path: string, body: object) => {
    const answer = await app.call('POST', `${BASE}/${path}/`, { body })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }

  it('a saved insight and its chart: 400 in the one error body', async () => {
    const { id } = await make('insights', { query: huge })
    for (const path of ['?refresh=blocking', 'chart.svg', 'chart.png'].map((end) => `insights/${id}/${end}`)) {
      const answer = await app.call('GET', `${BASE}/${path}`)
      expect([path, answer.statusCode]).toEqual([path, 400])
      expect(answer.json().detail).toContain('64,870,000 cells')
    }
  })

  it('a dashboard that makes its tiles too large says so at each of them', async () => {
    const breakdown_filter = by(500)
    const dashboard = await make('dashboards', { filters: { breakdown_filter, date_from: '-30d' } })
    await make('insights', { query: trend({}), dashboards: [dashboard.id] })
    await make('insights', { query: trend({ interval: 'day' }), dashboards: [dashboard.id] })
    const answer = await app.call('GET', `${BASE}/dashboards/${dashboard.id}/?refresh=blocking`)
    expect(answer.statusCode).toBe(200)
    const [large, small] = answer.json().tiles
    expect(large.error).toContain('at most 200,000 are computed')
    expect([small.error, small.insight.result.length]).toEqual([null, 10])
    const chart = await app.call('GET', `${BASE}/dashboards/${dashboard.id}/chart.png`)
    expect(chart.statusCode).toBe(200)
  })

  it('a dashboard computes tiles until its answer is full, and names those it left out', async () => {
    const dashboard = await make('dashboards', {})
    for (let n = 0; n < 5; n++) {
      const query = trend({ series: series(25), dateRange: hours(4_990 + n) })
      await make('insights', { query, dashboards: [dashboard.id] })
    }
    const tiles = async (refresh: string) =>
      (await app.call('GET', `${BASE}/dashboards/${dashboard.id}/?refresh=${refresh}`)).json().tiles
    const computed = await tiles('force_blocking')
    expect(computed.map(({ insight }: { insight: { result: unknown } }) => insight.result !== null)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(computed[4].error).toMatch(/^Other tiles have [\d,]+ cells already/)
  })

  it('a list shows kept results until it is full', async () => {
    const project = await app.stores.projects.find(1)
    if (!project) throw new Error('The project is missing.')
    const rows = [{ label: 'Day 0', date: '', values: new Array(4_000).fill({ count: 1, label: '' }) }]
    const result = { kind: 'RetentionQuery' as const, period: 'Day', rows }
    const erasures = await app.stores.insightCache.erasures(1)
    for (let n = 0; n < 120; n++) {
      const query = { kind: 'RetentionQuery', retentionFilter: { n } }
      await make('insights', { query, name: 'kept' })
      const kept = { projectId: 1, key: questionKey(project, query), state: '', result, computedAt: app.clock.now() }
      await app.stores.transaction((tx) => tx.insightCache.save(kept, erasures))
    }
    const listed = (await app.call('GET', `${BASE}/insights/?limit=1000&search=kept`)).json().results
    const shown = listed.filter((item: { result: unknown }) => item.result !== null)
    expect([listed.length, shown.length]).toEqual([120, 100])
  })
})
