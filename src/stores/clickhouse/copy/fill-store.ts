/** A new store, filled with the rows of another one. */
import type { EventsFill, MovedEvent, MovedId, MovedPerson, MovedRows } from '../../copy/moved-rows.ts'
import { noteSettled } from '../actors/overrides.ts'
import { highestSeq } from '../applied-batches.ts'
import { storeRows } from '../apply-batches.ts'
import { renewVersions } from '../data-versions.ts'
import { openParts } from '../open-parts.ts'
import { DISTINCT_ID_COLUMNS, PERSON_COLUMNS, writeDistinctIds, writePersons } from '../rows/people-rows.ts'
import type { Servers } from '../server/client.ts'
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

export async function fillClickhouse(url: string): Promise<EventsFill> {
  const parts = await openParts(url)
  const { servers } = parts
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
