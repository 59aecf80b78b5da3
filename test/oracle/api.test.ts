/**
 * Insights as clients ask for them, against the oracle: events come by capture, people are merged by `$identify`, split
 * and deleted by the API, and days are those of several zones while clocks change.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/demo/seeded-random.ts'
import { DAY } from '../../src/lib/time/time.ts'
import type { BreakdownValue, Measure } from '../../src/model/insights/insight-question.ts'
import { closenessOf, expectSame } from '../../src/stores/contract/same-answer.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { addDays, firstDayOf, type Interval, lastDayOf, walk } from './calendar.ts'
import { funnelOf } from './funnel.ts'
import { sum } from './interval.ts'
import { BEGIN, LENGTH, NAMES, propertiesOf, visitOf } from './make-world.ts'
import { lifecycleOf, retentionOf } from './presence.ts'
import { SEED, seedText } from './seed.ts'
import { trendOf } from './trend.ts'
import type { World, WorldEvent } from './world.ts'

const BASE = '/api/environments/1'
const [EVENTS, IDS, PORTION] = [12_000, 2_500, 1_000]
const INTERVALS: Interval[] = ['hour', 'day', 'week', 'month']

/** When the generated time begins, and zones whose clocks change in it: at night, at midnight, by half an hour. */
const SEASONS = [
  { begin: BEGIN, zones: ['America/New_York', 'America/Havana', 'America/St_Johns', 'UTC'] },
  { begin: Date.UTC(2026, 2, 12), zones: ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Asia/Beirut'] },
  {
    begin: Date.UTC(2026, 9, 1),
    zones: ['Europe/London', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Auckland'],
  },
]

const random = createRandom(SEED)
const { begin, zones } = random.pick(SEASONS)
const first = random.between(0, zones.length - 1)
/** Two of them in each run. */
const chosen = [0, 1].map((place) => zones[(first + place) % zones.length] as string)
const now = begin + LENGTH + DAY
let app: TestApp
const world: World = { events: [], owners: new Map() }

async function call(method: string, path: string, body?: object) {
  const answer = await app.call(method, path, body ? { body } : {})
  expect(answer.statusCode, `${method} ${path}: ${answer.body.slice(0, 300)}`).toBeLessThan(300)
  return answer.body === '' ? null : answer.json()
}

async function capture(events: WorldEvent[]): Promise<void> {
  const batch = events.map(({ at, event, distinctId: distinct_id, uuid, properties }) => {
    return { event, distinct_id, uuid, properties, timestamp: new Date(at).toISOString() }
  })
  await call('POST', '/batch/', { api_key: PROJECT_TOKEN, batch })
}

const uuidOf = (number: number) => `00000001-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Whole milliseconds, as on the wire; a tenth of all ids never get a person. */
function makeEvents(): WorldEvent[] {
  const events: Omit<WorldEvent, 'uuid'>[] = []
  while (events.length < EVENTS) {
    const number = Math.floor(IDS * random.next() ** 2)
    const isNobody = number % 10 === 0
    for (const { properties, ...event } of visitOf(random, `id ${number}`)) {
      const extra = {
        ...(event.sessionId ? { $session_id: event.sessionId } : {}),
        ...(isNobody ? { $process_person_profile: false } : { $set: propertiesOf(random) }),
      }
      events.push({ ...event, at: Math.floor(event.at - BEGIN + begin), properties: { ...properties, ...extra } })
    }
    if (!isNobody && random.next() < 0.1) {
      const other = Math.floor(IDS * random.next()) + 1
      const properties = { $anon_distinct_id: `id ${other % 10 === 0 ? other + 1 : other}` }
      const at = begin + random.between(0, LENGTH)
      events.push({ event: '$identify', distinctId: `id ${number}`, at, sessionId: null, properties })
    }
  }
  return events.map((event, place) => ({ uuid: uuidOf(place), ...event }))
}

interface ListedPerson {
  id: number
  distinct_ids: string[]
  properties: Record<string, unknown>
  created_at: string
}

async function people(): Promise<ListedPerson[]> {
  const found: ListedPerson[] = []
  for (let offset = 0; ; offset += PORTION) {
    const page = await call('GET', `${BASE}/persons/?limit=${PORTION}&offset=${offset}`)
    found.push(...page.results)
    if (page.next === null) return found
  }
}

async function splitAndDelete(): Promise<void> {
  const several = (await people()).filter(({ distinct_ids }) => distinct_ids.length > 1)
  for (const { id, distinct_ids } of several.filter((_, place) => place % 3 === 0)) {
    await call('POST', `${BASE}/persons/${id}/split/`, { main_distinct_id: distinct_ids[0] })
  }
  for (const { id } of (await people()).filter((_, place) => place % 50 === 0)) {
    await call('DELETE', `${BASE}/persons/${id}/`)
  }
}

/** The final owners are those the API reports: how people are merged is tested elsewhere. */
async function learnOwners(): Promise<void> {
  for (const { id, distinct_ids, properties, created_at } of await people()) {
    const person = { id, properties, createdAt: Date.parse(created_at) }
    for (const distinctId of distinct_ids) world.owners.set(distinctId, person)
  }
}

beforeAll(async () => {
  app = await makeApp({ clock: testClock(now) })
  const events = makeEvents()
  for (let start = 0; start < events.length; start += PORTION) await capture(events.slice(start, start + PORTION))
  await splitAndDelete()
  await learnOwners()
  world.events = events.toSorted((a, b) => a.at - b.at)
})
afterAll(() => app.end())

const run = async (query: object) => (await call('POST', `${BASE}/query/`, { query })).results
const setZone = (timezone: string) => call('PATCH', '/api/projects/1/', { timezone })
const dayOf = (offset: number): string => new Date(begin + offset * DAY).toISOString().slice(0, 10)
const named = (event: string | null) => ({ event, filter: null })

const nameOf = (breakdown: BreakdownValue | null): object => {
  if (!breakdown) return {}
  const text =
    breakdown.kind === 'value'
      ? breakdown.text
      : `$$_posthog_breakdown_${breakdown.kind === 'none' ? 'null' : 'other'}_$$`
  return { breakdown_value: text }
}

interface Asked {
  zone: string
  interval: Interval
  from: string
  to: string
  math: string
  event: string | null
  by: 'event' | 'person' | null
  compare: object | null
}

const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'unique_session',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
]

function ask(zone: string, interval: Interval, math: string): Asked {
  const start = random.between(0, 25)
  const length = interval === 'hour' ? random.between(0, 9) : random.between(0, 30)
  return {
    ...{ zone, interval, math, from: dayOf(start), to: dayOf(start + length) },
    event: random.pick([null, ...NAMES]),
    by: random.pick([null, 'event', 'person']),
    compare: random.pick([null, { compare: true }, { compare: true, compare_to: '-1w' }]),
  }
}

const measureOf = (math: string, interval: Interval): Measure => {
  if (math === 'total') return { kind: 'events' }
  if (math === 'unique_session') return { kind: 'sessions' }
  if (math === 'weekly_active' && interval === 'day') return { kind: 'active_actors', spans: 7 }
  if (math === 'dau' || math === 'weekly_active') return { kind: 'actors' }
  return { kind: math as 'sum', property: 'price' }
}

const LIMIT = 7
const breakdownOf = (of: 'event' | 'person' | null) => (of ? { of, key: 'plan', limit: LIMIT } : null)

/** The rows of one range, as far as numbers go. */
function expectedRows(asked: Asked, [from, to]: [string, string], label: string | null): object[] {
  const { zone, interval, math, event, by } = asked
  const measure = measureOf(math, interval)
  const before = measure.kind === 'active_actors' ? measure.spans - 1 : 0
  const { days, edges } = walk(zone, interval, addDays(firstDayOf(interval, from), -before), to)
  const lines = trendOf(world, { projectId: 1, selector: named(event), measure, edges, breakdown: breakdownOf(by) })
  return lines.map(({ breakdown, values }) => ({
    ...{ data: values, count: sum(values), days: days.slice(before) },
    ...nameOf(breakdown),
    ...(label === null ? {} : { compare: true, compare_label: label }),
  }))
}

/** The range, and the one that it is compared with. */
function rangesOf({ from, to, compare }: Asked): [[string, string], string | null][] {
  if (!compare) return [[[from, to], null]]
  let length = 1
  while (addDays(from, length - 1) !== to) length += 1
  const back = 'compare_to' in compare ? 7 : length
  return [
    [[from, to], 'current'],
    [[addDays(from, -back), addDays(to, -back)], 'previous'],
  ]
}

const trendQuery = ({ interval, from, to, math, event, by, compare }: Asked) => ({
  kind: 'TrendsQuery',
  interval,
  dateRange: { date_from: from, date_to: to },
  series: [
    {
      kind: 'EventsNode',
      event,
      math,
      ...(/^(?:total|dau|weekly|unique)/.test(math) ? {} : { math_property: 'price' }),
    },
  ],
  ...(by ? { breakdownFilter: { breakdown: 'plan', breakdown_type: by, breakdown_limit: LIMIT } } : {}),
  ...(compare ? { compareFilter: compare } : {}),
})

const numbersOf = (rows: Record<string, unknown>[]): object[] =>
  rows.map(({ action: _action, label: _label, labels: _labels, ...numbers }) => numbers)

describe.each(chosen)(`the API answers as the oracle does in %s (${seedText})`, (zone) => {
  beforeAll(() => setZone(zone))

  it.each(INTERVALS)('of trends by the %s', async (interval) => {
    const maths = MATHS.filter((math) => math !== 'weekly_active' || interval !== 'hour')
    for (const math of maths) {
      const asked = ask(zone, interval, math)
      const expected = rangesOf(asked).flatMap(([range, label]) => expectedRows(asked, range, label))
      const query = trendQuery(asked)
      expectSame(numbersOf(await run(query)), expected, query, closenessOf(math))
    }
  })

  it('of one value for the whole range, and of sums that grow', async () => {
    const asked = { ...ask(zone, 'day', 'dau'), compare: null }
    const { edges } = walk(zone, 'day', asked.from, asked.to)
    const question = { projectId: 1, selector: named(asked.event), breakdown: breakdownOf(asked.by) }
    const whole = [edges[0] as number, edges.at(-1) as number]
    const one = trendOf(world, { ...question, measure: { kind: 'actors' }, edges: whole })
    const bold = { ...trendQuery(asked), trendsFilter: { display: 'BoldNumber' } }
    const values = (await run(bold)).map((row: { aggregated_value: number }) => row.aggregated_value)
    expectSame(
      values,
      one.map((line) => line.values[0]),
      bold,
    )
    const first = trendOf(world, { ...question, measure: { kind: 'first_actors' }, edges })
    const growing = { ...trendQuery(asked), trendsFilter: { display: 'ActionsLineGraphCumulative' } }
    const sums = (await run(growing)).map((row: { data: number[] }) => row.data)
    expectSame(
      sums,
      first.map(({ values }) => values.map((_, place) => sum(values.slice(0, place + 1)))),
      growing,
    )
  })

  it('of funnels', async () => {
    for (const by of [null, 'event', 'person'] as const) {
      const { from, to } = ask(zone, 'day', 'total')
      const { edges } = walk(zone, 'day', from, to)
      const steps = NAMES.slice(0, 3)
      const hours = random.pick([1, 24, 240])
      const range = { from: edges[0] as number, to: edges.at(-1) as number }
      const question = { projectId: 1, steps: steps.map(named), ...range, windowMs: hours * 3_600_000 }
      const expected = funnelOf(world, { ...question, breakdown: breakdownOf(by) }).map(({ breakdown, steps }) =>
        steps.map(({ count, averageMs, medianMs }) => ({
          count,
          average_conversion_time: averageMs === null ? null : averageMs / 1_000,
          median_conversion_time: medianMs === null ? null : medianMs / 1_000,
          ...nameOf(breakdown),
        })),
      )
      const query = {
        kind: 'FunnelsQuery',
        dateRange: { date_from: from, date_to: to },
        series: steps.map((event) => ({ kind: 'EventsNode', event })),
        funnelsFilter: { funnelWindowInterval: hours, funnelWindowIntervalUnit: 'hour' },
        ...(by ? { breakdownFilter: { breakdown: 'plan', breakdown_type: by, breakdown_limit: LIMIT } } : {}),
      }
      const rows = (by ? await run(query) : [await run(query)]) as Record<string, unknown>[][]
      const seen = rows.map((list) =>
        list.map(({ action_id: _id, name: _name, custom_name: _custom, order: _order, type: _type, ...rest }) => rest),
      )
      expectSame(seen, expected, query)
    }
  })

  it('of retention', async () => {
    for (const interval of ['day', 'week', 'month'] as const) {
      const [to, total] = [dayOf(random.between(20, 40)), random.between(1, interval === 'day' ? 12 : 4)]
      let first = firstDayOf(interval, to)
      for (let back = 1; back < total; back++) first = firstDayOf(interval, addDays(first, -1))
      const { edges, days } = walk(zone, interval, first, lastDayOf(interval, to))
      const firstTime = random.next() < 0.5
      const counts = retentionOf(world, {
        projectId: 1,
        target: named('view'),
        returning: named(null),
        firstTime,
        edges,
      })
      const query = {
        kind: 'RetentionQuery',
        dateRange: { date_to: to, date_from: '2025-01-01' },
        retentionFilter: {
          period: `${interval.slice(0, 1).toUpperCase()}${interval.slice(1)}`,
          totalIntervals: total,
          targetEntity: { id: 'view' },
          returningEntity: { id: null },
          retentionType: firstTime ? 'retention_first_time' : 'retention_recurring',
        },
      }
      const rows: { date: string; values: { count: number }[] }[] = await run(query)
      expectSame(
        rows.map(({ values }) => values.map(({ count }) => count)),
        counts,
        query,
      )
      expectSame(
        rows.map(({ date }) => date.slice(0, 10)),
        days,
        query,
      )
    }
  })

  it.each(INTERVALS)('of lifecycles by the %s', async (interval) => {
    const { from, to, event } = ask(zone, interval, 'total')
    const start = firstDayOf(interval, from)
    const own = walk(zone, interval, from, to)
    const before = walk(zone, interval, addDays(start, -1), addDays(start, -1))
    const edges = [before.edges.at(-2) as number, ...own.edges]
    const { fresh, returning, resurrecting, dormant } = lifecycleOf(world, {
      projectId: 1,
      selector: named(event),
      edges,
    })
    const gone = dormant.map((count) => (count === 0 ? 0 : -count))
    const query = { kind: 'LifecycleQuery', interval, dateRange: { date_from: from, date_to: to }, series: [{ event }] }
    const rows: { status: string; data: number[]; days: string[] }[] = await run(query)
    const expected = Object.entries({ new: fresh, returning, resurrecting, dormant: gone })
    expectSame(
      rows.map(({ status, data, days }) => ({ status, data, days })),
      expected.map(([status, data]) => ({ status, data, days: own.days })),
      query,
    )
  })
})
