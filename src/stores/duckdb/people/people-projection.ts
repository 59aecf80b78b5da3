/**
 * The people projection: distinct id → person, and the person's properties. The rows of a batch are appended to
 * `fresh_…` and folded into the main table in bulk; of several rows for one key the highest `seq` counts, in whichever
 * table it is. Upserting each batch at once was tried: with a million persons it took 60 ms a batch, and its in-place
 * updates made the engine rewrite the table at every thousandth commit.
 */
import { BIGINT, BOOLEAN, DOUBLE, type DuckDBConnection, INTEGER, UINTEGER, VARCHAR } from '@duckdb/node-api'
import type { ProjectedPerson } from '../../../model/events/event.ts'
import type { DistinctIdProjection } from '../../../model/events/outbox.ts'
import { idHash } from '../../id-hash.ts'
import { lastDistinctIds, lastPersons, type WrittenContent, type WrittenPerson } from '../../outbox/batch-text.ts'
import { foldedIdOf, searchTextOf } from '../../search-text.ts'
import { countOverrides, foldingOwners } from '../actors/overrides.ts'
import type { Parts, Progress } from '../progress.ts'
import { appendRows, type Column } from '../values/append-rows.ts'
import { distinctHash, int } from '../values/literal.ts'
import { type LongTexts, readLongText, type StoredText, sweepLongTexts } from '../values/long-texts.ts'

interface PeopleBatch extends Pick<WrittenContent, 'persons' | 'distinctIds'> {
  seq: number
}

interface PersonRow {
  person: WrittenPerson
  seq: number
  properties: StoredText
  /** Bytes of the properties; null when there is no search text. */
  width: number | null
  search: string | null
}

interface DistinctIdRow {
  owner: DistinctIdProjection
  seq: number
}

const PERSON_COLUMNS: Column<PersonRow>[] = [
  { type: INTEGER, value: ({ person }) => person.projectId },
  { type: DOUBLE, value: ({ person }) => person.personId },
  { type: DOUBLE, value: ({ seq }) => seq },
  { type: VARCHAR, value: ({ person }) => person.uuid },
  { type: VARCHAR, value: ({ properties }) => properties.text },
  { type: DOUBLE, value: ({ properties }) => properties.longId },
  { type: DOUBLE, value: ({ person }) => person.createdAt },
  { type: BOOLEAN, value: ({ person }) => person.deleted },
  { type: DOUBLE, value: ({ person }) => person.updatedAt },
  { type: DOUBLE, value: ({ person }) => person.lastSeenAt },
  { type: BOOLEAN, value: ({ person }) => person.isIdentified },
  { type: INTEGER, value: ({ width }) => width },
  { type: VARCHAR, value: ({ search }) => search },
]

const DISTINCT_ID_COLUMNS: Column<DistinctIdRow>[] = [
  { type: INTEGER, value: ({ owner }) => owner.projectId },
  { type: UINTEGER, value: ({ owner }) => distinctHash(owner.distinctId) },
  { type: VARCHAR, value: ({ owner }) => owner.distinctId },
  { type: DOUBLE, value: ({ seq }) => seq },
  { type: DOUBLE, value: ({ owner }) => owner.personId },
  { type: VARCHAR, value: ({ owner }) => foldedIdOf(owner.distinctId) },
  { type: BIGINT, value: ({ owner }) => idHash(owner.projectId, owner.distinctId) },
]

const personRows = ({ persons, seq }: PeopleBatch, longTexts: LongTexts): PersonRow[] =>
  lastPersons(persons).map((person) => {
    const search = searchTextOf(person.properties)
    return {
      person,
      seq,
      properties: longTexts.keep(person.projectId, person.properties),
      width: search === null ? null : Buffer.byteLength(person.properties),
      search,
    }
  })

const distinctIdRows = ({ distinctIds, seq }: PeopleBatch): DistinctIdRow[] =>
  lastDistinctIds(distinctIds).map((owner) => ({ owner, seq }))

/** Appends the projection rows of these batches; returns how many of each kind. */
export async function appendPeople(
  connection: DuckDBConnection,
  batches: PeopleBatch[],
  longTexts: LongTexts,
): Promise<Pick<Progress, 'freshPersons' | 'freshDistinctIds'>> {
  const persons = batches.flatMap((batch) => personRows(batch, longTexts))
  const distinctIds = batches.flatMap(distinctIdRows)
  await appendRows(connection, 'fresh_persons', PERSON_COLUMNS, persons)
  await appendRows(connection, 'fresh_distinct_ids', DISTINCT_ID_COLUMNS, distinctIds)
  return { freshPersons: persons.length, freshDistinctIds: distinctIds.length }
}

const FOLDED = {
  persons: { key: 'project_id, person_id', columns: 'new.*' },
  distinct_ids: { key: 'project_id, distinct_hash, distinct_id', columns: 'new.* EXCLUDE (id_hash)' },
}

const freshUpTo = (table: keyof typeof FOLDED, last: string) => `(SELECT * FROM fresh_${table} WHERE rowid <= ${last})`

async function foldRows(connection: DuckDBConnection, table: keyof typeof FOLDED, last: string): Promise<void> {
  const { key, columns } = FOLDED[table]
  const some = freshUpTo(table, last)
  await connection.run(`DELETE FROM ${table} WHERE rowid IN (
    SELECT old.rowid FROM ${table} AS old JOIN ${some} AS new USING (${key}) WHERE new.seq > old.seq)`)
  // The columns of common properties are filled later.
  await connection.run(`INSERT INTO ${table} BY NAME
    SELECT ${columns} FROM ${some} AS new ANTI JOIN ${table} AS old USING (${key})
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY new.seq DESC) = 1`)
  await connection.run(`DELETE FROM fresh_${table} WHERE rowid <= ${last}`)
}

/** Folds fresh rows up to this row number. */
async function fold(connection: DuckDBConnection, table: keyof typeof FOLDED, last: string): Promise<void> {
  const folding = () => foldRows(connection, table, last)
  if (table === 'distinct_ids') await foldingOwners(connection, freshUpTo(table, last), folding)
  else await folding()
}

/** A row number that no row has. */
const ALL = int(Number.MAX_SAFE_INTEGER)

/** After rows of people were folded. */
const foldedPersons = ({ progress, personProperties }: Parts, rows: number) => ({
  unseenPersons: progress.unseenPersons + rows,
  unfilledPersons: personProperties.columns.length === 0 ? 0 : progress.unfilledPersons + rows,
})

/** Folds all fresh rows; afterwards no superseded row is left. */
export async function foldAll(connection: DuckDBConnection, parts: Parts): Promise<Partial<Progress>> {
  await fold(connection, 'persons', ALL)
  await fold(connection, 'distinct_ids', ALL)
  return { freshPersons: 0, freshDistinctIds: 0, ...foldedPersons(parts, parts.progress.freshPersons) }
}

/**
 * Folds the first fresh rows of a table, at most as many as `limits` has for both; returns how many. Of several rows for
 * one key the highest `seq` counts, wherever it is, so that any of them may be folded before the others.
 */
async function foldSome(connection: DuckDBConnection, table: keyof typeof FOLDED, { limits }: Parts): Promise<number> {
  const first = `SELECT rowid FROM fresh_${table} ORDER BY rowid LIMIT ${int(limits.foldRows)}`
  const found = await connection.runAndReadAll(`SELECT count(*), max(rowid) FROM (${first})`)
  const [count, last] = found.getRows()[0] as [bigint, bigint | null]
  if (last !== null) await fold(connection, table, int(last))
  return Number(count)
}

export async function foldPersons(connection: DuckDBConnection, parts: Parts): Promise<Partial<Progress>> {
  const { lastLongId, freshPersons } = parts.progress
  const folded = await foldSome(connection, 'persons', parts)
  if (lastLongId > 0) await sweepLongTexts(connection)
  return { freshPersons: freshPersons - folded, ...foldedPersons(parts, folded) }
}

export async function foldDistinctIds(connection: DuckDBConnection, parts: Parts): Promise<Partial<Progress>> {
  const { freshDistinctIds } = parts.progress
  const folded = await foldSome(connection, 'distinct_ids', parts)
  return { freshDistinctIds: freshDistinctIds - folded, ...(await countOverrides(connection)) }
}

const newest = (table: string, columns: string, condition: string) => `
  SELECT ${columns} FROM (
    SELECT seq, ${columns} FROM ${table} WHERE ${condition}
    UNION ALL SELECT seq, ${columns} FROM fresh_${table} WHERE ${condition})
  ORDER BY seq DESC LIMIT 1`

export async function personOf(
  { database }: Parts,
  projectId: number,
  distinctId: string,
): Promise<ProjectedPerson | null> {
  const project = `project_id = ${int(projectId)}`
  return database.read(async (connection) => {
    const sameId = `${project} AND distinct_hash = ${int(distinctHash(distinctId))} AND distinct_id = $1`
    const owner = await connection.runAndReadAll(newest('distinct_ids', 'person_id', sameId), [distinctId])
    const personId = owner.getRows()[0]?.[0] as bigint | null | undefined
    if (personId === null || personId === undefined) return null
    const columns = 'uuid, properties, long_id, created_at, deleted, updated_at, last_seen_at, is_identified'
    const sql = newest('persons', columns, `${project} AND person_id = ${int(personId)}`)
    const [row] = (await connection.runAndReadAll(sql)).getRowObjects()
    if (!row || row.deleted === true) return null
    const { properties, long_id } = row
    const text = properties === null ? await readLongText(connection, long_id as bigint) : (properties as string)
    return {
      projectId,
      personId: Number(personId),
      uuid: String(row.uuid),
      properties: JSON.parse(text),
      createdAt: row.created_at as number,
      updatedAt: row.updated_at as number | null,
      lastSeenAt: row.last_seen_at as number | null,
      isIdentified: row.is_identified as boolean | null,
      deleted: false,
    }
  })
}
