/** Insights, computed at each request, and hand-written SQL for the same numbers. */
import { DAY } from '../../src/lib/time/time.ts'
import { type Bare, LINEAR, personProperty, property, type Read, type Scene, startOfDay, wholeDays } from './read.ts'
import { STEPS } from './world.ts'

const EVENT = STEPS[0]
const node = (event: string, more: object = {}) => ({ kind: 'EventsNode', event, ...more })

/** Events with their actors; no id has moved since they were captured. */
const acted = (columns: string, where: string): string =>
  `SELECT actor, ${columns} FROM events WHERE project_id = 1 AND ${where}`
const ACTORS = 'count(DISTINCT actor)'

const between = (from: number, to: number): string => `ts >= ${from} AND ts < ${to}`
const dayOf = (from: number): string => `floor((ts - ${from}) / ${DAY})::INTEGER`

/** Of each day, in order. */
function perDay(rows: unknown[][], days: number): number[] {
  const values = new Array<number>(days).fill(0)
  for (const [day, value] of rows as [number, number][]) if (day >= 0) values[day] = value
  return values
}

interface Trend {
  results: { data: number[]; breakdown_value?: string }[]
}

interface TrendParts {
  days?: number
  math?: object
  query?: object
  bare: (bare: Bare, range: { from: number; to: number; days: number }) => Promise<unknown>
  overBare: number
  answer?: (trend: Trend) => unknown
}

const DEFAULT_DAYS = 30
const firstLine = ({ results }: Trend) => results[0]?.data
const byValue = ({ results }: Trend) =>
  Object.fromEntries(results.map(({ breakdown_value, data }) => [breakdown_value, data]))

const trend = (
  name: string,
  { days = DEFAULT_DAYS, math = {}, query = {}, bare, overBare, answer = firstLine }: TrendParts,
): Read => ({
  name: `trend ${name}, ${days} days`,
  request: (scene) => {
    const { dateRange } = wholeDays(scene, days)
    const series = [node(EVENT, math)]
    return { path: 'query/', body: body({ kind: 'TrendsQuery', interval: 'day', dateRange, series, ...query }) }
  },
  answer,
  bare: (stores, scene) => bare(stores, { ...wholeDays(scene, days), days }),
  overBare,
  growth: LINEAR,
})

const body = (query: object) => ({ refresh: 'force_blocking', query })

const counted =
  (value: string, where = 'true'): TrendParts['bare'] =>
  async (bare, { from, to, days }) =>
    perDay(
      await bare.events(`SELECT ${dayOf(from)} AS day, ${value} FROM events
      WHERE project_id = 1 AND event = '${EVENT}' AND ${between(from, to)} AND ${where} GROUP BY day`),
      days,
    )

/** Actors of each day and of the days before it, `spans` in total. */
const active =
  (spans: number): TrendParts['bare'] =>
  async (bare, { from, to, days }) => {
    const since = from - (spans - 1) * DAY
    const events = acted(`${dayOf(from)} AS day`, `event = '${EVENT}' AND ${between(since, to)}`)
    const rows = await bare.events(`SELECT shown, ${ACTORS} FROM (
      SELECT DISTINCT actor, unnest(range(greatest(day, 0), least(day + ${spans}, ${days}))) AS shown
      FROM (SELECT DISTINCT actor, day FROM (${events}))) GROUP BY shown`)
    return perDay(rows, days)
  }

async function valuesPerDay(bare: Bare, sql: string, days: number): Promise<Record<string, number[]>> {
  const values: Record<string, number[]> = {}
  for (const [value, day, count] of (await bare.events(sql)) as [string, number, number][]) {
    values[value] ??= new Array<number>(days).fill(0)
    ;(values[value] as number[])[day] = count
  }
  return values
}

/** Values beyond the limit are one line, `$$_posthog_breakdown_other_$$`; each is counted by its events. */
const broken =
  (key: string, limit: number): TrendParts['bare'] =>
  (bare, { from, to, days }) =>
    valuesPerDay(
      bare,
      `WITH cell AS MATERIALIZED (SELECT ${property(key)} AS value, ${dayOf(from)} AS day, count(*) AS n FROM events
        WHERE project_id = 1 AND event = '${EVENT}' AND ${between(from, to)} GROUP BY ALL),
      best AS (SELECT value FROM cell GROUP BY value ORDER BY sum(n) DESC, value LIMIT ${limit})
    SELECT coalesce(best.value, '$$_posthog_breakdown_other_$$') AS slot, day, sum(n)
      FROM cell LEFT JOIN best USING (value) GROUP BY slot, day`,
      days,
    )

const breakdown = (key: string, type: 'event' | 'person', limit = 25) => ({
  breakdownFilter: { breakdown: key, breakdown_type: type, breakdown_limit: limit },
})

const filterOf = (key: string, value: string, type: 'event' | 'person') => ({
  properties: [{ key, value, operator: 'exact', type }],
})

const ofPeople = (columns: string, from: number, to: number, where = 'true'): string =>
  `SELECT ${columns}, ${dayOf(from)} AS day, count(*) AS n FROM events
    JOIN persons ON person_id = actor
    WHERE events.project_id = 1 AND event = '${EVENT}' AND ${between(from, to)} AND ${where} GROUP BY ALL`

const PLAN = personProperty('plan')

const trends: Read[] = [
  trend('total', { bare: counted('count(*)'), overBare: 1.3 }),
  trend('of daily actives', {
    math: { math: 'dau' },
    bare: async (bare, { from, to, days }) =>
      perDay(
        await bare.events(`SELECT day, ${ACTORS}
          FROM (${acted(`${dayOf(from)} AS day`, `event = '${EVENT}' AND ${between(from, to)}`)}) GROUP BY day`),
        days,
      ),
    overBare: 2,
  }),
  trend('of weekly actives', { math: { math: 'weekly_active' }, bare: active(7), overBare: 2 }),
  trend('of monthly actives', { math: { math: 'monthly_active' }, bare: active(30), overBare: 2 }),
  ...[30, 90].flatMap((days) => [
    trend('sum of a property', {
      days,
      math: { math: 'sum', math_property: 'amount' },
      bare: counted(`sum(${property('amount')}::DOUBLE)`),
      overBare: 2,
    }),
    trend('by 4 values', {
      days,
      query: breakdown('$browser', 'event'),
      bare: broken('$browser', 25),
      answer: byValue,
      overBare: 2,
    }),
  ]),
  trend('by 5,000 values', {
    query: breakdown('$current_url', 'event'),
    bare: broken('$current_url', 25),
    answer: byValue,
    overBare: 2,
  }),
  trend('of daily actives by 4 values', {
    math: { math: 'dau' },
    query: breakdown('$browser', 'event'),
    bare: (bare, { from, to, days }) =>
      valuesPerDay(
        bare,
        `SELECT value, day, ${ACTORS} FROM (${acted(
          `${property('$browser')} AS value, ${dayOf(from)} AS day`,
          `event = '${EVENT}' AND ${between(from, to)}`,
        )}) GROUP BY value, day`,
        days,
      ),
    answer: byValue,
    overBare: 2,
  }),
  trend('by a property of people', {
    query: breakdown('plan', 'person'),
    bare: (bare, { from, to, days }) =>
      valuesPerDay(
        bare,
        `SELECT value, day, n FROM (${ofPeople(`${PLAN} AS value`, from, to)})
          UNION ALL SELECT '$$_posthog_breakdown_null_$$', ${dayOf(from)} AS day, count(*) FROM events
          WHERE project_id = 1 AND event = '${EVENT}' AND ${between(from, to)}
            AND actor < 0 GROUP BY day`,
        days,
      ),
    answer: byValue,
    overBare: 2,
  }),
  trend('with a filter of people', {
    query: filterOf('plan', 'team', 'person'),
    bare: async (bare, { from, to, days }) =>
      perDay(await bare.events(`SELECT day, n FROM (${ofPeople('1', from, to, `${PLAN} = 'team'`)})`), days),
    overBare: 2,
  }),
  trend('with a filter of events', {
    query: filterOf('$browser', 'Safari', 'event'),
    bare: counted('count(*)', `${property('$browser')} = 'Safari'`),
    overBare: 2,
  }),
]

const WINDOW_DAYS = 14

/** For each step the latest beginning that leads to it: an actor came so far when one of its events has one. */
function funnelSql(steps: readonly string[], from: number, to: number): string {
  const names = steps.map((name) => `'${name}'`).join(', ')
  let rows = `SELECT actor, ts, seq, ord, event, CASE event WHEN '${steps[0]}' THEN ts END AS begun0 FROM events
    WHERE project_id = 1 AND event IN (${names}) AND ${between(from, to)}`
  for (const [place, name] of steps.entries()) {
    if (place === 0) continue
    rows =
      `SELECT *, CASE WHEN event = '${name}' AND ts - before <= ${WINDOW_DAYS * DAY} THEN before END AS begun${place}
      FROM (SELECT *, max(begun${place - 1}) OVER (PARTITION BY actor ORDER BY ts, seq, ord
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (${rows}))`.replaceAll(
        'before',
        `before${place}`,
      )
  }
  const counts = steps.map((_, place) => `count(DISTINCT CASE WHEN begun${place} IS NOT NULL THEN actor END)`)
  return `SELECT ${counts.join(', ')} FROM (${rows})`
}

const funnel = (steps: readonly string[]): Read => ({
  name: `funnel of ${steps.length} steps, 30 days`,
  request: (scene) => {
    const { dateRange } = wholeDays(scene, DEFAULT_DAYS)
    return { path: 'query/', body: body({ kind: 'FunnelsQuery', dateRange, series: steps.map((step) => node(step)) }) }
  },
  answer: ({ results }: { results: { count: number }[] }) => results.map(({ count }) => count),
  bare: async (bare, scene) => {
    const { from, to } = wholeDays(scene, DEFAULT_DAYS)
    return (await bare.events(funnelSql(steps, from, to)))[0]
  },
  overBare: 2,
  growth: LINEAR,
})

const WEEKS = 8
const WEEK = 7 * DAY
/** 1970-01-04 was a Sunday, on which weeks begin. */
const FIRST_SUNDAY = 3 * DAY

function weeks({ now }: Scene): { from: number; to: number } {
  const to = Math.floor((startOfDay(now) - DAY - FIRST_SUNDAY) / WEEK) * WEEK + FIRST_SUNDAY + WEEK
  return { from: to - WEEKS * WEEK, to }
}

const retention: Read = {
  name: `retention, ${WEEKS} weeks`,
  request: (scene) => {
    const entity = { id: EVENT, type: 'events' }
    const retentionFilter = {
      period: 'Week',
      totalIntervals: WEEKS,
      targetEntity: entity,
      returningEntity: entity,
      retentionType: 'retention_recurring',
    }
    const { dateRange } = wholeDays(scene, DEFAULT_DAYS)
    return { path: 'query/', body: body({ kind: 'RetentionQuery', dateRange, retentionFilter }) }
  },
  answer: ({ results }: { results: { values: { count: number }[] }[] }) =>
    results.map(({ values }) => values.map(({ count }) => count)),
  bare: async (bare, scene) => {
    const { from, to } = weeks(scene)
    const rows = (await bare.events(`WITH seen AS MATERIALIZED (
        SELECT DISTINCT actor, floor((ts - ${from}) / ${WEEK})::INTEGER AS week FROM events
        WHERE project_id = 1 AND event = '${EVENT}' AND ${between(from, to)})
      SELECT first.week, later.week - first.week, count(*) FROM seen AS first JOIN seen AS later USING (actor)
      WHERE later.week >= first.week GROUP BY ALL`)) as [number, number, number][]
    const counts = Array.from({ length: WEEKS }, (_, week) => new Array<number>(WEEKS - week).fill(0))
    for (const [week, later, count] of rows) (counts[week] as number[])[later] = count
    return counts
  },
  overBare: 2,
  growth: LINEAR,
}

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

const lifecycle: Read = {
  name: 'lifecycle, 30 days',
  request: (scene) => {
    const { dateRange } = wholeDays(scene, DEFAULT_DAYS)
    return { path: 'query/', body: body({ kind: 'LifecycleQuery', interval: 'day', dateRange, series: [node(EVENT)] }) }
  },
  answer: ({ results }: { results: { status: string; data: number[] }[] }) =>
    Object.fromEntries(results.map(({ status, data }) => [status, data.map(Math.abs)])),
  bare: async (bare, scene) => {
    const { from, to } = wholeDays(scene, DEFAULT_DAYS)
    const before = from - DAY
    const day = (instant: string) => `floor((${instant} - ${from}) / ${DAY})::INTEGER`
    const rows = (await bare.events(`WITH seen AS MATERIALIZED (
        SELECT actor, ${day('ts')} AS day, min(ts) AS at FROM events
        WHERE project_id = 1 AND event = '${EVENT}' AND ${between(before, to)} GROUP BY ALL),
      first AS (SELECT id_hash AS actor, min(ts) AS at FROM events
        WHERE project_id = 1 AND id_hash IN (SELECT actor FROM seen WHERE actor < 0) GROUP BY ALL),
      step AS (SELECT day, lag(day) OVER days AS earlier, lead(day) OVER days AS later,
          ${day('least(coalesce(persons.created_at, first.at), min(seen.at) OVER (PARTITION BY actor))')} AS born
        FROM seen LEFT JOIN persons ON person_id = actor LEFT JOIN first USING (actor)
        WINDOW days AS (PARTITION BY actor ORDER BY day))
      SELECT CASE WHEN born = day THEN 'new' WHEN earlier = day - 1 THEN 'returning' ELSE 'resurrecting' END AS status,
        day, count(*) FROM step WHERE day >= 0 GROUP BY ALL
      UNION ALL SELECT 'dormant', day + 1, count(*) FROM step
        WHERE later IS DISTINCT FROM day + 1 AND day + 1 < ${DEFAULT_DAYS} GROUP BY ALL`)) as [string, number, number][]
    const answer = Object.fromEntries(STATUSES.map((status) => [status, new Array<number>(DEFAULT_DAYS).fill(0)]))
    for (const [status, at, count] of rows) (answer[status] as number[])[at] = count
    return answer
  },
  overBare: 2,
  growth: LINEAR,
}

const dashboard: Read = {
  name: 'dashboards/{id}/, computed anew',
  request: () => ({ path: 'dashboards/1/?refresh=force_blocking' }),
  answer: ({ tiles }: { tiles: unknown[] }) => tiles.length,
  bare: null,
  overBare: null,
  growth: LINEAR,
}

export const insightReads: Read[] = [
  ...trends,
  funnel([EVENT, STEPS[1], STEPS[4]]),
  funnel(STEPS),
  retention,
  lifecycle,
  dashboard,
]
