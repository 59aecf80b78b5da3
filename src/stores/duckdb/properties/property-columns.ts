/**
 * Common properties in columns of their own: a question about them reads a few bytes of each row instead of its JSON. What
 * columns are like is the same for events and people; which rows hold their values is not: of events it is said here, of
 * people in person-columns.ts. The column of a key has a number for its name, as names of columns ignore case and keys do
 * not, and the type that most of its values have; it is NULL when the key is not there. What a column cannot hold is marked
 * in it and read from the JSON: values of other types, long texts, and numbers that the engine would write differently.
 * Columns are filled in the background, those of events up to a bound (`filled`); events beyond it are read from their
 * JSON, as are those whose properties are too long for a row.
 */
import { BOOLEAN, DOUBLE, type DuckDBConnection, INTEGER, VARCHAR } from '@duckdb/node-api'
import { appendRows, type Column } from '../values/append-rows.ts'
import { int } from '../values/literal.ts'

export type PropertyKind = 'string' | 'number' | 'boolean'

/** Of the columns, as the engine names them. */
export type ColumnType = 'VARCHAR' | 'DOUBLE' | 'UTINYINT'

interface Kind {
  type: ColumnType
  /** SQL of what stands for a JSON null. */
  null: string
  /** SQL of what stands for a value that is only in the JSON. The greatest of all: the engine skips blocks without it. */
  inJson: string
}

/** Texts have marks that are no characters, numbers those that JSON cannot have. */
export const KINDS: Record<PropertyKind, Kind> = {
  string: { type: 'VARCHAR', null: `chr(${0x10fffe})`, inJson: `chr(${0x10ffff})` },
  number: { type: 'DOUBLE', null: `'inf'::DOUBLE`, inJson: `'nan'::DOUBLE` },
  boolean: { type: 'UTINYINT', null: '2::UTINYINT', inJson: '3::UTINYINT' },
}

/** Longer texts are only in the JSON. */
export const MAX_BYTES = 256

/** The tables that have columns for keys. */
export type PropertyTable = 'events' | 'persons'

export interface PropertyColumn {
  key: string
  number: number
  kind: PropertyKind
  /** Whether any row may have a JSON null. */
  hasNull: boolean
  /** About how many bytes of the file a value takes. */
  width: number
}

/** Of events. */
export interface EventColumn extends PropertyColumn {
  /** Whether any event has a value that is only in the JSON. */
  hasInJson: boolean
  /** The column holds the values of all events up to this `ord`. */
  filled: number
}

export const nameOf = ({ number }: PropertyColumn): string => `p${number}`

/** A column of a table. */
export interface TableColumn {
  name: string
  type: ColumnType
}

/** The columns of these keys. */
export const tableColumns = (columns: PropertyColumn[]): TableColumn[] =>
  columns.map((column) => ({ name: nameOf(column), type: KINDS[column.kind].type }))

/** The columns of a table for keys. */
export interface KnownColumns<C extends PropertyColumn> {
  columns: C[]
  /** All columns that the table has for keys, in its order; those of keys that lost their place are there until it is written anew. */
  inTable: TableColumn[]
}

/** What is known of the properties of events; changed only by committed transactions of the one writer. */
export interface KnownProperties extends KnownColumns<EventColumn> {
  /** Of all events up to this `ord` it is known which keys they have (see key-blocks.ts). */
  scanned: number
}

/** What a removed event may have left: new events get the numbers of the last ones that were removed. */
async function forgetBeyond(connection: DuckDBConnection, lastOrd: number): Promise<void> {
  const last = int(lastOrd)
  await connection.run(`UPDATE property_columns SET filled = ${last} WHERE filled > ${last}`)
  await connection.run(`DELETE FROM key_blocks WHERE to_ord > ${last}`)
}

const ROW_COLUMNS: Column<EventColumn>[] = [
  { type: INTEGER, value: ({ number }) => number },
  { type: VARCHAR, value: ({ key }) => key },
  { type: VARCHAR, value: ({ kind }) => kind },
  { type: BOOLEAN, value: ({ hasNull }) => hasNull },
  { type: BOOLEAN, value: ({ hasInJson }) => hasInJson },
  { type: DOUBLE, value: ({ width }) => width },
  { type: DOUBLE, value: ({ filled }) => filled },
]

async function readColumns(connection: DuckDBConnection): Promise<EventColumn[]> {
  const found = await connection.runAndReadAll(
    'SELECT key, number, kind, has_null, has_in_json, width, filled::DOUBLE FROM property_columns ORDER BY number',
  )
  return found.getRows().map(([key, number, kind, hasNull, hasInJson, width, filled]) => ({
    key: key as string,
    number: number as number,
    kind: kind as PropertyKind,
    hasNull: hasNull as boolean,
    hasInJson: hasInJson as boolean,
    width: width as number,
    filled: filled as number,
  }))
}

/** Those of keys that lost their place are dropped: nobody reads yet. */
export async function dropUnlisted(
  connection: DuckDBConnection,
  table: PropertyTable,
  columns: PropertyColumn[],
): Promise<TableColumn[]> {
  // Quicker than a look into the catalog.
  const empty = await connection.runAndReadAll(`FROM ${table} LIMIT 0`)
  const inTable = empty
    .columnNames()
    .map((name, place) => ({ name, type: String(empty.columnType(place)) as ColumnType }))
    .filter(({ name }) => /^p[0-9]+$/.test(name))
  const kept = keptColumns({ columns, inTable })
  for (const column of inTable) {
    if (!kept.includes(column)) await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column.name}`)
  }
  return kept
}

/** In a transaction, when the store is opened. */
export async function readProperties(connection: DuckDBConnection, lastOrd: number): Promise<KnownProperties> {
  await forgetBeyond(connection, lastOrd)
  const columns = await readColumns(connection)
  const found = await connection.runAndReadAll('SELECT coalesce(max(to_ord), 0)::DOUBLE FROM key_blocks')
  const inTable = await dropUnlisted(connection, 'events', columns)
  return { columns, inTable, scanned: found.getRows()[0]?.[0] as number }
}

/** The columns of the table for keys that have not lost their place, in its order. */
export function keptColumns({ columns, inTable }: KnownColumns<PropertyColumn>): TableColumn[] {
  const listed = new Set(tableColumns(columns).map(({ name }) => name))
  return inTable.filter(({ name }) => listed.has(name))
}

/** Adds the columns to the table of the database that the connection uses. */
export async function addColumns(
  connection: DuckDBConnection,
  table: PropertyTable,
  columns: TableColumn[],
): Promise<void> {
  for (const { name, type } of columns) await connection.run(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`)
}

/** Stores which columns of events there are and how far they are filled. */
export async function writeColumns(connection: DuckDBConnection, columns: EventColumn[]): Promise<void> {
  await connection.run('DELETE FROM property_columns')
  await appendRows(connection, 'property_columns', ROW_COLUMNS, columns)
}
