/**
 * Common properties of people in columns of `persons` (see property-columns.ts). Rows of people are replaced at any time, so
 * no bound tells which of them are filled; each says so itself. A set of columns has a number, and a row holds the values of
 * the set whose number it has (`column_set`; 0: of none): of every column that was there then. A reader takes from columns
 * the rows of sets that it knows, and all others from their JSON, as it does with `fresh_persons`, which has no columns.
 */
import { DOUBLE, type DuckDBConnection, INTEGER, VARCHAR } from '@duckdb/node-api'
import { appendRows, type Column } from '../values/append-rows.ts'
import { int } from '../values/literal.ts'
import { dropUnlisted, type KnownColumns, type PropertyColumn, type PropertyKind } from './property-columns.ts'

export interface PersonColumn extends PropertyColumn {
  /** The number of the first set that has it. */
  since: number
}

/** Changed only by committed transactions of the one writer. */
export interface KnownPersonProperties extends KnownColumns<PersonColumn> {
  /** The number of the set of these columns: no row has a higher one. */
  set: number
  /** How many rows `persons` had when its keys were last looked at, since the store was opened. */
  looked: number
}

const ROW_COLUMNS: Column<PersonColumn>[] = [
  { type: INTEGER, value: ({ number }) => number },
  { type: VARCHAR, value: ({ key }) => key },
  { type: VARCHAR, value: ({ kind }) => kind },
  { type: DOUBLE, value: ({ width }) => width },
  { type: INTEGER, value: ({ since }) => since },
]

/** In a transaction, when the store is opened. */
export async function readPersonProperties(connection: DuckDBConnection): Promise<KnownPersonProperties> {
  const found = await connection.runAndReadAll(
    'SELECT key, number, kind, width, since FROM person_columns ORDER BY number',
  )
  const columns = found.getRows().map(([key, number, kind, width, since]) => ({
    key: key as string,
    number: number as number,
    kind: kind as PropertyKind,
    hasNull: true,
    width: width as number,
    since: since as number,
  }))
  const highest = await connection.runAndReadAll('SELECT coalesce(max(column_set), 0) FROM persons')
  const set = Math.max(highest.getRows()[0]?.[0] as number, ...columns.map(({ since }) => since))
  return { columns, inTable: await dropUnlisted(connection, 'persons', columns), set, looked: 0 }
}

/** Stores which columns of people there are. */
export async function writePersonColumns(connection: DuckDBConnection, columns: PersonColumn[]): Promise<void> {
  await connection.run('DELETE FROM person_columns')
  await appendRows(connection, 'person_columns', ROW_COLUMNS, columns)
}

/** SQL of whether a row lacks values of these columns. */
export const lacksSome = (columns: PersonColumn[]): string =>
  `column_set < ${int(Math.max(0, ...columns.map(({ since }) => since)))}`
