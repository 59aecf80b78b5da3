/**
 * The latest properties of a project, bounded in number. Of those that are too long for a row only the ids of the very
 * latest are returned.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'

/** Maximum number of events or persons that are read. */
const LATEST = 100_000
/** Maximum number of those with long properties. */
const LATEST_LONG = 1_000

/** Events are counted in blocks of this many neighbours: sorting them all would take ten times as long. */
const BLOCK_EVENTS = 8_192

/** Writes SQL, binding its texts. */
export type WriteSql = (texts: Texts) => string

/** The `ord` from which on there are at least `LATEST` events under this condition; 0 when there are fewer. */
export async function firstOfLatest(connection: DuckDBConnection, condition: WriteSql, count: number): Promise<bigint> {
  const texts = new Texts()
  const sql = `SELECT max(block) FROM (
    SELECT block, sum(count(*)) OVER (ORDER BY block DESC) AS events
    FROM (SELECT ord // ${BLOCK_EVENTS} AS block FROM events WHERE ${condition(texts)}) GROUP BY block)
    WHERE events >= ${int(count)}`
  const [row] = await texts.rows(connection, sql)
  return ((row?.[0] as bigint | null) ?? 0n) * BigInt(BLOCK_EVENTS)
}

/** Where properties are: the tables that hold them in their rows, and ids of long texts, the latest first. */
export interface Latest {
  tables: WriteSql[]
  longIds: bigint[]
}

export async function latestEvents(connection: DuckDBConnection, condition: WriteSql): Promise<Latest> {
  const first = await firstOfLatest(connection, condition, LATEST)
  const rows = (texts: Texts, columns: string) =>
    `SELECT ${columns} FROM events WHERE ${condition(texts)} AND ord >= ${int(first)}`
  const texts = new Texts()
  const long = await texts.rows(
    connection,
    `${rows(texts, 'long_id')} AND long_id IS NOT NULL ORDER BY ord DESC LIMIT ${LATEST_LONG}`,
  )
  return {
    tables: [(bound) => `${rows(bound, 'properties')} AND long_id IS NULL`],
    longIds: long.map(([id]) => id as bigint),
  }
}

/** The latest persons in their current state: first which rows these are, then their content. */
export async function latestPeople(connection: DuckDBConnection, projectId: number): Promise<Latest> {
  const state = (isFresh: boolean) => `{'fresh': ${isFresh}, 'row': rowid, 'gone': deleted}`
  const stated = (table: string, isFresh: boolean) =>
    `SELECT person_id, seq, ${state(isFresh)} AS state FROM ${table} WHERE project_id = ${int(projectId)}`
  const newest = `SELECT arg_max(state, seq) AS state
    FROM (${stated('persons', false)} UNION ALL ${stated('fresh_persons', true)})
    GROUP BY person_id HAVING NOT arg_max(state, seq).gone ORDER BY person_id DESC LIMIT ${LATEST}`
  const sides = (columns: string, condition: string) =>
    (['persons', 'fresh_persons'] as const).map(
      (table) => `SELECT ${columns} FROM ${table} WHERE rowid IN (
        SELECT state.row FROM (${newest}) WHERE state.fresh = ${table === 'fresh_persons'}) AND ${condition}`,
    )
  const long = await connection.runAndReadAll(
    `SELECT long_id FROM (${sides('person_id, long_id', 'long_id IS NOT NULL').join(' UNION ALL ')})
      ORDER BY person_id DESC LIMIT ${LATEST_LONG}`,
  )
  return {
    tables: sides('properties', 'long_id IS NULL').map((side) => () => side),
    longIds: long.getRows().map(([id]) => id as bigint),
  }
}
