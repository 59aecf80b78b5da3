/** The legend of a chart's colours, in as many rows as needed. */
import type { LegendEntry, Theme } from '../insight-display/theme.ts'
import { type Part, rect, text } from './svg-shapes.ts'
import { shorten, textWidth } from './svg-text.ts'

const FONT = { size: 13 }
const ROW = 22
const SWATCH = 12
const GAP = 18
const LONGEST = 200

export function legend(entries: LegendEntry[], theme: Theme, width: number): Part {
  if (entries.length === 0) return { svg: '', height: 0 }
  let [x, y] = [0, 0]
  const shapes = entries.map(({ name, colour }) => {
    const label = shorten(name, Math.min(LONGEST, width - SWATCH - 6), FONT)
    const room = SWATCH + 6 + textWidth(label, FONT)
    if (x > 0 && x + room > width) [x, y] = [0, y + ROW]
    const at = x
    x += room + GAP
    return (
      rect({ x: at, y: y + 3, width: SWATCH, height: SWATCH, radius: 3, fill: colour }) +
      text(label, { ...FONT, x: at + SWATCH + 6, y: y + 14, fill: theme.text })
    )
  })
  return { svg: shapes.join(''), height: y + ROW + 6 }
}
