/** Fills the columns of common properties of people from the JSON: of the first rows that lack values of any. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { type KnownPersonProperties, lacksSome } from '../properties/person-columns.ts'
import { int } from '../values/literal.ts'
import { fillRows } from './fill-rows.ts'

/** In a transaction: at most so many rows, which lack the same columns. Returns how many; 0: none lacks any. */
export async function fillPersonColumns(
  connection: DuckDBConnection,
  { columns, set }: KnownPersonProperties,
  most: number,
): Promise<number> {
  const lacking = await connection.runAndReadAll(`SELECT min(column_set) FROM persons WHERE ${lacksSome(columns)}`)
  const lowest = lacking.getRows()[0]?.[0] as number | null | undefined
  if (lowest === null || lowest === undefined) return 0
  const found = await connection.runAndReadAll(`SELECT count(*)::DOUBLE, min(rowid), max(rowid) FROM (
    SELECT rowid FROM persons WHERE column_set = ${int(lowest)} ORDER BY rowid LIMIT ${int(most)})`)
  const [rows, first, last] = found.getRows()[0] as [number, bigint, bigint]
  const where = `rowid BETWEEN ${int(first)} AND ${int(last)} AND column_set = ${int(lowest)}`
  const lacked = columns.filter(({ since }) => since > lowest)
  await fillRows(connection, lacked, { table: 'persons', where })
  await connection.run(`UPDATE persons SET column_set = ${int(set)} WHERE ${where}`)
  return rows
}
