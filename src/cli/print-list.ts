/** Lists of the command line: a table for people, or with `--json` an object for programs. */
import { escapeControlCharacters } from '../lib/text/control-characters.ts'

/** Padded to the widest cell. Cells contain text of others, so control characters are escaped. */
export function printTable(cells: string[][]): void {
  const rows = cells.map((row) => row.map(escapeControlCharacters))
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  for (const row of rows) {
    const line = row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}

/** JSON leaves some characters as they are that a terminal obeys; written out they mean the same. */
export function printJson(value: unknown): void {
  const lines = JSON.stringify(value, null, 2).split('\n')
  process.stdout.write(`${lines.map(escapeControlCharacters).join('\n')}\n`)
}

export interface ListShape<T> {
  /** The table's columns by their heading. */
  columns: Record<string, (item: T) => string>
  /** The fields of an item in JSON. */
  fields: (item: T) => Record<string, unknown>
  /** What the table says when there is nothing; a table without rows unless given. */
  empty?: string
}

export interface Listed<T> {
  /** All there are; more than `items` when only the first are listed. */
  count: number
  items: T[]
}

export const JSON_OPTION = { json: { type: 'boolean', default: false } } as const

export function printList<T>({ count, items }: Listed<T>, shape: ListShape<T>, isJson: boolean): void {
  const { columns, fields, empty } = shape
  if (isJson) {
    printJson({ count, results: items.map(fields) })
    return
  }
  if (count === 0 && empty !== undefined) {
    process.stdout.write(`${empty}\n`)
    return
  }
  printTable([Object.keys(columns), ...items.map((item) => Object.values(columns).map((cell) => cell(item)))])
  if (count > items.length) process.stdout.write(`and ${count - items.length} more\n`)
}

/** Of a list that is complete. */
export const all = <T>(items: T[]): Listed<T> => ({ count: items.length, items })
