/** A new store, filled with the rows of another one. Rows and what is noted are one transaction. */
import { VARCHAR } from '@duckdb/node-api'
import type { EventsFill, MovedEvent, MovedId, MovedPerson, MovedRows } from '../../copy/moved-rows.ts'
import { appendEvents } from '../apply-batches.ts'
import { keepVersions, renewVersions } from '../data-versions.ts'
import { housekeep } from '../housekeeping.ts'
import { openParts } from '../open-parts.ts'
import { appendPeople, foldAll } from '../people/people-projection.ts'
import { LIMITS, type Parts } from '../progress.ts'
import { highestSeq, readStamp, writeStamp } from '../store-stamp.ts'
import { LongTexts } from '../values/long-texts.ts'

/** Is there while the store is not complete. */
const PROGRESS = 'copy_progress'

type Connection = Parameters<Parameters<Parts['database']['write']>[0]>[0]

async function writeNote(connection: Connection, text: string): Promise<void> {
  await connection.run(`CREATE OR REPLACE TABLE ${PROGRESS} AS SELECT $1 AS note`, [text], [VARCHAR])
}

async function appendMoved<K extends keyof MovedRows>(
  connection: Connection,
  parts: Parts,
  kind: K,
  rows: MovedRows[K][],
  longTexts: LongTexts,
): Promise<void> {
  if (kind === 'events') {
    const events = (rows as MovedEvent[]).map((event) => ({ event, seq: event.seq }))
    return appendEvents(connection, parts, events, longTexts)
  }
  const people = rows.map((row) => ({
    seq: row.seq,
    persons: kind === 'persons' ? [row as MovedPerson] : [],
    distinctIds: kind === 'distinct_ids' ? [row as MovedId] : [],
  }))
  await appendPeople(connection, people, longTexts)
}

/** So that folding them need not look for their events. */
async function foldPeople(parts: Parts): Promise<void> {
  await parts.database.write(
    (connection) => foldAll(connection, parts),
    (change) => Object.assign(parts.progress, change),
  )
}

async function addMoved<K extends keyof MovedRows>(parts: Parts, kind: K, rows: MovedRows[K][], note: string) {
  const { database, progress, versions } = parts
  if (kind === 'events' && progress.freshPersons + progress.freshDistinctIds > 0) await foldPeople(parts)
  const longTexts = new LongTexts(progress.lastLongId)
  await database.write(
    async (connection) => {
      await appendMoved(connection, parts, kind, rows, longTexts)
      await longTexts.append(connection)
      await writeNote(connection, note)
      return renewVersions(
        connection,
        versions,
        rows.map(({ projectId }) => projectId),
      )
    },
    (renewed) => {
      if (kind === 'events') progress.lastOrd += rows.length
      if (kind === 'persons') progress.freshPersons += rows.length
      if (kind === 'distinct_ids') progress.freshDistinctIds += rows.length
      progress.lastLongId = longTexts.lastId
      keepVersions(versions, renewed)
    },
  )
  await housekeep(parts)
}

/** `memory`: bytes that the engine may use. */
export async function fillDuckdb(path: string, memory: number): Promise<EventsFill> {
  const parts = await openParts(path, LIMITS, memory)
  const { database } = parts
  return {
    isEmpty: async () => (await readStamp(parts)) === null && (await highestSeq(parts)) === 0,
    async noted() {
      const sql = `SELECT 1 FROM duckdb_tables() WHERE table_name = '${PROGRESS}' AND database_name = current_database()`
      return database.read(async (connection) => {
        if ((await connection.runAndReadAll(sql)).getRows().length === 0) return null
        return String((await connection.runAndReadAll(`SELECT note FROM ${PROGRESS}`)).getRows()[0]?.[0])
      })
    },
    note: (text) => database.write((connection) => writeNote(connection, text)),
    add: (kind, rows, note) => addMoved(parts, kind, rows, note),
    stamp: () => readStamp(parts),
    async finish(stamp) {
      await foldPeople(parts)
      await writeStamp(parts, stamp)
      await database.write((connection) => connection.run(`DROP TABLE IF EXISTS ${PROGRESS}`))
    },
    close: () => database.close(),
  }
}
