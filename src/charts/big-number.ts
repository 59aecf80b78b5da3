/** One large number, with the change since the previous period if there is one. */
import { seriesName, wholeValue } from '../insight-display/result-text.ts'
import { fullNumber, percent, shortNumber } from '../lib/text/human-format.ts'
import type { TrendRow } from '../model/insights/insight-result.ts'
import { moreLine, stacked } from './bar-table-pie.ts'
import { type Frame, type Part, text } from './svg-shapes.ts'

/** Neutral: it is unknown whether more is better, so the change has no colour. */
function changeLine(now: number, before: number): string {
  if (before === 0) return `0 in the period before`
  const share = (now - before) / Math.abs(before)
  const way = share > 0 ? '▲' : share < 0 ? '▼' : '='
  return `${way} ${percent(Math.abs(share))} against ${fullNumber(before)} before`
}

function numberOf(row: TrendRow, previous: TrendRow | undefined, { theme, width }: Frame): Part {
  const value = wholeValue(row)
  const [short, full] = [shortNumber(value), fullNumber(value)]
  const middle = { x: width / 2, anchor: 'middle', max: width } as const
  const lines = [
    text(short, { ...middle, size: 64, bold: true, y: 78, fill: theme.text }),
    text(short === full ? seriesName(row) : `${full} · ${seriesName(row)}`, {
      ...middle,
      size: 14,
      y: 112,
      fill: theme.muted,
    }),
  ]
  if (previous === undefined) return { svg: lines.join(''), height: 136 }
  lines.push(text(changeLine(value, wholeValue(previous)), { ...middle, size: 14, y: 138, fill: theme.text }))
  return { svg: lines.join(''), height: 162 }
}

const MOST = 3

export function drawNumber(rows: TrendRow[], frame: Frame): Part {
  const current = rows.filter((row) => row.compare_label !== 'previous')
  const before = rows.filter((row) => row.compare_label === 'previous')
  const parts = current.slice(0, MOST).map((row, index) => numberOf(row, before[index], frame))
  return stacked([...parts, moreLine(current.length - MOST, frame)])
}
