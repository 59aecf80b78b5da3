/**
 * How rows of the outbox are taken and how they leave it. With an embedded event store, which knows what it has, they are
 * read and removed. Otherwise they are claimed first, in a transaction of their own, because other processes apply rows too
 * and because an insert that was not answered may have been carried out; and they are kept for a while after that, because
 * the servers answer before what they have is safe on their disks.
 */
import { unavailable } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE, SECOND } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import type { SqlStores } from '../../model/stores.ts'
import { Lease } from './lease.ts'

interface TakenRows {
  batches: OutboxBatch[]
  /** Whether these were all that can be taken. */
  isLast: boolean
}

/** How many rows are applied together: one call for many costs hardly more than for one. */
interface Gathering {
  /** They are applied when nothing has come for so long, */
  quietMs: number
  /** at the latest after so long, */
  longestMs: number
  /** and at once when so many characters wait, or a reader does. */
  enough: number
  /** Characters that are applied in one call. */
  portion: number
}

export interface OutboxRows {
  gathering: Gathering
  /** The next ones, after this id where nobody else takes any. */
  take(after: string): Promise<TakenRows>
  /** These have been applied. */
  applied(ids: string[]): Promise<void>
  /** These have left the outbox, in whatever way. */
  left(ids: string[]): void
  /** Of those that were taken nothing more is applied now; what has not left the outbox is given back. */
  ended(): Promise<void>
  /** Has rows wait again that a restarted server may have lost; before the first read, which then waits for them. */
  checkRestarts(): Promise<void>
  /** Does that, and looks after rows that were applied; every few seconds. */
  tidy(): Promise<void>
}

type OutboxStores = Pick<SqlStores, 'outbox' | 'queueTransaction'>

const ROWS_AT_ONCE = 50

/** Of a process that is the only one to apply them. */
export const ownRows = ({ outbox, relaxed }: Pick<SqlStores, 'outbox' | 'relaxed'>): OutboxRows => ({
  gathering: { quietMs: 20, longestMs: 200, enough: 500_000, portion: 2_000_000 },
  async take(after) {
    const batches = await outbox.peek(ROWS_AT_ONCE, after)
    return { batches, isLast: batches.length < ROWS_AT_ONCE }
  },
  applied: (ids) => relaxed((tx) => tx.outbox.remove(ids)),
  left() {},
  async ended() {},
  async checkRestarts() {},
  async tidy() {},
})

/**
 * The bytes are compressed ones. After a restart of a server all rows of the last minutes are asked for again: each claim
 * costs a few questions, however many rows it has.
 */
const CLAIMED_AT_ONCE = { rows: 500, bytes: 2_000_000 }
/** Each call makes a part of several tables on every node, which the servers have to merge. */
const GATHERING = { quietMs: 200, longestMs: SECOND, enough: 5_000_000, portion: 20_000_000 }
const KEEP_APPLIED_MS = 10 * MINUTE
const REMOVED_AT_ONCE = 1_000

/** Removes all that were applied before this instant. */
async function removeApplied({ queueTransaction }: OutboxStores, appliedBefore: number): Promise<void> {
  let removed: number
  do removed = await queueTransaction((tx) => tx.outbox.removeApplied(appliedBefore, REMOVED_AT_ONCE))
  while (removed === REMOVED_AT_ONCE)
}

/** What is removed from the event store must not come back from rows that are kept. */
export const removeAppliedToo = (events: EventStore, stores: OutboxStores): EventStore => {
  const forget = () => removeApplied(stores, Number.MAX_SAFE_INTEGER)
  return {
    ...events,
    async removeProject(projectId) {
      await forget()
      await events.removeProject(projectId)
    },
    async erase(requests) {
      await forget()
      const { lowestSeq } = await stores.outbox.backlog()
      // After a restart of a server rows wait again; applied after this, they would bring back what it removes.
      if (lowestSeq !== null && requests.some(({ cutoffSeq }) => lowestSeq <= cutoffSeq))
        throw unavailable('What was captured before the deletion is being applied again.', 1)
      return events.erase(requests)
    },
    async removeBefore(projectId, before) {
      await forget()
      return events.removeBefore(projectId, before)
    },
  }
}

/** Of one of several processes. */
export function claimedRows(
  stores: OutboxStores,
  events: Pick<EventStore, 'wasRestarted' | 'noteRestart' | 'keepsShipments'>,
  clock: Clock,
): OutboxRows {
  async function checkRestarts(): Promise<void> {
    if (!(await events.wasRestarted())) return
    const keepShipments = await events.keepsShipments()
    await stores.queueTransaction((tx) => tx.outbox.applyAgain(keepShipments))
    await events.noteRestart()
  }
  let lease: Lease | null = null
  return {
    gathering: GATHERING,
    async take() {
      const current = await Lease.claim({ stores, clock }, CLAIMED_AT_ONCE)
      if (current === null) return { batches: [], isLast: true }
      lease = current
      const batches = await stores.outbox.read(current.rows)
      return { batches: batches.map((batch) => ({ ...batch, hold: () => current.hold() })), isLast: false }
    },
    applied: (ids) => stores.queueTransaction((tx) => tx.outbox.markApplied(ids, clock.now())),
    left: (ids) => lease?.left(ids),
    async ended() {
      await lease?.end()
      lease = null
    },
    checkRestarts,
    async tidy() {
      await checkRestarts()
      await removeApplied(stores, clock.now() - KEEP_APPLIED_MS)
    },
  }
}
