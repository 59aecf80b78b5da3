/** A new store, filled with the rows of another one. */
import { OperatorError, StoreUnavailable } from '../../../lib/errors.ts'
import type { EventsFill, MovedEvent, MovedId, MovedPerson, MovedRows } from '../../copy/moved-rows.ts'
import { noteSettled } from '../actors/overrides.ts'
import { highestSeq } from '../applied-batches.ts'
import { storeRows } from '../apply-batches.ts'
import { renewVersions } from '../data-versions.ts'
import { LIMITS, partsOf } from '../parts.ts'
import { DISTINCT_ID_COLUMNS, PERSON_COLUMNS, writeDistinctIds, writePersons } from '../rows/people-rows.ts'
import { migrateSchema } from '../schema.ts'
import { connect, type Servers } from '../server/client.ts'
import { failureOf } from '../server/failures.ts'
import { readClickhouseUrl } from '../server/read-url.ts'
import { readStamp, writeStamp } from '../store-stamp.ts'
import { PROJECT_TABLES, storingTable } from '../tables.ts'
import { dropNote, readNote, writeNote } from './copy-note.ts'

/** Rows of people may be stored twice, those of events may not. */
async function store<K extends keyof MovedRows>(
  servers: Servers,
  kind: K,
  rows: MovedRows[K][],
  mayBeStored: boolean,
): Promise<void> {
  if (kind === 'events') {
    const events = (rows as MovedEvent[]).map((event) => ({ event, seq: event.seq, place: event.place }))
    return storeRows(servers, events, mayBeStored, Date.now())
  }
  if (kind === 'persons') {
    const bytes = writePersons((rows as MovedPerson[]).map((row) => ({ row, seq: row.seq })))
    return servers.insert(storingTable(servers, 'persons'), PERSON_COLUMNS, bytes)
  }
  const bytes = writeDistinctIds((rows as MovedId[]).map((row) => ({ row, seq: row.seq })))
  return servers.insert(storingTable(servers, 'distinct_ids'), DISTINCT_ID_COLUMNS, bytes)
}

async function hasRows(servers: Servers): Promise<boolean> {
  for (const table of PROJECT_TABLES) {
    const found = await servers.rows(`SELECT 1 FROM ${table} LIMIT 1`)
    if (found.length > 0) return true
  }
  return false
}

async function open(url: string): Promise<Servers> {
  const servers = await connect(readClickhouseUrl(url))
  try {
    await migrateSchema(servers)
    return servers
  } catch (error) {
    await servers.close()
    if (error instanceof OperatorError) throw error
    const { words } = failureOf(error instanceof StoreUnavailable ? error.cause : error)
    throw new OperatorError(`The event store on ClickHouse cannot be used: ${words}.`, error)
  }
}

export async function fillClickhouse(url: string): Promise<EventsFill> {
  const servers = await open(url)
  const parts = partsOf(servers, LIMITS)
  const projects = new Set<number>()
  // The rows that were on their way when a copy was cut off come first.
  let mayBeStored = (await readNote(servers)) !== null
  return {
    isEmpty: async () =>
      (await readStamp(parts)) === null && (await highestSeq(parts)) === 0 && !(await hasRows(servers)),
    noted: () => readNote(servers),
    note: (text) => writeNote(servers, text),
    async add(kind, rows, note) {
      for (const { projectId } of rows) projects.add(projectId)
      if (rows.length > 0) await store(servers, kind, rows, mayBeStored)
      await writeNote(servers, note)
      mayBeStored = false
    },
    stamp: () => readStamp(parts),
    async finish(stamp) {
      await renewVersions(servers, projects)
      // Events have the present owners of their ids, and there are no overrides.
      await noteSettled(servers, BigInt(stamp.reached))
      await writeStamp(parts, stamp)
      await dropNote(servers)
    },
    close: () => servers.close(),
  }
}
