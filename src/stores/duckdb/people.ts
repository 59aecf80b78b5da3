/**
 * The people projection: distinct id → person, and the person's properties. What a batch brings is appended
 * to `fresh_…` and folded into the main table in bulk; of several rows for one key the highest `seq` counts,
 * wherever it lies. Upserting each batch at once was tried: with a million persons it took 60 ms a batch, and
 * its in-place updates made the engine rewrite the table at every commit of a thousand.
 */
import { BOOLEAN, DOUBLE, type DuckDBConnection, INTEGER, UINTEGER, VARCHAR } from '@duckdb/node-api'
import type { DistinctIdProjection, OutboxBatch, PersonProjection } from '../../model/outbox.ts'
import { appendRows, type Column } from './append.ts'
import { distinctHash, fromMicros, int, microsOf } from './literal.ts'
import type { Database } from './open.ts'
import type { Progress } from './progress.ts'

const FOLD_AT_ROWS = 50_000

type Stamped<T> = T & { seq: number }

const PERSON_COLUMNS: Column<Stamped<PersonProjection>>[] = [
  { type: INTEGER, value: (row) => row.projectId },
  { type: DOUBLE, value: (row) => row.personId },
  { type: DOUBLE, value: (row) => row.seq },
  { type: VARCHAR, value: (row) => row.uuid },
  { type: VARCHAR, value: (row) => JSON.stringify(row.properties) },
  { type: DOUBLE, value: (row) => microsOf(row.createdAt) },
  { type: BOOLEAN, value: (row) => row.deleted },
]

const DISTINCT_ID_COLUMNS: Column<Stamped<DistinctIdProjection>>[] = [
  { type: INTEGER, value: (row) => row.projectId },
  { type: UINTEGER, value: (row) => distinctHash(row.distinctId) },
  { type: VARCHAR, value: (row) => row.distinctId },
  { type: DOUBLE, value: (row) => row.seq },
  { type: DOUBLE, value: (row) => row.personId },
]

/** Rows with their batch's seq; where a batch names a key twice, its last word. */
function lastWords<T>(
  batches: OutboxBatch[],
  rows: (batch: OutboxBatch) => T[],
  key: (row: T) => string,
): Stamped<T>[] {
  return batches.flatMap((batch) => {
    const byKey = new Map(rows(batch).map((row) => [key(row), { ...row, seq: batch.seq }]))
    return [...byKey.values()]
  })
}

/** Appends the projection rows of these batches; tells how many of each kind. */
export async function appendPeople(
  connection: DuckDBConnection,
  batches: OutboxBatch[],
): Promise<Pick<Progress, 'freshPersons' | 'freshDistinctIds'>> {
  const persons = lastWords(
    batches,
    (batch) => batch.persons,
    (row) => `${row.projectId}/${row.personId}`,
  )
  const distinctIds = lastWords(
    batches,
    (batch) => batch.distinctIds,
    (row) => `${row.projectId}/${row.distinctId}`,
  )
  await appendRows(connection, 'fresh_persons', PERSON_COLUMNS, persons)
  await appendRows(connection, 'fresh_distinct_ids', DISTINCT_ID_COLUMNS, distinctIds)
  return { freshPersons: persons.length, freshDistinctIds: distinctIds.length }
}

async function fold(connection: DuckDBConnection, table: string, key: string): Promise<void> {
  const fresh = `fresh_${table}`
  await connection.run(`DELETE FROM ${table} WHERE rowid IN (
    SELECT old.rowid FROM ${table} AS old JOIN ${fresh} AS new USING (${key}) WHERE new.seq > old.seq)`)
  await connection.run(`INSERT INTO ${table}
    SELECT new.* FROM ${fresh} AS new ANTI JOIN ${table} AS old USING (${key})
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY new.seq DESC) = 1`)
  await connection.run(`DELETE FROM ${fresh}`)
}

/** Folds fresh rows into the main tables once there are many. */
export async function foldPeople(database: Database, progress: Progress): Promise<void> {
  if (progress.freshPersons + progress.freshDistinctIds < FOLD_AT_ROWS) return
  await database.write(
    async (connection) => {
      await fold(connection, 'persons', 'project_id, person_id')
      await fold(connection, 'distinct_ids', 'project_id, distinct_hash, distinct_id')
    },
    () => {
      progress.freshPersons = 0
      progress.freshDistinctIds = 0
    },
  )
}

const newest = (table: string, columns: string, condition: string) => `
  SELECT ${columns} FROM (
    SELECT seq, ${columns} FROM ${table} WHERE ${condition}
    UNION ALL SELECT seq, ${columns} FROM fresh_${table} WHERE ${condition})
  ORDER BY seq DESC LIMIT 1`

export async function personOf(
  database: Database,
  projectId: number,
  distinctId: string,
): Promise<PersonProjection | null> {
  const project = `project_id = ${int(projectId)}`
  return database.read(async (connection) => {
    const sameId = `${project} AND distinct_hash = ${int(distinctHash(distinctId))} AND distinct_id = $1`
    const owner = await connection.runAndReadAll(newest('distinct_ids', 'person_id', sameId), [distinctId])
    const personId = owner.getRows()[0]?.[0] as bigint | null | undefined
    if (personId === null || personId === undefined) return null
    const sql = newest(
      'persons',
      'uuid, properties, created_at, deleted',
      `${project} AND person_id = ${int(personId)}`,
    )
    const [uuid, properties, createdAt, deleted] = (await connection.runAndReadAll(sql)).getRows()[0] ?? []
    if (uuid === undefined || deleted === true) return null
    return {
      projectId,
      personId: Number(personId),
      uuid: String(uuid),
      properties: JSON.parse(properties as string),
      createdAt: fromMicros(createdAt as bigint),
      deleted: false,
    }
  })
}
