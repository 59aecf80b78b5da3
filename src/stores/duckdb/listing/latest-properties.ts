/**
 * The latest properties of a project, bounded in number. Of those that are too long for a row only the ids of the very
 * latest are returned.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { current, firstOfLatestPeople, presentPortions } from '../people/current-people.ts'
import { portionsByWidth } from '../people/people-portions.ts'
import { tableOf } from '../properties/property-sql.ts'
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

/** Where properties are: what to read them from, and ids of long texts, the latest first. */
export interface Latest {
  /** SQL of a table with `properties`, read by as many threads as its rows allow. */
  tables: WriteSql[]
  longIds: bigint[]
}

export async function latestEvents(
  connection: DuckDBConnection,
  condition: WriteSql,
  parsesInParallel: boolean,
): Promise<Latest> {
  const first = await firstOfLatest(connection, condition, LATEST)
  const rows = (texts: Texts, columns: string) =>
    `SELECT ${columns} FROM events WHERE ${condition(texts)} AND ord >= ${int(first)}`
  const texts = new Texts()
  const long = await texts.rows(
    connection,
    `${rows(texts, 'long_id')} AND long_id IS NOT NULL ORDER BY ord DESC LIMIT ${LATEST_LONG}`,
  )
  return {
    tables: [(bound) => tableOf(`${rows(bound, 'properties')} AND long_id IS NULL`, parsesInParallel)],
    longIds: long.map(([id]) => id as bigint),
  }
}

/** The latest persons in their current state: first which these are, then their content. */
export async function latestPeople(connection: DuckDBConnection, projectId: number): Promise<Latest> {
  const first = await firstOfLatestPeople(connection, projectId, LATEST)
  const portions = portionsByWidth(`row.person_id >= ${int(first ?? 0n)}`)
  const present = await presentPortions(connection, projectId, portions)
  const tables = present
    .filter(({ isLong }) => !isLong)
    .map((portion) => {
      const rows = current(portion.sides, { projectId, columns: 'row.properties', where: portion.where })
      return () => tableOf(rows, !portion.isWide)
    })
  const long = present.find(({ isLong }) => isLong)
  if (!long) return { tables, longIds: [] }
  const found = await connection.runAndReadAll(
    `FROM (${current(long.sides, { projectId, columns: 'row.person_id, row.long_id', where: long.where })})
      ORDER BY person_id DESC LIMIT ${LATEST_LONG}`,
  )
  return { tables, longIds: found.getRows().map(([, id]) => id as bigint) }
}
