/**
 * Draws a computed insight as a picture, or several insights as one. The same input gives the same SVG, byte for byte.
 * A result without data says so; an insight that could not be computed is a box with the reason.
 */
import { incompleteInterval } from '../insight-display/incomplete-interval.ts'
import { isEmptyResult, NO_DATA, periodOf } from '../insight-display/result-text.ts'
import { type ThemeName, themes } from '../insight-display/theme.ts'
import { fullNumber } from '../lib/text/human-format.ts'
import type { InsightResult } from '../model/insights/insight-result.ts'
import { cellsOf } from '../rules/insight-queries/result-size-limit.ts'
import { drawBars, drawPie, drawTable, stacked } from './bar-table-pie.ts'
import { drawNumber } from './big-number.ts'
import { card, messageBox, PADDING } from './card.ts'
import { drawFunnel } from './funnel.ts'
import { drawRetention } from './retention.ts'
import { type Frame, moved, type Part, svgDocument, text } from './svg-shapes.ts'
import { plain } from './svg-text.ts'
import { drawLifecycle, drawTrend } from './time-series.ts'

export interface Tile {
  title: string
  /** Absent: the days that the result covers. */
  subtitle?: string | null
  /** Null when it could not be computed. */
  result: InsightResult | null
  /** Why there is no result, as text for the reader. */
  error?: string | null
}

export interface PictureLook {
  theme: ThemeName
  /** In CSS pixels; `toPng` scales them. */
  width: number
  /** The project's local time (lib/time/time-zone.ts), which shows whether the last interval is over. Absent: all are. */
  wallNow?: number
}

/**
 * Maximum number of values in a picture, because it is drawn on the thread that answers requests: 130,000 bars took 9 s
 * and 500 MB. A picture has fewer pixels than that.
 */
const MAX_DRAWN = 25_000

const tooMany = (cells: number): string =>
  `${fullNumber(cells)} values are too many for a picture. Take a longer interval, a shorter date range or fewer lines.`

const NOT_COMPUTED = 'This insight could not be computed'

type TrendResult = Extract<InsightResult, { kind: 'TrendsQuery' }>

async function trend({ rows, display, interval }: TrendResult, frame: Frame): Promise<Part> {
  switch (display) {
    case 'BoldNumber':
      return drawNumber(rows, frame)
    case 'ActionsBarValue':
      return drawBars(rows, frame)
    case 'ActionsPie':
      return drawPie(rows, frame)
    // Not drawn as a map: the table shows the same values as numbers.
    case 'WorldMap':
    case 'ActionsTable':
      return drawTable(rows, frame)
    default:
      return drawTrend(rows, display, interval, frame)
  }
}

async function drawResult(result: InsightResult, frame: Frame): Promise<Part> {
  const { theme, width } = frame
  if (isEmptyResult(result)) return messageBox(NO_DATA, theme.muted, theme, width)
  const cells = cellsOf(result)
  if (cells > MAX_DRAWN) return messageBox(tooMany(cells), theme.muted, theme, width)
  switch (result.kind) {
    case 'TrendsQuery':
      return trend(result, frame)
    case 'LifecycleQuery':
      return drawLifecycle(result.rows, result.interval, frame)
    case 'FunnelsQuery':
      return drawFunnel(result.rows, frame)
    case 'RetentionQuery':
      return drawRetention(result.rows, result.period, frame)
  }
}

/** The days it covers, and whether the last one is not over. */
function subtitleOf(result: InsightResult | null, open: string | null): string | null {
  const period = result === null ? null : periodOf(result)
  return period !== null && open !== null ? `${period} · ${open} is not over` : period
}

async function drawCard(tile: Tile, look: PictureLook, name: string): Promise<Part> {
  const theme = themes[look.theme]
  const { result, error } = tile
  const open = result === null || look.wallNow === undefined ? null : incompleteInterval(result, look.wallNow)
  const inner = look.width - 2 * PADDING
  const body =
    result === null
      ? messageBox(error ?? NOT_COMPUTED, theme.bad, theme, inner)
      : await drawResult(result, { theme, width: inner, name, isLastOpen: open !== null })
  const subtitle = tile.subtitle === undefined ? subtitleOf(result, open) : tile.subtitle
  return card({ title: plain(tile.title), subtitle }, body, theme, look.width)
}

/** One insight as an SVG document. */
export async function drawInsight(picture: Tile & PictureLook): Promise<string> {
  const { title, width } = picture
  const drawn = await drawCard(picture, picture, 'a')
  return svgDocument(width, drawn.height, title, drawn.svg)
}

const GAP = 16
/** From this width on there are two cards per row. */
const TWO_COLUMNS = 900

/** Cards of a row are aligned at the top. */
function rowOf(cards: Part[], step: number): Part {
  const svg = cards.map((one, index) => moved(index * step, 0, one.svg)).join('')
  return { svg, height: Math.max(...cards.map(({ height }) => height)) + GAP }
}

/** Several insights under one heading, in the order given. */
export async function drawDashboard(picture: PictureLook & { title: string; tiles: Tile[] }): Promise<string> {
  const { title, tiles, ...look } = picture
  const theme = themes[look.theme]
  const columns = look.width >= TWO_COLUMNS && tiles.length > 1 ? 2 : 1
  const inner = look.width - 2 * GAP
  const cardWidth = Math.floor((inner - (columns - 1) * GAP) / columns)
  const rows: Part[] = []
  for (let at = 0; at < tiles.length; at += columns) {
    const cards: Part[] = []
    for (const [place, tile] of tiles.slice(at, at + columns).entries()) {
      cards.push(await drawCard(tile, { ...look, width: cardWidth }, `t${at + place}`))
    }
    rows.push(rowOf(cards, cardWidth + GAP))
  }
  const heading = text(title, { size: 22, bold: true, x: 0, y: 26, max: inner, fill: theme.text })
  const nothing = messageBox('This dashboard has no insights', theme.muted, theme, inner)
  const body = stacked([{ svg: heading, height: 44 }, ...(rows.length === 0 ? [nothing] : rows)])
  const height = Math.ceil(body.height + 2 * GAP - (rows.length === 0 ? 0 : GAP))
  const ground = `<rect width="100%" height="100%" fill="${theme.ground}"/>`
  return svgDocument(look.width, height, title, ground + moved(GAP, GAP, body.svg))
}
