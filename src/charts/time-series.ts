/**
 * Trends and lifecycles over time: lines, areas, bars next to each other or stacked. The first rows have their own
 * colour and a legend entry; further rows are drawn in grey, so that nothing is missing from a stack.
 */
import { seriesName } from '../insight-display/result-text.ts'
import { mix, type Theme } from '../insight-display/theme.ts'
import { dayLabel, shortNumber } from '../lib/text/human-format.ts'
import type { LifecycleRow, TrendRow } from '../model/insights/insight-result.ts'
import { type LegendEntry, legend } from './legend.ts'
import { axisStyle, plot } from './plot.ts'
import { type Frame, moved, type Part } from './svg-shapes.ts'

const HEIGHT = 260
const PALE = 0.55
const BARS = new Set(['ActionsBar', 'ActionsStackedBar', 'ActionsUnstackedBar'])
const STACKS = new Set(['ActionsBar', 'ActionsStackedBar', 'ActionsAreaGraph'])

interface Series {
  name: string
  colour: string
  data: number[]
  /** Of the previous period: drawn paler. */
  isPrevious: boolean
}

interface Look {
  interval: string
  days: string[]
  isLine: boolean
  isStacked: boolean
  isFilled: boolean
  isLastOpen: boolean
}

/** A period and the previous one share a colour. */
const keyOf = (row: TrendRow): string => JSON.stringify([row.action.order, row.breakdown_value ?? null])

function colourOf(rows: TrendRow[], theme: Theme): (row: TrendRow) => string {
  const keys = [...new Set(rows.map(keyOf))]
  return (row) => theme.series[keys.indexOf(keyOf(row))] ?? theme.rest
}

function legendOf(series: Series[], theme: Theme): LegendEntry[] {
  const shown = series.filter(({ colour, isPrevious }) => colour !== theme.rest && !isPrevious)
  const previous = series.find(({ isPrevious }) => isPrevious)
  const beyond = series.filter(({ colour }) => colour === theme.rest).length
  return [
    ...shown.map(({ name, colour }) => ({ name, colour })),
    ...(previous === undefined
      ? []
      : [{ name: 'Previous period', colour: mix(previous.colour, theme.ground, 1 - PALE) }]),
    ...(beyond > 0 ? [{ name: `${beyond} more`, colour: theme.rest }] : []),
  ]
}

/** The bar of an incomplete interval is paler. */
function barOption({ colour, data, isPrevious }: Series, { isLastOpen }: Look) {
  const opacity = isPrevious ? PALE : 1
  const growing = { itemStyle: { color: colour, opacity: PALE } }
  const bars = data.map((value, at) => (isLastOpen && at === data.length - 1 ? { value, ...growing } : value))
  return { type: 'bar', data: bars, itemStyle: { color: colour, opacity }, barMaxWidth: 40, barCategoryGap: '25%' }
}

/** A line with an incomplete interval ends dashed: a second, dashed line begins where the first one ends. */
function lineOptions({ colour, data, isPrevious }: Series, { isStacked, isFilled, isLastOpen }: Look) {
  const opacity = isPrevious ? PALE : 1
  const common = {
    type: 'line',
    // Points help if there are few values, and are noise if there are many.
    showSymbol: data.length <= 12,
    symbol: 'circle',
    symbolSize: 6,
    itemStyle: { color: colour, opacity },
    ...(isFilled ? { areaStyle: { color: colour, opacity: isStacked ? 0.45 : 0.12 } } : {}),
  }
  const line = { color: colour, width: 2.5, opacity }
  const dashed = { ...line, type: 'dashed' }
  // In a stack two lines would be two layers.
  if (isPrevious || isStacked || !isLastOpen) return [{ ...common, data, lineStyle: isPrevious ? dashed : line }]
  const complete = data.map((value, at) => (at === data.length - 1 ? '-' : value))
  const open = data.map((value, at) => (at < data.length - 2 ? '-' : value))
  return [
    { ...common, data: complete, lineStyle: line },
    { ...common, data: open, lineStyle: dashed },
  ]
}

function seriesOptions(series: Series, look: Look): object[] {
  const options = look.isLine ? lineOptions(series, look) : [barOption(series, look)]
  // A separate stack for the previous period: it is not part of this one.
  const stack = look.isStacked ? { stack: series.isPrevious ? 'previous' : 'current' } : {}
  return options.map((option) => ({ ...option, ...stack, silent: true, emphasis: { disabled: true } }))
}

async function draw(series: Series[], look: Look, { theme, width, name }: Frame): Promise<Part> {
  const key = legend(legendOf(series, theme), theme, width)
  const style = axisStyle(theme)
  const option = {
    grid: { left: 4, right: 12, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      ...style,
      type: 'category',
      boundaryGap: !look.isLine,
      data: look.days.map((day) => dayLabel(day, look.interval)),
      axisLabel: { ...style.axisLabel, hideOverlap: true },
    },
    yAxis: {
      ...style,
      type: 'value',
      splitNumber: 4,
      axisLine: { show: false },
      axisLabel: { ...style.axisLabel, formatter: (value: number) => shortNumber(value) },
    },
    series: series.flatMap((one) => seriesOptions(one, look)),
  }
  const chart = await plot(option, { width, height: HEIGHT, name })
  return { svg: key.svg + moved(0, key.height, chart.svg), height: key.height + chart.height }
}

export function drawTrend(rows: TrendRow[], display: string, interval: string, frame: Frame): Promise<Part> {
  const colour = colourOf(rows, frame.theme)
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
  return draw(series, { interval, days, isLine, isStacked, isFilled, isLastOpen: frame.isLastOpen }, frame)
}

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

/** Dormant people are below the axis. */
export function drawLifecycle(rows: LifecycleRow[], interval: string, frame: Frame): Promise<Part> {
  const { lifecycle } = frame.theme
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
  const look = { interval, days: rows[0]?.days ?? [], isLine: false, isStacked: true, isFilled: false }
  return draw(series, { ...look, isLastOpen: frame.isLastOpen }, frame)
}
