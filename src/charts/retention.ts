/**
 * A retention grid: one row per cohort, one column per interval. Cells stay wide enough to
 * be read on a phone; intervals and rows that do not fit are left out, and a line below says so.
 */
import { mix } from '../insight-display/theme.ts'
import { dayLabel, percent, shortNumber } from '../lib/text/human-format.ts'
import type { RetentionRow } from '../model/insights/insight-result.ts'
import { stacked } from './bar-table-pie.ts'
import { type Frame, type Part, rect, text } from './svg-shapes.ts'
import { textWidth } from './svg-text.ts'

const FONT = { size: 12 }
const CELL_MIN = 38
const CELL_MAX = 84
const ROW = 30
const MAX_ROWS = 14

interface Grid extends Frame {
  dateWidth: number
  sizeWidth: number
  cellWidth: number
  columns: number
}

const widest = (texts: string[]): number => Math.max(...texts.map((line) => textWidth(line, FONT)))

function gridOf(rows: RetentionRow[], period: string, frame: Frame): Grid {
  const dateWidth = widest([period, ...rows.map(({ date }) => dayLabel(date, period))]) + 12
  const sizeWidth =
    Math.max(widest(['People']), widest(rows.map(({ values }) => shortNumber(values[0]?.count ?? 0)))) + 10
  const room = frame.width - dateWidth - sizeWidth
  const asked = Math.max(...rows.map(({ values }) => values.length))
  const columns = Math.max(1, Math.min(asked, Math.floor(room / CELL_MIN)))
  return { ...frame, dateWidth, sizeWidth, columns, cellWidth: Math.min(CELL_MAX, room / columns) }
}

function headLine(rows: RetentionRow[], period: string, grid: Grid): Part {
  const { theme, dateWidth, sizeWidth, cellWidth, columns } = grid
  const labels = rows.reduce<RetentionRow['values']>(
    (most, { values }) => (values.length > most.length ? values : most),
    [],
  )
  const cells = labels.slice(0, columns).map(({ label }, index) => {
    // `Week 3`, or only the 3 if it does not fit.
    const heading = textWidth(label, FONT) <= cellWidth - 6 ? label : String(index)
    const x = dateWidth + sizeWidth + (index + 0.5) * cellWidth
    return text(heading, { ...FONT, x, y: 16, anchor: 'middle', fill: theme.muted })
  })
  const people = text('People', { ...FONT, x: dateWidth + sizeWidth - 10, y: 16, anchor: 'end', fill: theme.muted })
  const began = text(period, { ...FONT, x: 0, y: 16, max: dateWidth, fill: theme.muted })
  return { svg: began + people + cells.join(''), height: 26 }
}

function cell(share: number, index: number, { theme, dateWidth, sizeWidth, cellWidth }: Grid): string {
  const { empty, full } = theme.heat
  const filled = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
  const x = dateWidth + sizeWidth + index * cellWidth
  const box = rect({ x: x + 1, y: 1, width: cellWidth - 2, height: ROW - 2, radius: 3, fill: mix(empty, full, filled) })
  const label = percent(share, cellWidth >= 52 ? 1 : 0)
  return box + text(label, { ...FONT, x: x + cellWidth / 2, y: ROW / 2 + 4.5, anchor: 'middle', fill: theme.text })
}

function line({ date, values }: RetentionRow, period: string, grid: Grid): Part {
  const { theme, dateWidth, sizeWidth, columns } = grid
  const size = values[0]?.count ?? 0
  const y = ROW / 2 + 4.5
  const svg = [
    text(dayLabel(date, period), { ...FONT, x: 0, y, fill: theme.text }),
    text(shortNumber(size), { ...FONT, bold: true, x: dateWidth + sizeWidth - 10, y, anchor: 'end', fill: theme.text }),
    ...values.slice(0, columns).map(({ count }, index) => cell(count / size, index, grid)),
  ]
  return { svg: svg.join(''), height: ROW }
}

/** A note on what is left out, or null. */
function cutText(rows: RetentionRow[], period: string, { columns }: Grid): string | null {
  const asked = Math.max(...rows.map(({ values }) => values.length))
  const cuts = [
    ...(asked > columns ? [`the first ${columns} of ${asked} intervals`] : []),
    ...(rows.length > MAX_ROWS ? [`the first ${MAX_ROWS} of ${rows.length} ${period.toLowerCase()}s`] : []),
  ]
  return cuts.length === 0 ? null : `Shown: ${cuts.join(', ')}`
}

export function drawRetention(rows: RetentionRow[], period: string, frame: Frame): Part {
  const grid = gridOf(rows, period, frame)
  const cut = cutText(rows, period, grid)
  const note = text(cut ?? '', { ...FONT, x: 0, y: 20, max: frame.width, fill: frame.theme.muted })
  return stacked([
    headLine(rows, period, grid),
    ...rows.slice(0, MAX_ROWS).map((row) => line(row, period, grid)),
    ...(cut === null ? [] : [{ svg: note, height: 26 }]),
  ])
}
