/** The card around every picture: its background, the title, the subtitle, then the drawing. */
import type { Theme } from '../insight-display/theme.ts'
import { moved, type Part, rect, text } from './svg-shapes.ts'
import { wrap } from './svg-text.ts'

export const PADDING = 20
const TITLE = { size: 18, bold: true }
const SUBTITLE = { size: 13 }

export interface CardHead {
  title: string
  subtitle: string | null
}

export function card({ title, subtitle }: CardHead, body: Part, theme: Theme, width: number): Part {
  const inner = width - 2 * PADDING
  const lines = wrap(title, inner, TITLE, 2)
  let y = PADDING
  const head = lines.map((line) => {
    y += 24
    return text(line, { ...TITLE, x: PADDING, y: y - 6, fill: theme.text })
  })
  if (subtitle !== null) {
    y += 20
    head.push(text(subtitle, { ...SUBTITLE, x: PADDING, y: y - 4, max: inner, fill: theme.muted }))
  }
  y += 12
  const height = Math.ceil(y + body.height + PADDING - 6)
  const ground = rect({
    x: 0.5,
    y: 0.5,
    width: width - 1,
    height: height - 1,
    fill: theme.ground,
    stroke: theme.border,
  })
  return { svg: ground + head.join('') + moved(PADDING, y, body.svg), height }
}

const MESSAGE = { size: 15 }
const MESSAGE_LINE = 22

/** A box with a message instead of a drawing: no data, or it could not be computed. */
export function messageBox(message: string, colour: string, theme: Theme, width: number): Part {
  const lines = wrap(message, width - 24, MESSAGE, 4)
  const height = 118 + lines.length * MESSAGE_LINE
  const first = height / 2 - ((lines.length - 1) * MESSAGE_LINE) / 2 + 5
  const words = lines.map((line, index) =>
    text(line, { ...MESSAGE, x: width / 2, y: first + index * MESSAGE_LINE, anchor: 'middle', fill: colour }),
  )
  const box = rect({ x: 0, y: 4, width, height: height - 8, radius: 6, fill: theme.faint })
  return { svg: box + words.join(''), height }
}
