/**
 * Removes the events of persons permanently, all requests in one transaction. The events to delete are found once, by
 * hash and id, and listed by their `ord`; every table then deletes what is listed. The same transaction stores the
 * counts in `erasures`, so that a caller that crashes before saving them elsewhere can read them again.
 */
import { BIGINT, DOUBLE, type DuckDBConnection, INTEGER, UINTEGER, VARCHAR } from '@duckdb/node-api'
import type { Erased, ErasureRequest } from '../../../model/events/erasure.ts'
import { type Span, spansOf } from '../../erasure-spans.ts'
import { idHash } from '../../id-hash.ts'
import { countOverrides, overrideErased } from '../actors/overrides.ts'
import { keepVersions, renewVersions } from '../data-versions.ts'
import { foldAll } from '../people/people-projection.ts'
import type { Parts } from '../progress.ts'
import { PROJECT_TABLES } from '../schema.ts'
import { appendRows, type Column } from '../values/append-rows.ts'
import { distinctHash, instant, int } from '../values/literal.ts'
import { sweepLongTexts } from '../values/long-texts.ts'

const SPAN_COLUMNS: Column<Span>[] = [
  { type: DOUBLE, value: (row) => row.request },
  { type: INTEGER, value: (row) => row.projectId },
  { type: DOUBLE, value: (row) => row.personId },
  { type: UINTEGER, value: (row) => distinctHash(row.distinctId) },
  { type: VARCHAR, value: (row) => row.distinctId },
  { type: DOUBLE, value: (row) => row.after },
  { type: DOUBLE, value: (row) => row.upTo },
  { type: BIGINT, value: (row) => idHash(row.projectId, row.distinctId) },
]

const PERSON_COLUMNS: Column<ErasureRequest>[] = [
  { type: INTEGER, value: (row) => row.projectId },
  { type: DOUBLE, value: (row) => row.personId },
  { type: DOUBLE, value: (row) => row.cutoffSeq },
]

async function list(connection: DuckDBConnection, requests: ErasureRequest[]): Promise<void> {
  await connection.run(`CREATE TEMP TABLE erasing (
    request BIGINT, project_id INTEGER, person_id BIGINT, distinct_hash UINTEGER, distinct_id VARCHAR,
    after BIGINT, up_to BIGINT, id_hash BIGINT)`)
  await connection.run('CREATE TEMP TABLE erasing_persons (project_id INTEGER, person_id BIGINT, up_to BIGINT)')
  await appendRows(connection, 'erasing', SPAN_COLUMNS, spansOf(requests))
  await appendRows(connection, 'erasing_persons', PERSON_COLUMNS, requests)
}

const listEventsToDelete = (connection: DuckDBConnection) =>
  connection.run(`CREATE TEMP TABLE to_delete AS
    SELECT ord, project_id, session_id, request FROM events JOIN erasing USING (project_id, distinct_hash, distinct_id)
    WHERE seq > after AND seq <= up_to`)

/** Removed rows stay in the file until it is rewritten: noted in the file itself, so that it is known after a crash. */
const noteRemoval = (connection: DuckDBConnection) => connection.run('INSERT INTO removals VALUES (true)')

/** Deletes the events that are listed in `to_delete`. */
async function dropEvents(connection: DuckDBConnection): Promise<void> {
  for (const table of ['events', 'moments', 'recent_moments']) {
    await connection.run(`DELETE FROM ${table} WHERE ord IN (SELECT ord FROM to_delete)`)
  }
}

/**
 * Only persons that were deleted by the cut-off: their deletion mark is not needed once no event is left to join it.
 */
async function dropPeople(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE TEMP TABLE departed AS
    SELECT DISTINCT project_id, person_id, up_to FROM erasing_persons JOIN (
      SELECT project_id, person_id, seq FROM persons WHERE deleted
      UNION ALL SELECT project_id, person_id, seq FROM fresh_persons WHERE deleted) USING (project_id, person_id)
    WHERE seq <= up_to`)
  for (const prefix of ['', 'fresh_']) {
    await connection.run(`DELETE FROM ${prefix}persons WHERE rowid IN (
      SELECT p.rowid FROM ${prefix}persons AS p JOIN departed USING (project_id, person_id) WHERE p.seq <= up_to)`)
    await connection.run(`DELETE FROM ${prefix}distinct_ids WHERE rowid IN (
      SELECT d.rowid FROM ${prefix}distinct_ids AS d JOIN erasing AS e USING (project_id, distinct_hash, distinct_id)
      SEMI JOIN departed ON departed.project_id = e.project_id AND departed.person_id = e.person_id
      WHERE d.seq <= e.up_to)`)
  }
}

async function count(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE TEMP TABLE counted AS
    SELECT id, sum(events)::BIGINT AS events, sum(sessions)::BIGINT AS sessions FROM (
      SELECT id, events, sessions FROM erasures SEMI JOIN erasing ON erasures.id = erasing.request
      UNION ALL SELECT request, count(*), 0 FROM to_delete GROUP BY request
      UNION ALL SELECT request, 0, count(*) FROM (
        SELECT min(request) AS request FROM to_delete ANTI JOIN events USING (project_id, session_id)
        WHERE session_id IS NOT NULL GROUP BY project_id, session_id) GROUP BY request)
    GROUP BY id`)
  await connection.run('DELETE FROM erasures WHERE id IN (SELECT id FROM counted)')
  await connection.run('INSERT INTO erasures SELECT id, events, sessions FROM counted')
}

/** The projects of which anything was removed. */
async function changedProjects(connection: DuckDBConnection): Promise<number[]> {
  const sql = 'SELECT project_id FROM to_delete UNION SELECT project_id FROM departed'
  return (await connection.runAndReadAll(sql)).getRows().map(([projectId]) => projectId as number)
}

const LISTS = ['erasing', 'erasing_persons', 'to_delete', 'departed', 'counted']

async function readCounts(connection: DuckDBConnection, requests: ErasureRequest[]): Promise<Erased[]> {
  const rows = (await connection.runAndReadAll('SELECT id, events, sessions FROM counted')).getRows()
  const byId = new Map(rows.map(([id, events, sessions]) => [Number(id), [Number(events), Number(sessions)] as const]))
  return requests.map(({ id }) => {
    const [events, sessions] = byId.get(id) ?? [0, 0]
    return { id, events, sessions }
  })
}

async function waiting(connection: DuckDBConnection) {
  const names = {
    recentMoments: 'recent_moments',
    freshPersons: 'fresh_persons',
    freshDistinctIds: 'fresh_distinct_ids',
  }
  const columns = Object.entries(names).map(([name, table]) => `(SELECT count(*) FROM ${table})::DOUBLE AS "${name}"`)
  const [row] = (await connection.runAndReadAll(`SELECT ${columns.join(', ')}`)).getRowObjects()
  return { ...(row as unknown as Record<keyof typeof names, number>), ...(await countOverrides(connection)) }
}

export async function erase(parts: Parts, requests: ErasureRequest[]): Promise<Erased[]> {
  if (requests.length === 0) return []
  const { database, progress, versions } = parts
  const { erased } = await database.write(
    async (connection) => {
      await list(connection, requests)
      await listEventsToDelete(connection)
      await dropEvents(connection)
      // Earlier states of a person that was merged or changed have no rows of their own after this.
      const folded = await foldAll(connection, parts)
      await dropPeople(connection)
      await overrideErased(connection, 'erasing')
      if (progress.lastLongId > 0) await sweepLongTexts(connection)
      await count(connection)
      await noteRemoval(connection)
      const erased = await readCounts(connection, requests)
      const renewed = await renewVersions(connection, versions, await changedProjects(connection))
      for (const table of LISTS) await connection.run(`DROP TABLE ${table}`)
      return { erased, progress: { ...folded, ...(await waiting(connection)) }, renewed }
    },
    (done) => {
      Object.assign(progress, done.progress)
      keepVersions(versions, done.renewed)
      parts.removals += 1
    },
  )
  return erased
}

export async function removeProject(parts: Parts, projectId: number): Promise<void> {
  await parts.database.write(
    async (connection) => {
      for (const table of PROJECT_TABLES) {
        await connection.run(`DELETE FROM ${table} WHERE project_id = ${int(projectId)}`)
      }
      await noteRemoval(connection)
      return waiting(connection)
    },
    (waits) => {
      Object.assign(parts.progress, waits)
      parts.removals += 1
      parts.versions.delete(projectId)
    },
  )
}

export async function removeBefore(parts: Parts, projectId: number, before: number): Promise<number> {
  const { database, progress, versions } = parts
  const { removed } = await database.write(
    async (connection) => {
      await connection.run(`CREATE TEMP TABLE to_delete AS
        SELECT ord FROM events WHERE project_id = ${int(projectId)} AND ts < ${instant(before)}`)
      const [row] = (await connection.runAndReadAll('SELECT count(*) FROM to_delete')).getRows()
      const removed = Number(row?.[0] ?? 0)
      if (removed > 0) {
        await dropEvents(connection)
        if (progress.lastLongId > 0) await sweepLongTexts(connection)
        await noteRemoval(connection)
      }
      await connection.run('DROP TABLE to_delete')
      const renewed = await renewVersions(connection, versions, removed > 0 ? [projectId] : [])
      return { removed, progress: await waiting(connection), renewed }
    },
    (done) => {
      Object.assign(progress, done.progress)
      keepVersions(versions, done.renewed)
      if (done.removed > 0) parts.removals += 1
    },
  )
  return removed
}

export async function forgetErased({ database }: Parts, except: number[]): Promise<void> {
  const others = except.length === 0 ? 'true' : `id NOT IN (${except.map(int).join(', ')})`
  await database.write((connection) => connection.run(`DELETE FROM erasures WHERE ${others}`))
}
