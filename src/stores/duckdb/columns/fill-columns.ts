/**
 * Fills the columns of common properties from the JSON: the next events of the columns that are behind the others,
 * until all have reached the events whose keys are known.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { blocksWith, type OrdRange, within } from '../properties/key-blocks.ts'
import {
  KINDS,
  type KnownProperties,
  MAX_BYTES,
  nameOf,
  type PropertyColumn,
  type PropertyKind,
  writeColumns,
} from '../properties/property-columns.ts'
import { jsonPointer, singleThreaded } from '../properties/property-sql.ts'
import { columnNumber } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'

/** SQL of what the column holds, given the text form of the value, which is of the column's kind; NULL: it cannot. */
const HELD: Record<PropertyKind, (text: string) => string> = {
  string: (text) => `CASE WHEN strlen(${text}) <= ${MAX_BYTES} AND ${text} < ${KINDS.string.null} THEN ${text} END`,
  number: columnNumber,
  boolean: (text) => `(${text} = 'true')::UTINYINT`,
}

/** The JSON types of values of a kind. */
const TYPES: Record<PropertyKind, string> = {
  string: `'VARCHAR'`,
  number: `'BIGINT', 'UBIGINT', 'DOUBLE'`,
  boolean: `'BOOLEAN'`,
}

/** SQL of a column's value, given that of the text form under its key and of its JSON type. */
function valueSql({ kind }: PropertyColumn, text: string, type: string): string {
  const { null: ofNull, inJson } = KINDS[kind]
  return `CASE WHEN ${type} IN (${TYPES[kind]}) THEN coalesce(${HELD[kind](text)}, ${inJson})
    WHEN ${type} = 'NULL' THEN ${ofNull} WHEN ${type} IS NOT NULL THEN ${inJson} END`
}

/** Two functions read all keys: one value at a time would take three times as long. */
async function fillRange(connection: DuckDBConnection, columns: PropertyColumn[], range: OrdRange) {
  const texts = new Texts()
  const pointers = texts.list(columns.map(({ key }) => jsonPointer(key)))
  const json = singleThreaded(
    `SELECT rowid AS row, json_extract_string(properties, ${pointers}) AS text, json_type(properties, ${pointers}) AS type
      FROM events WHERE ${within(range)} AND long_id IS NULL`,
  )
  const values = columns.map(
    (column, place) => `${valueSql(column, `text[${place + 1}]`, `type[${place + 1}]`)} AS ${nameOf(column)}`,
  )
  await texts.rows(
    connection,
    `UPDATE events SET ${columns.map((column) => `${nameOf(column)} = filled.${nameOf(column)}`).join(', ')}
      FROM (SELECT row, ${values.join(', ')} FROM ${json}) AS filled WHERE events.rowid = filled.row AND ${within(range)}`,
  )
}

/** Of each column, which marks the range has. */
async function marksIn(connection: DuckDBConnection, columns: PropertyColumn[], range: OrdRange) {
  const has = (column: PropertyColumn, mark: string) => `coalesce(bool_or(${nameOf(column)} = ${mark}), false)`
  const marks = columns.flatMap((column) => {
    const { null: ofNull, inJson } = KINDS[column.kind]
    return [has(column, ofNull), has(column, inJson)]
  })
  const sql = `SELECT ${marks.join(', ')} FROM events WHERE ${within(range)}`
  const [row = []] = (await connection.runAndReadAll(sql)).getRows()
  return columns.map((_, place) => ({ hasNull: row[place * 2] === true, hasInJson: row[place * 2 + 1] === true }))
}

interface Fill {
  /** The columns that are behind the others. */
  behind: PropertyColumn[]
  range: OrdRange
  /** Whether none of the events in the range has any of their keys. */
  isEmpty: boolean
}

async function nextFill(connection: DuckDBConnection, known: KnownProperties, most: number): Promise<Fill> {
  const bounds = known.columns.map(({ filled }) => filled)
  const from = Math.min(...bounds)
  const end = Math.min(known.scanned, ...bounds.filter((bound) => bound > from))
  const behind = known.columns.filter(({ filled }) => filled === from)
  const blocks = await blocksWith(
    connection,
    behind.map(({ key }) => key),
  )
  const next = blocks.find(({ to }) => to > from)
  const isEmpty = next === undefined || next.from > from
  const to = isEmpty ? Math.min(next?.from ?? end, end) : Math.min(from + most, next.to, end)
  return { behind, range: { from, to }, isEmpty }
}

export const fillIsDue = ({ columns, scanned }: KnownProperties): boolean =>
  columns.some(({ filled }) => filled < scanned)

/** In a transaction; the columns as they are then. */
export async function fillColumns(
  connection: DuckDBConnection,
  known: KnownProperties,
  most: number,
): Promise<PropertyColumn[]> {
  const { behind, range, isEmpty } = await nextFill(connection, known, most)
  if (!isEmpty) await fillRange(connection, behind, range)
  const marks = isEmpty ? [] : await marksIn(connection, behind, range)
  const columns = known.columns.map((column) => {
    const place = behind.indexOf(column)
    if (place < 0) return column
    const { hasNull = false, hasInJson = false } = marks[place] ?? {}
    const [anyNull, anyInJson] = [column.hasNull || hasNull, column.hasInJson || hasInJson]
    return { ...column, filled: range.to, hasNull: anyNull, hasInJson: anyInJson }
  })
  await writeColumns(connection, columns)
  return columns
}
