/** The basic shapes of pictures, as SVG. All text in pictures goes through here and is escaped. */
import type { Theme } from '../insight-display/theme.ts'
import { escapeXml, FONT_FAMILY, type Font, shorten } from './svg-text.ts'

/** Part of a picture: its SVG and its height; its upper left corner is at 0, 0. */
export interface Part {
  svg: string
  height: number
}

/** The space that a part is drawn into. */
export interface Frame {
  theme: Theme
  width: number
  /** Prefix of this drawing's ids, different from those of others in the same picture. */
  name: string
  /** The last interval is not over: it is drawn as incomplete. */
  isLastOpen: boolean
}

/** Lengths are rounded to two digits: more only make files longer. */
const px = (value: number): string => String(Math.round(value * 100) / 100)

export interface TextSpec extends Font {
  x: number
  /** Of the baseline. */
  y: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  /** Cut to this width. */
  max?: number
}

export function text(content: string, spec: TextSpec): string {
  const { x, y, fill, size, bold = false, anchor = 'start', max } = spec
  const shown = max === undefined ? content : shorten(content, max, spec)
  const place = `x="${px(x)}" y="${px(y)}" text-anchor="${anchor}"`
  return `<text ${place} font-size="${px(size)}" font-weight="${bold ? 700 : 400}" fill="${fill}">${escapeXml(shown)}</text>`
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

/** A whole document. `title` is its name for screen readers. */
export function svgDocument(width: number, height: number, title: string, body: string): string {
  const size = `width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}"`
  const name = `<title>${escapeXml(title)}</title>`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="${FONT_FAMILY}">${name}${body}</svg>`
}
