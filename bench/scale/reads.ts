/** Questions to the store, and hand-written SQL for each that has the same answer: same servers, same columns. */
import { rounded } from '../../src/lib/numbers/sums.ts'
import { DAY } from '../../src/lib/time/time.ts'
import type { TrendQuestion } from '../../src/model/insights/insight-question.ts'
import { ACTOR, eventsWithOwners } from '../../src/stores/clickhouse/actors/owners.ts'
import { valueColumn } from '../../src/stores/clickhouse/properties/property-columns.ts'
import { DAYS, PROJECT, type ScaleWorld, startOfDays } from './world.ts'

export interface ScaleRead {
  ours(world: ScaleWorld): Promise<unknown>
  bare(world: ScaleWorld): Promise<unknown>
}

const MICROS = 1_000
const WINDOW = 7 * DAY

const named = (event: string) => ({ event, filter: null })
const edges = (): number[] => Array.from({ length: DAYS + 1 }, (_, n) => startOfDays() + n * DAY)

/** SQL of the events of all days. */
const during = (): string => {
  const [from, to] = [startOfDays(), startOfDays() + DAYS * DAY]
  return `project_id = ${PROJECT} AND day >= ${from / DAY} AND day < ${to / DAY}
    AND ts >= ${from * MICROS} AND ts < ${to * MICROS}`
}
const place = (): string => `intDiv(ts - ${startOfDays() * MICROS}, ${DAY * MICROS})`

const filled = (cells: Map<number, number>): number[] => Array.from({ length: DAYS }, (_, n) => cells.get(n) ?? 0)

const pageviews = ({ store }: ScaleWorld, breakdown: TrendQuestion['breakdown']) =>
  store.trend({
    projectId: PROJECT,
    selector: named('$pageview'),
    measure: { kind: 'events' },
    edges: edges(),
    breakdown,
  })

export const trendRead: ScaleRead = {
  ours: (world) => pageviews(world, null),
  async bare({ parts }) {
    const rows = await parts.servers.rows(
      `SELECT ${place()} AS bucket, count() FROM events WHERE ${during()} AND event = '$pageview' GROUP BY bucket`,
    )
    const cells = new Map(rows.map(([bucket, count]) => [Number(bucket), Number(count)]))
    return [{ breakdown: null, values: filled(cells) }]
  },
}

export const breakdownRead: ScaleRead = {
  ours: (world) => pageviews(world, { of: 'event', key: 'plan', limit: 25 }),
  async bare({ parts }) {
    const rows =
      await parts.servers.rows(`SELECT substring(${valueColumn('plan')}, 2) AS plan, ${place()} AS bucket, count()
      FROM events WHERE ${during()} AND event = '$pageview' GROUP BY plan, bucket`)
    const lines = new Map<string, Map<number, number>>()
    for (const [plan, bucket, count] of rows as [string, string, string][]) {
      const cells = lines.get(plan) ?? new Map<number, number>()
      lines.set(plan, cells.set(Number(bucket), Number(count)))
    }
    const total = (cells: Map<number, number>) => [...cells.values()].reduce((sum, count) => sum + count, 0)
    return [...lines]
      .toSorted(([a, one], [b, other]) => total(other) - total(one) || (a < b ? -1 : 1))
      .map(([text, cells]) => ({ breakdown: { kind: 'value', text }, values: filled(cells) }))
  },
}

const STEPS = ['$pageview', 'signed_up', 'paid']

/** SQL of the sorted times of a step's events. */
const timesOf = (step: number): string => `arraySort(groupArrayIf(ts, event = '${STEPS[step]}'))`

/** Each first step is an attempt; the earliest of those that get furthest counts. */
function funnelSql(): string {
  const actors = `SELECT ${ACTOR} AS who, ${timesOf(0)} AS one, ${timesOf(1)} AS two, ${timesOf(2)} AS three
    FROM ${eventsWithOwners(PROJECT)} WHERE ${during()} AND event IN (${STEPS.map((step) => `'${step}'`).join(', ')})
    GROUP BY who HAVING notEmpty(one)`
  const end = `t + ${WINDOW * MICROS}`
  // The oldest server takes what is used in a function over a list only for not needed.
  const second = `SELECT one, three, arrayFilter(x -> x.2 > 0,
      arrayMap(t -> (t, arrayFirst(x -> x > t AND x <= ${end}, two)), one)) AS pairs FROM (${actors}) WHERE length(two) >= 0`
  const third = `SELECT pairs, arrayFilter(x -> x.3 > 0, arrayMap(p -> (p.1, p.2,
      arrayFirst(x -> x > p.2 AND x <= p.1 + ${WINDOW * MICROS}, three)), pairs)) AS triples FROM (${second}) WHERE length(three) >= 0`
  const best = `SELECT notEmpty(pairs) AS got_second, notEmpty(triples) AS got_third,
      if(got_third, triples[1].2 - triples[1].1, pairs[1].2 - pairs[1].1) AS first_time,
      triples[1].3 - triples[1].2 AS second_time FROM (${third})`
  const figures = (time: string, came: string) =>
    `countIf(${came}), sumIf(${time}, ${came}), quantileExactIf(0.5)(${time}, ${came}), quantileExactIf(0.5)(-(${time}), ${came})`
  return `SELECT count(), ${figures('first_time', 'got_second')}, ${figures('second_time', 'got_third')} FROM (${best})`
}

export const funnelRead: ScaleRead = {
  ours: ({ store }) =>
    store.funnel({
      projectId: PROJECT,
      steps: STEPS.map(named),
      from: startOfDays(),
      to: startOfDays() + DAYS * DAY,
      windowMs: WINDOW,
      breakdown: null,
    }),
  async bare({ parts }) {
    const [row = []] = await parts.servers.rows(funnelSql())
    const [count = 0, ...figures] = row.map(Number)
    const steps = [0, 4].map((from) => {
      const [came = 0, sum = 0, upper = 0, lower = 0] = figures.slice(from, from + 4)
      return { count: came, averageMs: rounded(sum / came / MICROS), medianMs: (upper - lower) / 2 / MICROS }
    })
    return [{ breakdown: null, steps: [{ count, averageMs: null, medianMs: null }, ...steps] }]
  },
}
