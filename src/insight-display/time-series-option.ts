/**
 * Trends and lifecycles over time, as an option of echarts and the entries of a legend: lines, areas, bars next to each
 * other or stacked. The first rows have their own colour and a legend entry; further rows are drawn in grey, so that
 * nothing is missing from a stack. Fonts, sizes, and what moves or answers a pointer are added where it is drawn.
 */
import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import { dayLabel, shortNumber } from '../lib/text/human-format.ts'
import type { LifecycleRow, TrendRow } from '../model/insights/insight-result.ts'
import { seriesName } from './result-text.ts'
import { type LegendEntry, mix, type Theme } from './theme.ts'

const PALE = 0.55
const AXIS_FONT = 12
const BARS = new Set(['ActionsBar', 'ActionsStackedBar', 'ActionsUnstackedBar'])
const STACKS = new Set(['ActionsBar', 'ActionsStackedBar', 'ActionsAreaGraph'])

interface Series {
  name: string
  colour: string
  data: number[]
  /** Of the previous period: drawn paler. */
  isPrevious: boolean
}

interface Shape {
  days: string[]
  isLine: boolean
  isStacked: boolean
  isFilled: boolean
}

export interface TimeSeriesLook {
  interval: string
  theme: Theme
  /** The last interval is not over: it is drawn as incomplete. */
  isLastOpen: boolean
}

type Look = Shape & TimeSeriesLook

/** Ids are different, also where two rows have the same name. */
type DrawnSeries = (LineSeriesOption | BarSeriesOption) & { id: string; name: string }

/** A period and the previous one share a colour. */
const keyOf = (row: TrendRow): string => JSON.stringify([row.action.order, row.breakdown_value ?? null])

function colourOf(rows: TrendRow[], theme: Theme): (row: TrendRow) => string {
  const keys = [...new Set(rows.map(keyOf))]
  return (row) => theme.series[keys.indexOf(keyOf(row))] ?? theme.rest
}

/** Empty for a single series: the title says the same. */
function legendOf(series: Series[], theme: Theme): LegendEntry[] {
  const shown = series.filter(({ colour, isPrevious }) => colour !== theme.rest && !isPrevious)
  const previous = series.find(({ isPrevious }) => isPrevious)
  const beyond = series.filter(({ colour }) => colour === theme.rest).length
  const entries = [
    ...shown.map(({ name, colour }) => ({ name, colour })),
    ...(previous === undefined
      ? []
      : [{ name: 'Previous period', colour: mix(previous.colour, theme.ground, 1 - PALE) }]),
    ...(beyond > 0 ? [{ name: `${beyond} more`, colour: theme.rest }] : []),
  ]
  return entries.length < 2 ? [] : entries
}

/** The bar of an incomplete interval is paler. */
function barOption({ name, colour, data, isPrevious }: Series, id: string, { isLastOpen }: Look): DrawnSeries {
  const opacity = isPrevious ? PALE : 1
  const growing = { itemStyle: { color: colour, opacity: PALE } }
  const bars = data.map((value, at) => (isLastOpen && at === data.length - 1 ? { value, ...growing } : value))
  const itemStyle = { color: colour, opacity }
  return { id, name, type: 'bar', data: bars, itemStyle, barMaxWidth: 40, barCategoryGap: '25%' }
}

/**
 * A line with an incomplete interval ends dashed: a second, dashed line begins where the first one ends. Both have the
 * same name, and the id of the second one ends with `:open`, so that a tooltip can show one row for the two.
 */
function lineOptions({ name, colour, data, isPrevious }: Series, id: string, look: Look): DrawnSeries[] {
  const { isStacked, isFilled, isLastOpen } = look
  const opacity = isPrevious ? PALE : 1
  const common = {
    id,
    name,
    type: 'line' as const,
    // Points help if there are few values, and are noise if there are many.
    showSymbol: data.length <= 12,
    symbol: 'circle',
    symbolSize: 6,
    itemStyle: { color: colour, opacity },
    ...(isFilled ? { areaStyle: { color: colour, opacity: isStacked ? 0.45 : 0.12 } } : {}),
  }
  const line = { color: colour, width: 2.5, opacity }
  const dashed = { ...line, type: 'dashed' as const }
  // In a stack two lines would be two layers.
  if (isPrevious || isStacked || !isLastOpen) return [{ ...common, data, lineStyle: isPrevious ? dashed : line }]
  const complete = data.map((value, at) => (at === data.length - 1 ? '-' : value))
  const open = data.map((value, at) => (at < data.length - 2 ? '-' : value))
  return [
    { ...common, data: complete, lineStyle: line },
    { ...common, id: `${id}:open`, data: open, lineStyle: dashed },
  ]
}

function seriesOptions(series: Series, id: string, look: Look): DrawnSeries[] {
  const options = look.isLine ? lineOptions(series, id, look) : [barOption(series, id, look)]
  // A separate stack for the previous period: it is not part of this one.
  const stack = series.isPrevious ? 'previous' : 'current'
  return look.isStacked ? options.map((option) => ({ ...option, stack })) : options
}

function timeSeries(series: Series[], look: Look) {
  const { theme, interval, days, isLine } = look
  const style = {
    axisLine: { lineStyle: { color: theme.border } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.faint } },
  }
  const label = { color: theme.muted, fontSize: AXIS_FONT }
  const option = {
    grid: { left: 4, right: 12, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      ...style,
      type: 'category',
      boundaryGap: !isLine,
      data: days.map((day) => dayLabel(day, interval)),
      axisLabel: { ...label, hideOverlap: true },
    },
    yAxis: {
      ...style,
      type: 'value',
      splitNumber: 4,
      axisLine: { show: false },
      axisLabel: { ...label, formatter: (value: number) => shortNumber(value) },
    },
    series: series.flatMap((one, index) => seriesOptions(one, String(index), look)),
  }
  return { option, legend: legendOf(series, theme) }
}

export type TimeSeries = ReturnType<typeof timeSeries>

export function trendOption(rows: TrendRow[], look: TimeSeriesLook & { display: string }): TimeSeries {
  const { display, theme } = look
  const colour = colourOf(rows, theme)
  const series = rows.map((row) => ({
    name: seriesName(row),
    colour: colour(row),
    data: row.data,
    isPrevious: row.compare_label === 'previous',
  }))
  // The previous period has other days; the axis shows this period's.
  const days = (rows.find((row) => row.compare_label !== 'previous') ?? rows[0])?.days ?? []
  // A line needs two points.
  const isLine = !BARS.has(display) && days.length > 1
  const isStacked = STACKS.has(display)
  const isFilled = display === 'ActionsAreaGraph' || rows.length === 1
  return timeSeries(series, { ...look, days, isLine, isStacked, isFilled })
}

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

/** Dormant people are below the axis. */
export function lifecycleOption(rows: LifecycleRow[], look: TimeSeriesLook): TimeSeries {
  const { lifecycle } = look.theme
  const series = STATUSES.flatMap((status) =>
    rows
      .filter((row) => row.status === status)
      .map((row) => ({
        name: status[0]?.toUpperCase() + status.slice(1),
        colour: lifecycle[status],
        data: row.data,
        isPrevious: false,
      })),
  )
  const shape = { days: rows[0]?.days ?? [], isLine: false, isStacked: true, isFilled: false }
  return timeSeries(series, { ...look, ...shape })
}
