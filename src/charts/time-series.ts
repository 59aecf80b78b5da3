/** Trends and lifecycles over time: a chart, and its legend above. */
import { lifecycleOption, type TimeSeries, trendOption } from '../insight-display/time-series-option.ts'
import type { LifecycleRow, TrendRow } from '../model/insights/insight-result.ts'
import { legend } from './legend.ts'
import { plot } from './plot.ts'
import { type Frame, moved, type Part } from './svg-shapes.ts'

const HEIGHT = 260

async function draw(shown: TimeSeries, { theme, width, name }: Frame): Promise<Part> {
  const key = legend(shown.legend, theme, width)
  const chart = await plot(shown.option, { width, height: HEIGHT, name })
  return { svg: key.svg + moved(0, key.height, chart.svg), height: key.height + chart.height }
}

export const drawTrend = (rows: TrendRow[], display: string, interval: string, frame: Frame): Promise<Part> =>
  draw(trendOption(rows, { ...frame, display, interval }), frame)

export const drawLifecycle = (rows: LifecycleRow[], interval: string, frame: Frame): Promise<Part> =>
  draw(lifecycleOption(rows, { ...frame, interval }), frame)
