/**
 * Long texts, stored in parts in a table of their own. DuckDB works on 2,048 values at a time and needs all of them in
 * memory: some hundred consecutive properties of a megabyte would fail every checkpoint from then on. With every text
 * this short, the widest column takes at most a fifth of the memory.
 */
import { DOUBLE, type DuckDBConnection, INTEGER, VARCHAR } from '@duckdb/node-api'
import { appendRows, type Column } from './append-rows.ts'
import { int } from './literal.ts'

/** In UTF-16 units; each may take three bytes. */
export const MAX_TEXT = 8_192

interface Part {
  projectId: number
  id: number
  part: number
  text: string
}

const PART_COLUMNS: Column<Part>[] = [
  { type: INTEGER, value: (row) => row.projectId },
  { type: DOUBLE, value: (row) => row.id },
  { type: INTEGER, value: (row) => row.part },
  { type: VARCHAR, value: (row) => row.text },
]

/** Where a text is: in the row itself or under an id; the other of the two is null. */
export interface StoredText {
  text: string | null
  longId: number | null
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00

function split(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + MAX_TEXT
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    parts.push(text.slice(start, next))
    start = next
  }
  return parts
}

/** Collects the long texts of one transaction. */
export class LongTexts {
  readonly #parts: Part[] = []
  lastId: number

  constructor(lastId: number) {
    this.lastId = lastId
  }

  keep(projectId: number, text: string): StoredText {
    if (text.length <= MAX_TEXT) return { text, longId: null }
    const id = ++this.lastId
    for (const [part, slice] of split(text).entries()) this.#parts.push({ projectId, id, part, text: slice })
    return { text: null, longId: id }
  }

  append(connection: DuckDBConnection): Promise<void> {
    return appendRows(connection, 'long_texts', PART_COLUMNS, this.#parts)
  }
}

export async function readLongText(connection: DuckDBConnection, id: bigint): Promise<string> {
  const sql = `SELECT text FROM long_texts WHERE id = ${int(id)} ORDER BY part`
  return (await connection.runAndReadAll(sql)).getRows().join('')
}

/** Removes the long texts that no row references. */
export async function sweepLongTexts(connection: DuckDBConnection): Promise<void> {
  const used = ['events', 'persons', 'fresh_persons'].map(
    (table) => `SELECT long_id FROM ${table} WHERE long_id IS NOT NULL`,
  )
  await connection.run(`DELETE FROM long_texts WHERE id NOT IN (${used.join(' UNION ALL ')})`)
}
