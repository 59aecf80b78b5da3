/**
 * Fills the columns of common properties of events from the JSON: the next events of the columns that are behind the
 * others, until all have reached the events whose keys are known.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { blocksWith, type OrdRange, within } from '../properties/key-blocks.ts'
import { type EventColumn, KINDS, type KnownProperties, nameOf, writeColumns } from '../properties/property-columns.ts'
import { fillRows } from './fill-rows.ts'

/** Of each column, which marks the range has. */
async function marksIn(connection: DuckDBConnection, columns: EventColumn[], range: OrdRange) {
  const has = (column: EventColumn, mark: string) => `coalesce(bool_or(${nameOf(column)} = ${mark}), false)`
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
  behind: EventColumn[]
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

/** In a transaction; the columns as they are then. */
export async function fillColumns(
  connection: DuckDBConnection,
  known: KnownProperties,
  most: number,
): Promise<EventColumn[]> {
  const { behind, range, isEmpty } = await nextFill(connection, known, most)
  if (!isEmpty) await fillRows(connection, behind, { table: 'events', where: within(range) })
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
