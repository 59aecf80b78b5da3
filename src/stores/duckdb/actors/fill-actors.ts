/** Gives the events of an earlier version their actors, as they are now. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { current, OWNERS } from '../people/current-people.ts'
import { type OrdRange, within } from '../properties/key-blocks.ts'
import { idHashSql } from './id-hash-sql.ts'

/** The events without an actor; null: there are none. */
export async function readUnfilled(connection: DuckDBConnection): Promise<OrdRange | null> {
  const sql = 'SELECT min(ord)::DOUBLE - 1, max(ord)::DOUBLE FROM events WHERE actor IS NULL'
  const [[from, to] = []] = (await connection.runAndReadAll(sql)).getRows() as [number | null, number | null][]
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : null
}

/** The next ones, in a transaction; returns what is left. */
export async function fillActors(
  connection: DuckDBConnection,
  { from, to }: OrdRange,
  most: number,
): Promise<OrdRange | null> {
  const range = { from, to: Math.min(from + most, to) }
  const owners = current(OWNERS, { projectId: null, columns: 'row.project_id, row.distinct_id, row.person_id' })
  await connection.run(`UPDATE events SET id_hash = filled.id_hash, actor = filled.actor FROM (
      SELECT row, id_hash, coalesce(person_id, id_hash) AS actor FROM (
        SELECT events.rowid AS row, project_id, distinct_id, ${idHashSql('events')} AS id_hash FROM events
        WHERE ${within(range)} AND actor IS NULL)
      LEFT JOIN (${owners}) USING (project_id, distinct_id)) AS filled
    WHERE events.rowid = filled.row AND ${within(range)}`)
  return range.to === to ? null : { from: range.to, to }
}
