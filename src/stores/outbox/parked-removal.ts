/**
 * What is removed from the event store is also removed from parked batches, so that a retry brings nothing back. Parked
 * batches are cleaned first, then the event store applies the outbox and deletes. A batch parked or retried in between
 * may have been missed by both; then all of it runs again, which is idempotent.
 */
import { unavailable } from '../../lib/errors.ts'
import type { ErasureRequest } from '../../model/events/erasure.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { ParkedText } from '../../model/events/outbox.ts'
import type { SqlStores, SqlWriters } from '../../model/stores.ts'
import { keepEvents, rewriteParkedBatch, tryReadContent, type WrittenContent } from './batch-text.ts'

/** What has to be removed from parked batches. */
interface Removal {
  /** Of this project only. */
  projectId?: number
  /** Whether an unreadable batch has to be removed: its content is unknown, at most its project is known. */
  takesUnreadable: (parked: ParkedText) => boolean
  /** What stays of a batch. */
  trim: (tx: SqlWriters, content: WrittenContent, seq: number) => Promise<WrittenContent>
}

/** Called when an unreadable batch was removed, because it may have contained what was to be removed. */
export type OnDropped = (parked: ParkedText) => void

/** Rows of one transaction: each may have megabytes. */
const AT_ONCE = 20
const TRIES = 12

/** Whether it was unreadable and dropped completely. */
async function trimOne(tx: SqlWriters, parked: ParkedText, { takesUnreadable, trim }: Removal): Promise<boolean> {
  const content = tryReadContent(parked.text)
  if (content === null) {
    if (!takesUnreadable(parked)) return false
    await tx.outbox.removeParked([parked.id])
    return true
  }
  const stays = await trim(tx, content, parked.seq)
  await rewriteParkedBatch(tx.outbox, parked.id, { before: content, stays })
  return false
}

/** The elements for which `test` holds. */
async function filtered<T>(rows: T[], test: (row: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = []
  for (const row of rows) if (await test(row)) kept.push(row)
  return kept
}

async function trimAll(sql: SqlStores, removal: Removal, onDropped: OnDropped): Promise<void> {
  let after: string | null = (await sql.outbox.parkedCount()) > 0 ? '' : null
  while (after !== null) {
    const choice = { projectId: removal.projectId, after, limit: AT_ONCE }
    const { rows, dropped } = await sql.transaction(async (tx) => {
      const rows = await tx.outbox.parkedTexts(choice)
      const dropped = await filtered(rows, (row) => trimOne(tx, row, removal))
      return { rows, dropped }
    })
    for (const row of dropped) onDropped(row)
    after = rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null)
  }
}

/** By distinct id: up to which `seq` its events are removed, and whose they were. */
function cutoffsOf(requests: ErasureRequest[]) {
  const ids = new Map<string, { cutoff: number; personIds: Set<number> }>()
  const persons = new Map<string, number>()
  for (const { projectId, personId, distinctIds, cutoffSeq } of requests) {
    const person = `${projectId}/${personId}`
    persons.set(person, Math.max(persons.get(person) ?? 0, cutoffSeq))
    for (const distinctId of distinctIds) {
      const key = `${projectId}/${distinctId}`
      const known = ids.get(key) ?? { cutoff: 0, personIds: new Set<number>() }
      known.cutoff = Math.max(known.cutoff, cutoffSeq)
      ids.set(key, { ...known, personIds: known.personIds.add(personId) })
    }
  }
  return { ids, persons }
}

/**
 * The events of these requests, and the properties and ids of deleted persons. The mark of a deleted person stays: it
 * contains nothing of the person, and the event store may still need it.
 */
function erasureOf(requests: ErasureRequest[]): Removal {
  const { ids, persons } = cutoffsOf(requests)
  return {
    takesUnreadable: ({ seq, projectId: known }) =>
      requests.some(({ projectId, cutoffSeq }) => (known ?? projectId) === projectId && seq <= cutoffSeq),
    async trim(tx, content, seq) {
      const lives = async (projectId: number, id: number) => (await tx.persons.find(projectId, { id })) !== null
      const areGone = async (projectId: number, personIds: Set<number>) =>
        (await filtered([...personIds], (id) => lives(projectId, id))).length < personIds.size
      return {
        ...keepEvents(content, (event) => {
          const known = ids.get(`${event.projectId}/${event.distinctId}`)
          return !known || seq > known.cutoff
        }),
        persons: await filtered(content.persons, async ({ projectId, personId, deleted }) => {
          const cutoff = persons.get(`${projectId}/${personId}`)
          return cutoff === undefined || seq > cutoff || deleted || lives(projectId, personId)
        }),
        distinctIds: await filtered(content.distinctIds, async ({ projectId, distinctId }) => {
          const known = ids.get(`${projectId}/${distinctId}`)
          return !known || seq > known.cutoff || !(await areGone(projectId, known.personIds))
        }),
      }
    },
  }
}

const expiryOf = (projectId: number, before: number): Removal => ({
  projectId,
  // When it is retried, its content is checked the next night.
  takesUnreadable: () => false,
  trim: async (_tx, content) => keepEvents(content, ({ timestamp }) => timestamp >= before),
})

const projectRemovalOf = (projectId: number): Removal => ({
  projectId,
  takesUnreadable: () => true,
  trim: async () => ({ events: [], persons: [], distinctIds: [] }),
})

/** `events` must apply the outbox before it removes anything. */
export function removeParkedToo(events: EventStore, sql: SqlStores, onDropped: OnDropped): EventStore {
  async function both<T>(removal: Removal, remove: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries < TRIES; tries++) {
      const version = await sql.outbox.parkedVersion()
      await trimAll(sql, removal, onDropped)
      const removed = await remove()
      if ((await sql.outbox.parkedVersion()) === version) return removed
    }
    throw unavailable('Batches are parked and tried again all the time. Try again shortly.', 5)
  }
  return {
    ...events,
    erase: (requests) => both(erasureOf(requests), () => events.erase(requests)),
    removeBefore: (projectId, before) =>
      both(expiryOf(projectId, before), () => events.removeBefore(projectId, before)),
    removeProject: (projectId) => both(projectRemovalOf(projectId), () => events.removeProject(projectId)),
  }
}
