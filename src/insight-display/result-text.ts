/**
 * A computed insight as text: names of its rows, whether it is empty, which days it
 * covers, and a small table and a few lines for messages without pictures. Everything that shows a result uses this,
 * so that a chart, a mail and a chat message say the same.
 */
import { sumOf } from '../lib/numbers/sums.ts'
import { dayLabel, duration, fullDay, fullNumber, percent } from '../lib/text/human-format.ts'
import type {
  FunnelStep,
  InsightResult,
  LifecycleRow,
  RetentionRow,
  TrendRow,
} from '../model/insights/insight-result.ts'

export interface ResultTable {
  columns: string[]
  rows: string[][]
  /** How many rows were left out. */
  more: number
}

/** Shown instead of numbers when there are none. */
export const NO_DATA = 'No data in this period'

/** Displays that show one value per row, not one per interval. */
const TIMELESS = new Set(['BoldNumber', 'ActionsBarValue', 'ActionsPie', 'ActionsTable', 'WorldMap'])
const isTimeless = (display: string): boolean => TIMELESS.has(display)

/** PostHog's markers for "no value" and "all other values". */
const BREAKDOWN_WORDS: [string, string][] = [
  ['$$_posthog_breakdown_other_$$', 'Other'],
  ['$$_posthog_breakdown_null_$$', 'None'],
]

const displayName = (text: string): string =>
  BREAKDOWN_WORDS.reduce((name, [marker, word]) => name.replaceAll(marker, word), text)

/** The display name of a breakdown value; an empty one has a name too. */
export const breakdownName = (value: string): string => (value === '' ? 'None' : displayName(value))

export function seriesName(row: Pick<TrendRow, 'action' | 'label' | 'breakdown_value' | 'compare_label'>): string {
  const { custom_name } = row.action
  const value = row.breakdown_value === undefined ? undefined : breakdownName(row.breakdown_value)
  const label = displayName(custom_name ?? row.label)
  const named = value === undefined || label.includes(value) ? label : [label, value].filter(Boolean).join(' - ')
  const name = named === '' ? 'All events' : named
  return row.compare_label === 'previous' ? `${name} (previous)` : name
}

/** The single value of a row for displays without a time axis. */
export const wholeValue = (row: Pick<TrendRow, 'aggregated_value' | 'count'>): number =>
  row.aggregated_value ?? row.count

export const stepName = (step: FunnelStep): string => step.custom_name ?? step.name

/** One list of steps per breakdown value; a funnel without a breakdown has a single list. */
export const funnelGroups = (rows: FunnelStep[] | FunnelStep[][]): FunnelStep[][] =>
  rows.length === 0 ? [] : Array.isArray(rows[0]) ? (rows as FunnelStep[][]) : [rows as FunnelStep[]]

const someCount = (values: number[]): boolean => values.some((value) => value !== 0)

/** Whether there is nothing to show. A BoldNumber is shown even if it is zero: zero is its answer. */
export function isEmptyResult(result: InsightResult): boolean {
  switch (result.kind) {
    case 'TrendsQuery':
      if (result.display === 'BoldNumber') return result.rows.length === 0
      return !result.rows.some((row) => (isTimeless(result.display) ? wholeValue(row) !== 0 : someCount(row.data)))
    case 'LifecycleQuery':
      return !result.rows.some((row) => someCount(row.data))
    case 'FunnelsQuery':
      return !funnelGroups(result.rows).some((steps) => someCount(steps.map((step) => step.count)))
    case 'RetentionQuery':
      return !result.rows.some((row) => someCount(row.values.map((value) => value.count)))
  }
}

/** `1 Nov – 30 Nov 2026`; null if the result has no days. */
export function periodOf(result: InsightResult): string | null {
  const days =
    result.kind === 'RetentionQuery'
      ? result.rows.map((row) => row.date)
      : result.kind === 'FunnelsQuery'
        ? []
        : (result.rows[0]?.days ?? [])
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  const [from, to] = [fullDay(first), fullDay(last)]
  if (from === to) return to
  return `${first.slice(0, 4) === last.slice(0, 4) ? dayLabel(first) : from} – ${to}`
}

/** Whether the values of the intervals may be added: not if they count people or are averages. */
const isAdditive = ({ action }: TrendRow): boolean => [null, 'total', 'sum'].includes(action.math)

/** The label of the last interval, or of an earlier one. */
const latestOf = (rows: { days: string[] }[], interval: string, back = 1): string => {
  const day = rows[0]?.days.at(-back)
  return day === undefined ? 'Latest' : dayLabel(day, interval)
}

/** The last two intervals, as distances from the end: the last one is rarely over, so the one before is shown too. */
const lastTwo = ({ data }: { data: number[] }): number[] => (data.length > 1 ? [2, 1] : [1])

const valueAt = ({ data }: { data: number[] }, back: number): number => data.at(-back) ?? 0

/** Running totals: only the last value is meaningful on its own. */
const isCumulative = (display: string): boolean => display === 'ActionsLineGraphCumulative'

function trendTable(rows: TrendRow[], interval: string, display: string): string[][] {
  if (isCumulative(display)) {
    const cells = rows.map((row) => [seriesName(row), fullNumber(row.data.at(-1) ?? 0)])
    return [['Series', `Until ${latestOf(rows, interval)}`], ...cells]
  }
  const cells = rows.map((row) => [
    seriesName(row),
    isAdditive(row) ? fullNumber(row.count) : '–',
    row.data.length === 0 ? '–' : fullNumber(sumOf(row.data) / row.data.length),
    ...lastTwo(row).map((back) => fullNumber(valueAt(row, back))),
  ])
  const latest = (rows[0] ? lastTwo(rows[0]) : []).map((back) => latestOf(rows, interval, back))
  return [['Series', 'Total', `Average per ${interval}`, ...latest], ...cells]
}

function lifecycleTable(rows: LifecycleRow[], interval: string): string[][] {
  const latest = (rows[0] ? lastTwo(rows[0]) : []).map((back) => latestOf(rows, interval, back))
  const cells = rows.map((row) => [
    row.status,
    fullNumber(sumOf(row.data)),
    ...lastTwo(row).map((back) => fullNumber(valueAt(row, back))),
  ])
  return [['Status', 'Total', ...latest], ...cells]
}

function funnelTable(groups: FunnelStep[][]): string[][] {
  const isSplit = groups.some((steps) => steps[0]?.breakdown_value !== undefined)
  const rows = groups.flatMap((steps) =>
    steps.map((step, index) => [
      ...(isSplit ? [breakdownName(step.breakdown_value ?? '')] : []),
      `${index + 1}. ${stepName(step)}`,
      fullNumber(step.count),
      percent(step.count / (steps[0]?.count ?? 0)),
      step.median_conversion_time === null ? '–' : duration(step.median_conversion_time),
    ]),
  )
  return [[...(isSplit ? ['Group'] : []), 'Step', 'People', 'Of the first', 'Median time'], ...rows]
}

function retentionTable(rows: RetentionRow[]): string[][] {
  const longest = rows.reduce<RetentionRow['values']>(
    (most, { values }) => (values.length > most.length ? values : most),
    [],
  )
  const cells = rows.map(({ date, values }) => {
    const size = values[0]?.count ?? 0
    return [fullDay(date), fullNumber(size), ...values.slice(1).map(({ count }) => percent(count / size))]
  })
  return [['Started', 'People', ...longest.slice(1).map(({ label }) => label)], ...cells]
}

function tableOf(result: InsightResult): string[][] {
  switch (result.kind) {
    case 'TrendsQuery':
      return isTimeless(result.display)
        ? [['Series', 'Value'], ...result.rows.map((row) => [seriesName(row), fullNumber(wholeValue(row))])]
        : trendTable(result.rows, result.interval, result.display)
    case 'LifecycleQuery':
      return lifecycleTable(result.rows, result.interval)
    case 'FunnelsQuery':
      return funnelTable(funnelGroups(result.rows))
    case 'RetentionQuery':
      return retentionTable(result.rows)
  }
}

/** The numbers as a table of at most `limit` rows. */
export function resultTable(result: InsightResult, limit = 12): ResultTable {
  const [columns = [], ...rows] = tableOf(result)
  return { columns, rows: rows.slice(0, limit), more: Math.max(0, rows.length - limit) }
}

const trendLine = (row: TrendRow, interval: string, display: string): string => {
  if (isCumulative(display)) {
    return `${seriesName(row)}: ${fullNumber(row.data.at(-1) ?? 0)} until ${latestOf([row], interval)}`
  }
  const latest = lastTwo(row).map((back) => `${fullNumber(valueAt(row, back))} on ${latestOf([row], interval, back)}`)
  const total = isAdditive(row) ? [`${fullNumber(row.count)} in total`] : []
  return `${seriesName(row)}: ${[...total, ...latest].join(', ')}`
}

const lifecycleLines = (rows: LifecycleRow[], interval: string): string[] =>
  (rows[0] ? lastTwo(rows[0]) : []).map((back) => {
    const counts = rows.map((row) => `${fullNumber(Math.abs(valueAt(row, back)))} ${row.status}`)
    return `${latestOf(rows, interval, back)}: ${counts.join(', ')}`
  })

function funnelLine(steps: FunnelStep[]): string[] {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return []
  const group = first.breakdown_value === undefined ? '' : `${breakdownName(first.breakdown_value)}: `
  const share = percent(last.count / first.count)
  return [
    `${group}${stepName(first)} → ${stepName(last)}: ${share} (${fullNumber(last.count)} of ${fullNumber(first.count)})`,
  ]
}

/** How many people returned after one interval, of all who could have. */
function retentionLines(rows: RetentionRow[]): string[] {
  const seen = rows.filter(({ values }) => values.length > 1)
  const began = sumOf(seen.map(({ values }) => values[0]?.count ?? 0))
  const back = sumOf(seen.map(({ values }) => values[1]?.count ?? 0))
  const label = seen[0]?.values[1]?.label
  return label === undefined
    ? []
    : [`${label}: ${percent(back / began)} came back (${fullNumber(back)} of ${fullNumber(began)})`]
}

function linesOf(result: InsightResult): string[] {
  switch (result.kind) {
    case 'TrendsQuery':
      return isTimeless(result.display)
        ? result.rows.map((row) => `${seriesName(row)}: ${fullNumber(wholeValue(row))}`)
        : result.rows.map((row) => trendLine(row, result.interval, result.display))
    case 'LifecycleQuery':
      return lifecycleLines(result.rows, result.interval)
    case 'FunnelsQuery':
      return funnelGroups(result.rows).flatMap(funnelLine)
    case 'RetentionQuery':
      return retentionLines(result.rows)
  }
}

/** The main numbers, one line each: at most `limit`, and one more with how many are left out. */
export function resultLines(result: InsightResult, limit = 5): string[] {
  if (isEmptyResult(result)) return [NO_DATA]
  const lines = linesOf(result)
  if (lines.length <= limit) return lines
  return [...lines.slice(0, limit), `and ${lines.length - limit} more`]
}
