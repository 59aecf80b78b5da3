/** Computed insights of each kind, as plain data: used to test charts and messages. */
import type {
  FunnelStep,
  InsightResult,
  LifecycleRow,
  RetentionRow,
  TrendRow,
} from '../../../src/model/insights/insight-result.ts'

type TrendResult = Extract<InsightResult, { kind: 'TrendsQuery' }>

const pad = (value: number): string => String(value).padStart(2, '0')

/** Days of November 2026, from the first. */
const daysOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `2026-11-${pad(at + 1)}`)

export function makeTrendRow(row: Partial<TrendRow> & { name?: string; math?: string } = {}): TrendRow {
  const { name = 'Pageview', math = null, ...given } = row
  const data = given.data ?? [12, 30, 22, 41, 38, 55, 47]
  const days = daysOf(data.length)
  return {
    action: { id: name, type: 'events', order: 0, name, custom_name: null, math, math_property: null },
    label: name,
    count: data.reduce((sum, value) => sum + value, 0),
    data,
    labels: days.map((day) => `${Number(day.slice(8))}-Nov-2026`),
    days,
    ...given,
  }
}

export const makeTrend = (rows: TrendRow[], display = 'ActionsLineGraph', interval = 'day'): TrendResult => ({
  kind: 'TrendsQuery',
  display,
  interval,
  rows,
})

/** A wave that rises: looks like use of a product, and is the same every time. */
export const wave = (count: number, size: number, shift = 0): number[] =>
  Array.from({ length: count }, (_, at) => Math.round(size * (1 + at / count + 0.35 * Math.sin(at * 0.9 + shift))))

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

export function makeLifecycle(): InsightResult {
  const rows = STATUSES.map((status, place): LifecycleRow => {
    const data = wave(8, 40 + place * 20, place).map((value) => (status === 'dormant' ? -value : value))
    return { ...makeTrendRow({ data }), status }
  })
  return { kind: 'LifecycleQuery', interval: 'week', rows }
}

const STEPS = ['Visited the shop', 'Put something into the basket', 'Began to pay', 'Paid']

export function makeSteps(counts: number[], breakdown?: string): FunnelStep[] {
  return counts.map((count, order) => ({
    action_id: STEPS[order] ?? null,
    name: STEPS[order] ?? `Step ${order + 1}`,
    custom_name: null,
    order,
    count,
    type: 'events',
    average_conversion_time: order === 0 ? null : 400 * order,
    median_conversion_time: order === 0 ? null : 192 * order,
    ...(breakdown === undefined ? {} : { breakdown_value: breakdown }),
  }))
}

export const makeFunnel = (
  rows: FunnelStep[] | FunnelStep[][] = makeSteps([12_400, 5_310, 2_004, 1_550]),
): InsightResult => ({
  kind: 'FunnelsQuery',
  rows,
})

export function makeRetention(count = 9, size = 1_200, period = 'Week'): InsightResult {
  const rows = Array.from({ length: count }, (_, row): RetentionRow => {
    const began = size === 0 ? 0 : size + row * 37
    const values = Array.from({ length: count - row }, (__, after) => ({
      count: after === 0 ? began : Math.round((began * (0.52 - 0.02 * row)) / after ** 0.7),
      label: `${period} ${after}`,
    }))
    return {
      label: `${period} ${row}`,
      date: `2026-${pad(6 + Math.floor(row / 4))}-${pad(1 + (row % 4) * 7)}T00:00:00Z`,
      values,
    }
  })
  return { kind: 'RetentionQuery', period, rows }
}

const DOMAINS = [
  '$direct',
  'www.google.com',
  'news.ycombinator.com',
  'a-very-long-domain-name-that-never-seems-to-end.example.co.uk',
]

/** One value for each referring domain. */
export const makeByDomain = (display: string, domains = DOMAINS): TrendResult =>
  makeTrend(
    domains.map((domain, at) =>
      makeTrendRow({
        label: domain,
        breakdown_value: domain,
        data: [],
        aggregated_value: Math.round(18_340 / (at + 1) ** 1.6),
      }),
    ),
    display,
  )

/** One of each kind of picture, by its name. */
export const samples: Record<string, InsightResult> = {
  line: makeTrend([makeTrendRow({ data: wave(30, 140) })]),
  lines: makeTrend(
    [
      makeTrendRow({ data: wave(30, 14_000) }),
      makeTrendRow({ name: 'Signed up', data: wave(30, 6_000, 2) }),
      makeTrendRow({ name: 'Paid', data: wave(30, 2_000, 4) }),
    ].map((row, order) => ({ ...row, action: { ...row.action, order } })),
  ),
  'many-lines': makeTrend(
    Array.from({ length: 14 }, (_, at) =>
      makeTrendRow({
        data: wave(30, 500 - at * 30, at),
        breakdown_value: `Browser ${at + 1}`,
        label: `Browser ${at + 1}`,
      }),
    ),
  ),
  compare: makeTrend([
    makeTrendRow({ data: wave(14, 140), compare: true, compare_label: 'current' }),
    makeTrendRow({ data: wave(14, 110, 1), compare: true, compare_label: 'previous' }),
  ]),
  area: makeTrend([makeTrendRow({ data: wave(12, 14) })], 'ActionsAreaGraph', 'month'),
  bar: makeTrend([makeTrendRow({ data: wave(30, 140) })], 'ActionsBar'),
  'stacked-bar': makeTrend(
    ['Chrome', 'Firefox', 'Safari'].map((name, at) =>
      makeTrendRow({ data: wave(10, 300 - at * 90, at), breakdown_value: name, label: name }),
    ),
    'ActionsBar',
  ),
  'one-day': makeTrend([makeTrendRow({ data: [17] })]),
  lifecycle: makeLifecycle(),
  'bar-value': makeByDomain('ActionsBarValue'),
  pie: makeByDomain('ActionsPie'),
  table: makeByDomain('ActionsTable'),
  number: makeTrend([makeTrendRow({ data: [], count: 0, aggregated_value: 1_234_567 })], 'BoldNumber'),
  'number-compare': makeTrend(
    [
      makeTrendRow({ data: [], aggregated_value: 1_320, compare: true, compare_label: 'current' }),
      makeTrendRow({ data: [], aggregated_value: 1_100, compare: true, compare_label: 'previous' }),
    ],
    'BoldNumber',
  ),
  funnel: makeFunnel(),
  'funnel-split': makeFunnel([makeSteps([900, 400, 120], 'Chrome'), makeSteps([300, 40, 0], 'Firefox')]),
  retention: makeRetention(),
  'retention-long': makeRetention(20, 90, 'Day'),
  empty: makeTrend([makeTrendRow({ data: [0, 0, 0] })]),
}
