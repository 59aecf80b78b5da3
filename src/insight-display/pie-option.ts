/**
 * A pie chart as an option of echarts, with its legend. Values below zero cannot be drawn and are left out. Fonts, sizes,
 * and what moves or answers a pointer are added where it is drawn.
 */
import type { PieSeriesOption } from 'echarts/charts'
import { sumOf } from '../lib/numbers/sums.ts'
import type { TrendRow } from '../model/insights/insight-result.ts'
import { seriesName, wholeValue } from './result-text.ts'
import type { LegendEntry, Theme } from './theme.ts'

interface Slice extends LegendEntry {
  value: number
  /** Of the whole, from 0 to 1. */
  share: number
}

export interface Pie {
  option: { series: PieSeriesOption[] }
  /** Of the slices that have their own colour. */
  legend: Slice[]
  /** How many slices are grey. */
  more: number
  total: number
}

export function pieOption(rows: TrendRow[], theme: Theme): Pie {
  const parts = rows.filter((row) => wholeValue(row) > 0)
  const total = sumOf(parts.map(wholeValue))
  const slices = parts.map((row, index) => {
    const value = wholeValue(row)
    return { name: seriesName(row), value, share: value / total, colour: theme.series[index] ?? theme.rest }
  })
  const ring: PieSeriesOption = {
    type: 'pie',
    radius: ['52%', '92%'],
    label: { show: false },
    data: slices.map(({ name, value, colour }) => ({
      name,
      value,
      itemStyle: { color: colour, borderColor: theme.ground, borderWidth: 1 },
    })),
  }
  const legend = slices.slice(0, theme.series.length)
  return { option: { series: [ring] }, legend, more: slices.length - legend.length, total }
}
