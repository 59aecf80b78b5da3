/**
 * Text in pictures. There is no browser and no canvas to measure it, so widths come from the font's
 * own table of advances. Characters that XML does not allow are replaced; glyphs that the font lacks are drawn as a box.
 */
import { cutText } from '../lib/text/code-points.ts'
import { escapeHtml } from '../lib/text/escape-html.ts'

export const FONT_FAMILY = "'DejaVu Sans', Verdana, sans-serif"

/** Advances of U+0020 to U+007E in thousandths of the font's size: DejaVu Sans 2.37, regular and bold. */
const REGULAR = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
]
const BOLD = [
  348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696,
  696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995,
  837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716,
  678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712,
  365, 712, 838,
]
/** Of other characters, rounded up: few glyphs of the font are wider, and its box for missing glyphs is not. */
const OTHER = 800
const WIDE = 1_000

export interface Font {
  size: number
  bold?: boolean
}

function advance(sign: string, widths: number[]): number {
  const code = sign.codePointAt(0) ?? 0
  return widths[code - 0x20] ?? (code >= 0x2000 ? WIDE : OTHER)
}

/** In pixels; an upper estimate of what is drawn. */
export function textWidth(text: string, { size, bold = false }: Font): number {
  const widths = bold ? BOLD : REGULAR
  let thousandths = 0
  for (const sign of text) thousandths += advance(sign, widths)
  return (thousandths * size) / 1_000
}

/** The text on one line, without characters that XML does not allow. */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .trim()

/** Cut at the end until it fits. */
export function shorten(text: string, width: number, font: Font): string {
  const whole = plain(text)
  if (textWidth(whole, font) <= width) return whole
  // Cut between grapheme clusters (letters with accents, joined emoji): half of one would be another character. More than 1,000 cannot fit anyway.
  let [kept, room] = ['', width - textWidth('…', font)]
  for (const { segment } of new Intl.Segmenter('en').segment(cutText(whole, 1_000))) {
    room -= textWidth(segment, font)
    if (room < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Breaks the text between words into at most `most` lines; no lines for empty text. */
export function wrap(content: string, width: number, font: Font, most: number): string[] {
  const words = plain(content).split(' ').filter(Boolean)
  const lines: string[] = []
  while (words.length > 0 && lines.length < most - 1) {
    let line = words.shift() ?? ''
    while (words[0] !== undefined && textWidth(`${line} ${words[0]}`, font) <= width) line += ` ${words.shift()}`
    // A single long word cannot be broken.
    lines.push(shorten(line, width, font))
  }
  return words.length === 0 ? lines : [...lines, shorten(words.join(' '), width, font)]
}

export const escapeXml = (text: string): string => escapeHtml(plain(text))
