/** The numbers of a tile as lines and as a table of plain text, for readers without pictures. */
import {
  isEmptyResult,
  NO_DATA,
  periodOf,
  type ResultTable,
  resultLines,
  resultTable,
} from '../../../insight-display/result-text.ts'
import { errorOf, oneLine } from './message-text.ts'
import type { ReportTile } from './report.ts'

const CELL = 40

/** The main numbers, a few lines; for a failed tile the reason. */
export function tileLines(tile: ReportTile, limit = 5): string[] {
  return tile.result === null ? [errorOf(tile)] : resultLines(tile.result, limit).map((line) => oneLine(line))
}

/** Alt text of its picture. */
export const altOf = (tile: ReportTile): string => oneLine(`${tile.name}: ${tileLines(tile, 3).join('; ')}`, 500)

/** Columns aligned, the first to the left, numbers to the right. */
function aligned({ columns, rows, more }: ResultTable): string[] {
  const all = [columns, ...rows].map((row) => row.map((cell) => oneLine(cell, CELL)))
  const widths = columns.map((_, at) => Math.max(...all.map((row) => Array.from(row[at] ?? '').length)))
  const line = (row: string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = all
  const rule = '-'.repeat(Math.max(...all.map((row) => line(row).length)))
  return [line(head), rule, ...body.map(line), ...(more > 0 ? [`and ${more} more`] : [])]
}

/** The whole tile in plain text: its name, its date range and its numbers. */
export function tileText(tile: ReportTile): string {
  const { result } = tile
  const name = oneLine(tile.name)
  if (result === null) return `${name}\n${errorOf(tile)}`
  const period = periodOf(result)
  const head = period === null ? name : `${name} (${period})`
  return [head, ...(isEmptyResult(result) ? [NO_DATA] : aligned(resultTable(result)))].join('\n')
}
