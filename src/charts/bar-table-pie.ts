/** Values without a time axis: horizontal bars, a table, a pie chart. Names are above their bars, where long ones fit. */
import { pieOption } from '../insight-display/pie-option.ts'
import { seriesName, wholeValue } from '../insight-display/result-text.ts'
import { fullNumber, percent, shortNumber } from '../lib/text/human-format.ts'
import type { TrendRow } from '../model/insights/insight-result.ts'
import { plot } from './plot.ts'
import { type Frame, moved, type Part, rect, text } from './svg-shapes.ts'
import { textWidth } from './svg-text.ts'

const MAX_ROWS = 12
const NAME = { size: 13 }
const VALUE = { size: 13, bold: true }

/** `5 more` below a list that was cut; nothing otherwise. */
export function moreLine(more: number, { theme, width }: Pick<Frame, 'theme' | 'width'>): Part {
  if (more <= 0) return { svg: '', height: 0 }
  const label = `${fullNumber(more)} more`
  return { svg: text(label, { size: 12, x: 0, y: 16, max: width, fill: theme.muted }), height: 24 }
}

/** The parts from top to bottom. */
export function stacked(parts: Part[]): Part {
  let height = 0
  const svg = parts.map((part) => {
    const placed = moved(0, height, part.svg)
    height += part.height
    return placed
  })
  return { svg: svg.join(''), height }
}

export interface BarLine {
  name: string
  value: string
  share: number
  colour: string
}

/** A name and its value, and below them a bar for its share of the full width. */
export function barLine(
  { name, value, share, colour }: BarLine,
  { theme, width }: Pick<Frame, 'theme' | 'width'>,
): Part {
  const valueWidth = textWidth(value, VALUE)
  const filled = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  const svg =
    text(name, { ...NAME, x: 0, y: 14, max: width - valueWidth - 16, fill: theme.text }) +
    text(value, { ...VALUE, x: width, y: 14, anchor: 'end', fill: theme.text }) +
    rect({ x: 0, y: 21, width, height: 10, radius: 3, fill: theme.faint }) +
    // A small value must still be visible.
    rect({ x: 0, y: 21, width: filled > 0 ? Math.max(3, filled * width) : 0, height: 10, radius: 3, fill: colour })
  return { svg, height: 42 }
}

export function drawBars(rows: TrendRow[], frame: Frame): Part {
  const largest = Math.max(...rows.map(wholeValue))
  const lines = rows.slice(0, MAX_ROWS).map((row) =>
    barLine(
      {
        name: seriesName(row),
        value: shortNumber(wholeValue(row)),
        share: wholeValue(row) / largest,
        colour: frame.theme.series[row.action.order % frame.theme.series.length] ?? frame.theme.rest,
      },
      frame,
    ),
  )
  return stacked([...lines, moreLine(rows.length - MAX_ROWS, frame)])
}

/** A row of a table: the last cell right-aligned, a line below. */
function tableLine(name: string, value: string, { theme, width }: Frame, isHead: boolean): Part {
  const fill = isHead ? theme.muted : theme.text
  const valueWidth = textWidth(value, VALUE)
  const svg =
    text(name, { ...NAME, x: 0, y: 18, max: width - valueWidth - 16, fill }) +
    text(value, { ...VALUE, bold: !isHead, x: width, y: 18, anchor: 'end', fill }) +
    rect({ x: 0, y: 28, width, height: 1, fill: theme.faint })
  return { svg, height: 30 }
}

export function drawTable(rows: TrendRow[], frame: Frame): Part {
  const lines = rows
    .slice(0, MAX_ROWS)
    .map((row) => tableLine(seriesName(row), fullNumber(wholeValue(row)), frame, false))
  return stacked([tableLine('Series', 'Value', frame, true), ...lines, moreLine(rows.length - MAX_ROWS, frame)])
}

const RING = 200

/** The ring, and its legend to the right (below it if the picture is narrow). */
export async function drawPie(rows: TrendRow[], frame: Frame): Promise<Part> {
  const { theme, width, name } = frame
  const { option, legend, more, total } = pieOption(rows, theme)
  const ring = await plot(option, { width: RING, height: RING, name })
  const middle = text(shortNumber(total), {
    size: 22,
    bold: true,
    x: RING / 2,
    y: RING / 2 + 8,
    anchor: 'middle',
    fill: theme.text,
  })
  const isBeside = width >= 420
  const side = isBeside ? width - RING - 24 : width
  const lines = legend.map((slice) => {
    const value = `${shortNumber(slice.value)} · ${percent(slice.share)}`
    const svg =
      rect({ x: 0, y: 5, width: 12, height: 12, radius: 3, fill: slice.colour }) +
      text(slice.name, {
        ...NAME,
        x: 18,
        y: 15,
        max: side - 18 - textWidth(value, VALUE) - 12,
        fill: theme.text,
      }) +
      text(value, { ...VALUE, x: side, y: 15, anchor: 'end', fill: theme.text })
    return { svg, height: 25 }
  })
  const list = stacked([...lines, moreLine(more, { theme, width: side })])
  const round = ring.svg + middle
  if (!isBeside) return stacked([{ svg: moved((width - RING) / 2, 0, round), height: RING + 12 }, list])
  const height = Math.max(RING, list.height)
  return {
    svg: moved(0, (height - RING) / 2, round) + moved(RING + 24, (height - list.height) / 2, list.svg),
    height,
  }
}
