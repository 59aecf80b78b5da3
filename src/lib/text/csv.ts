/**
 * JSON rows as CSV (RFC 4180, CRLF). Rows are flattened with dots (`properties.$os`, `distinct_ids.0`),
 * columns are the union over all rows and `baseColumns`, sorted by code unit; a header row always comes
 * first. Empty lists and objects make no column. Where two paths give one column name, the later one wins.
 *
 * Text and column names that a spreadsheet would run as a formula get a leading `'`; JSON numbers do not.
 */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { noFormula } from './no-formula.ts'

export type CsvRow = Record<string, unknown>

/** Writing 20,000 cells takes some milliseconds; then the event loop runs. */
const CELLS_PER_CHUNK = 20_000

function cellOf(value: unknown): string {
  if (typeof value === 'string') return noFormula(value)
  return value === null ? '' : String(value)
}

/** Calls `visit` for every leaf; null is a leaf, undefined is skipped. */
function flatten(container: object, prefix: string, visit: (column: string, leaf: unknown) => void): void {
  for (const [key, item] of Object.entries(container)) {
    const column = prefix + key
    if (typeof item === 'object' && item !== null) flatten(item, `${column}.`, visit)
    else if (item !== undefined) visit(column, item)
  }
}

function collectColumns(rows: CsvRow[], columns: Set<string>): void {
  for (const row of rows) flatten(row, '', (column) => columns.add(column))
}

/**
 * Single CRs and LFs are quoted too, which the library does by itself only for the whole record delimiter.
 * A lone empty cell is quoted: a blank line would be read as no row at all.
 */
const write = (records: string[][], width: number): string =>
  stringify(records, { record_delimiter: '\r\n', quoted_match: /[\r\n]/, quoted_empty: width === 1 })

interface Sheet {
  header: string
  lines(rows: CsvRow[]): string
  rowsPerChunk: number
}

function createSheet(columns: Set<string>): Sheet {
  const sorted = [...columns].sort()
  const width = sorted.length
  const positions = new Map(sorted.map((column, index) => [column, index]))
  const recordOf = (row: CsvRow): string[] => {
    const record = new Array<string>(width).fill('')
    flatten(row, '', (column, leaf) => {
      const position = positions.get(column)
      if (position !== undefined) record[position] = cellOf(leaf)
    })
    return record
  }
  return {
    header: write([sorted.map(noFormula)], width),
    lines: (rows) => write(rows.map(recordOf), width),
    rowsPerChunk: Math.max(1, Math.floor(CELLS_PER_CHUNK / Math.max(1, width))),
  }
}

/** For small results. */
export function csvOfRows(rows: CsvRow[], baseColumns: string[]): string {
  const columns = new Set(baseColumns)
  collectColumns(rows, columns)
  const sheet = createSheet(columns)
  return sheet.header + sheet.lines(rows)
}

export type Pages = () => AsyncIterable<CsvRow[]>

/** Pages of an embedded store arrive without letting the event loop run, hence the pauses here. */
async function* chunksOf(pages: Pages, baseColumns: string[], isGone: () => boolean): AsyncGenerator<string> {
  const columns = new Set(baseColumns)
  for await (const rows of pages()) {
    collectColumns(rows, columns)
    await nextTurn()
    if (isGone()) return
  }
  const sheet = createSheet(columns)
  yield sheet.header
  for await (const rows of pages()) {
    for (let start = 0; start < rows.length; start += sheet.rowsPerChunk) {
      yield sheet.lines(rows.slice(start, start + sheet.rowsPerChunk))
      await nextTurn()
    }
  }
}

/**
 * For lists of any length: reads `pages` once for the columns and again for the rows, with the column names, one page
 * and one chunk in memory. Columns that appear only after the first pass are left out. Nothing is
 * written before the first pass is done, so that its failure can still become an error response.
 */
export function csvOfAll(pages: Pages, baseColumns: string[]): Readable {
  const stream: Readable = Readable.from(
    chunksOf(pages, baseColumns, () => stream.destroyed),
    { objectMode: false },
  )
  return stream
}
