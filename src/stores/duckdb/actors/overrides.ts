/**
 * Who did an event, as one integer: `actor` of its row is the person that owned its distinct id when that was last looked
 * at, usually when it was captured, or the id's own hash where nobody did. Ids whose owner is another one by now have a
 * row in `overrides`, which wins: ids that moved to another person, ids of events that came late or from a version that
 * did not say whose they were. Rows of the projection that are not folded yet count as overrides themselves. When there
 * are many, they are written into the events.
 */
import { BIGINT, type DuckDBConnection, INTEGER, UINTEGER, VARCHAR } from '@duckdb/node-api'
import { idHash } from '../../id-hash.ts'
import type { Progress } from '../progress.ts'
import { appendRows, type Column } from '../values/append-rows.ts'
import { distinctHash, int } from '../values/literal.ts'

/** A temporary table of ids; each is in it once. */
const NAMED = 'named_ids'
const KEY = 'project_id, distinct_hash, distinct_id'

/** SQL of who did it, of a row with `person_id`, NULL for nobody, and `id_hash`. */
const ACTOR = 'coalesce(person_id, id_hash)'

/** Overrides the owners of the ids in `named_ids` by those they have now, and drops that table. */
async function overrideNamed(connection: DuckDBConnection): Promise<void> {
  const sides = ['distinct_ids', 'fresh_distinct_ids'].map(
    (table) => `SELECT ${NAMED}.id_hash, seq, person_id FROM ${table} JOIN ${NAMED} USING (${KEY})`,
  )
  await connection.run(`DELETE FROM overrides WHERE id_hash IN (SELECT id_hash FROM ${NAMED})`)
  await connection.run(`INSERT INTO overrides
    SELECT project_id, id_hash, coalesce(seq, 0), coalesce(actor, id_hash), false FROM ${NAMED} LEFT JOIN (
      SELECT id_hash, max(seq) AS seq, arg_max(${ACTOR}, seq) AS actor FROM (${sides.join(' UNION ALL ')})
      GROUP BY id_hash) USING (id_hash)`)
  await connection.run(`DROP TABLE ${NAMED}`)
}

/**
 * SQL of whether an override may go once it is in the events. One whose id has rows that are not folded stays: such a row
 * may have come late, and only the override knows that it does not count.
 */
export const IS_SETTLED = 'id_hash NOT IN (SELECT id_hash FROM fresh_distinct_ids)'

/** SQL of how many may go. */
export const COUNT_SETTLED = `SELECT count(*) FROM overrides WHERE ${IS_SETTLED}`

export async function countOverrides(connection: DuckDBConnection): Promise<Pick<Progress, 'overrides'>> {
  const [[overrides] = []] = (await connection.runAndReadAll(COUNT_SETTLED)).getRows()
  return { overrides: Number(overrides) }
}

/** An id as it stands in an event. */
export interface UsedId {
  projectId: number
  distinctId: string
}

const ID_COLUMNS: Column<UsedId>[] = [
  { type: INTEGER, value: ({ projectId }) => projectId },
  { type: UINTEGER, value: ({ distinctId }) => distinctHash(distinctId) },
  { type: VARCHAR, value: ({ distinctId }) => distinctId },
  { type: BIGINT, value: ({ projectId, distinctId }) => idHash(projectId, distinctId) },
]

const USED = 'used_ids'

/** Gives these ids to `work` as a temporary table. */
async function withUsed<T>(connection: DuckDBConnection, ids: UsedId[], work: () => Promise<T>): Promise<T> {
  await connection.run(`CREATE TEMP TABLE ${USED} (
    project_id INTEGER, distinct_hash UINTEGER, distinct_id VARCHAR, id_hash BIGINT)`)
  await appendRows(connection, USED, ID_COLUMNS, ids)
  const result = await work()
  await connection.run(`DROP TABLE ${USED}`)
  return result
}

/** Whoever owns these ids now did their events, whatever the events say. */
export async function overrideOwners(connection: DuckDBConnection, ids: UsedId[]): Promise<void> {
  if (ids.length === 0) return
  await withUsed(connection, ids, () => connection.run(`CREATE TEMP TABLE ${NAMED} AS SELECT DISTINCT * FROM ${USED}`))
  await overrideNamed(connection)
}

/** Of these ids those whose owner was set by changes between two numbers, neither of them included. */
export async function movedBetween(
  connection: DuckDBConnection,
  ids: UsedId[],
  [after, before]: [number, number],
): Promise<UsedId[]> {
  const between = `seq > ${int(after)} AND seq < ${int(before)}`
  const moves = ['distinct_ids', 'fresh_distinct_ids'].map((table) => `SELECT ${KEY} FROM ${table} WHERE ${between}`)
  const found = await withUsed(connection, ids, () =>
    connection.runAndReadAll(`SELECT DISTINCT id_hash FROM ${USED}
      SEMI JOIN (${moves.join(' UNION ALL ')}) USING (${KEY})`),
  )
  // By number: a text that is not well-formed comes back from the engine as another.
  const moved = new Set(found.getRows().map(([number]) => number))
  return ids.filter(({ projectId, distinctId }) => moved.has(idHash(projectId, distinctId)))
}

/**
 * Folds rows of the projection, given as SQL. Ids that have events of another than they now belong to are overridden, and
 * so are those that were before.
 */
export async function foldingOwners(
  connection: DuckDBConnection,
  fresh: string,
  fold: () => Promise<void>,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${NAMED} AS
    WITH new AS MATERIALIZED (SELECT ${KEY}, id_hash, ${ACTOR} AS actor FROM ${fresh})
    SELECT new.* EXCLUDE (actor) FROM new SEMI JOIN overrides USING (id_hash)
    UNION SELECT new.* EXCLUDE (actor) FROM events JOIN new ON events.id_hash = new.id_hash
      WHERE events.actor <> new.actor`)
  await fold()
  await overrideNamed(connection)
}

/** After rows of the projection were erased: forgets these ids, unless there are events of theirs. `ids`: a table. */
export async function overrideErased(connection: DuckDBConnection, ids: string): Promise<void> {
  await connection.run(`DELETE FROM overrides WHERE id_hash IN (SELECT id_hash FROM ${ids})`)
  await connection.run(`CREATE TEMP TABLE ${NAMED} AS
    SELECT DISTINCT ${KEY}, id_hash FROM ${ids} SEMI JOIN events USING (id_hash)`)
  await overrideNamed(connection)
}

/** SQL of the actors of ids whose owner is another one by now: `id_hash` and `changed_actor`. */
export const changedActors = (projectId: number): string => {
  const project = `project_id = ${int(projectId)}`
  return `SELECT id_hash, arg_max(actor, seq) AS changed_actor FROM (
      SELECT id_hash, seq, actor FROM overrides WHERE ${project}
      UNION ALL SELECT id_hash, seq, ${ACTOR} FROM fresh_distinct_ids WHERE ${project})
    GROUP BY id_hash`
}
