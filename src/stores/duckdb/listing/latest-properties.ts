/**
 * The latest properties of a project, as a table `learned` of JSON texts for statements that learn from them. Their
 * number is bounded. None of them is kept while a statement runs: at 8 KB each they would not fit into memory.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { int } from '../literal.ts'
import type { Texts } from '../texts.ts'

/** So many events or persons are learned from. */
export const LATEST = 100_000

/** Of long texts so many parts at most, each of 8,192 units: some 16 to 48 MB. */
const LONG_PARTS = 2_000

/** Events are counted by so many neighbours: sorting them all would take ten times as long. */
const NEIGHBOURS = 8_192

/** The `ord` from which on there are so many events under this condition, or some more; 0 when there are fewer. */
export async function firstOfLatest(
  connection: DuckDBConnection,
  texts: Texts,
  condition: string,
  count: number,
): Promise<bigint> {
  const sql = `SELECT max(block) FROM (
    SELECT block, sum(count(*)) OVER (ORDER BY block DESC) AS events
    FROM (SELECT ord // ${NEIGHBOURS} AS block FROM events WHERE ${condition}) GROUP BY block)
    WHERE events >= ${int(count)}`
  const [row] = await texts.rows(connection, sql)
  return ((row?.[0] as bigint | null) ?? 0n) * BigInt(NEIGHBOURS)
}

/**
 * SQL of `learned` out of `latest`, whose rows have `properties` and `long_id`; of the long ones, those that came
 * last. The limit cuts nothing off: it makes reading the work of one thread, which takes half the memory.
 */
const learned = (projectId: number): string => `
  latest_long AS (
    SELECT id FROM (
      SELECT id, sum(count(*)) OVER (ORDER BY id DESC) AS parts FROM long_texts
      WHERE project_id = ${int(projectId)} AND id IN (SELECT long_id FROM latest WHERE long_id IS NOT NULL) GROUP BY id)
    WHERE parts <= ${LONG_PARTS}),
  learned AS (
    SELECT properties FROM (SELECT properties FROM latest WHERE long_id IS NULL LIMIT ${LATEST + NEIGHBOURS})
    UNION ALL
    SELECT string_agg(text, '' ORDER BY part) FROM long_texts WHERE id IN (SELECT id FROM latest_long) GROUP BY id)`

/** `WITH …` that defines `learned` out of these events, from the given `ord` on. */
export const learnedOfEvents = (projectId: number, condition: string, firstOrd: bigint): string => `
  WITH latest AS NOT MATERIALIZED (
    SELECT properties, long_id FROM events WHERE ${condition} AND ord >= ${int(firstOrd)}),
  ${learned(projectId)}`

/** The same out of the persons that came last, as they are now: first which rows that are, then what is in them. */
export function learnedOfPeople(projectId: number): string {
  const state = (isFresh: boolean) => `{'fresh': ${isFresh}, 'row': rowid, 'gone': deleted}`
  const rows = (table: string, isFresh: boolean) =>
    `SELECT person_id, seq, ${state(isFresh)} AS state FROM ${table} WHERE project_id = ${int(projectId)}`
  const texts = (table: string, isFresh: boolean) =>
    `SELECT properties, long_id FROM ${table}
      WHERE rowid IN (SELECT state.row FROM newest WHERE ${isFresh ? '' : 'NOT '}state.fresh)`
  return `WITH newest AS MATERIALIZED (
      SELECT person_id, arg_max(state, seq) AS state
      FROM (${rows('persons', false)} UNION ALL ${rows('fresh_persons', true)})
      GROUP BY person_id HAVING NOT arg_max(state, seq).gone ORDER BY person_id DESC LIMIT ${LATEST}),
    latest AS NOT MATERIALIZED (${texts('persons', false)} UNION ALL ${texts('fresh_persons', true)}),
    ${learned(projectId)}`
}
