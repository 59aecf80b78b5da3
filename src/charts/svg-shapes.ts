/** The few shapes that pictures are made of, as SVG text. Every text on them passes through here and is escaped. */
import { escapeXml, FONT_FAMILY, type Font, shorten } from './svg-text.ts'
import type { Theme } from './theme.ts'

/** Part of a picture: what it shows and how much room it took, from its upper left corner at 0, 0. */
export interface Part {
  svg: string
  height: number
}

/** What a part is drawn into. */
export interface Frame {
  theme: Theme
  width: number
  /** Sets the ids of this drawing apart from those of others in the same picture. */
  name: string
  /** The last interval is still going on: it is drawn as something unfinished. */
  isLastOpen: boolean
}

/** Lengths with two digits: the rest is noise and makes files longer. */
const px = (value: number): string => String(Math.round(value * 100) / 100)

export interface TextSpec extends Font {
  x: number
  /** Of the line on which the letters stand. */
  y: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  /** Cut to this width. */
  max?: number
}

export function text(content: string, spec: TextSpec): string {
  const { x, y, fill, size, bold = false, anchor = 'start', max } = spec
  const said = max === undefined ? content : shorten(content, max, spec)
  const place = `x="${px(x)}" y="${px(y)}" text-anchor="${anchor}"`
  return `<text ${place} font-size="${px(size)}" font-weight="${bold ? 700 : 400}" fill="${fill}">${escapeXml(said)}</text>`
}

export interface RectSpec {
  x: number
  y: number
  width: number
  height: number
  fill: string
  radius?: number
  stroke?: string
}

export function rect({ x, y, width, height, fill, radius = 0, stroke }: RectSpec): string {
  const line = stroke === undefined ? '' : ` stroke="${stroke}"`
  const size = `width="${px(Math.max(0, width))}" height="${px(height)}"`
  return `<rect x="${px(x)}" y="${px(y)}" ${size} rx="${radius}" fill="${fill}"${line}/>`
}

export const moved = (x: number, y: number, svg: string): string =>
  `<g transform="translate(${px(x)} ${px(y)})">${svg}</g>`

/** A whole document. `title` is what it is called by those who cannot see it. */
export function svgDocument(width: number, height: number, title: string, body: string): string {
  const size = `width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}"`
  const name = `<title>${escapeXml(title)}</title>`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="${FONT_FAMILY}">${name}${body}</svg>`
}
