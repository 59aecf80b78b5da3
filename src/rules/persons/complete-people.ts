/**
 * Completes the people projection after an upgrade: persons that an earlier version stored there without all of their
 * fields are sent to the event store once more, in portions. It gives way to what capture brings, and goes on where it
 * stopped whenever it is started: what is complete is no longer named. A pass names each person once, so that it ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'
import type { IncompletePerson } from '../../model/persons/person-search.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'

/** Finding them takes a scan. */
const NAMED_AT_ONCE = 10_000
/** All other writers wait for the transaction. */
const SENT_AT_ONCE = 500
/** With more rows in the outbox the event store has enough to do. */
const MOST_WAITING = 10
const PAUSE = SECOND / 4

type CompletingStores = Pick<Stores, 'events' | 'outbox' | 'exclusiveTransaction'>

/** A person that is gone from the SQL store is marked as deleted, unless its whole project is being removed. */
async function sendPortion(tx: SqlWriters, named: IncompletePerson[], now: number): Promise<void> {
  const { persons, distinctIds } = await tx.persons.projections(named.map(({ personId }) => personId))
  const found = new Set(persons.map(({ personId }) => personId))
  for (const { projectId, personId, uuid, createdAt } of named) {
    if (found.has(personId) || !(await tx.projects.find(projectId))) continue
    const state = { createdAt, updatedAt: now, lastSeenAt: null, isIdentified: false, deleted: true }
    persons.push({ projectId, personId, uuid, properties: '{}', ...state })
  }
  if (persons.length === 0) return
  const seq = await tx.outbox.nextSeq()
  await tx.outbox.add({ id: uuidV7(now), seq, events: [], persons, distinctIds }, now)
}

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable'

/** Waits while the event store is behind. */
async function namedAfter(stores: CompletingStores, after: number, signal: AbortSignal): Promise<IncompletePerson[]> {
  for (;;) {
    try {
      return await stores.events.incompletePersons(after, NAMED_AT_ONCE)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await sleep(PAUSE, undefined, { signal })
    }
  }
}

/** Returns how many were sent. */
export async function completePeople(stores: CompletingStores, clock: Clock, signal: AbortSignal): Promise<number> {
  let [after, sent] = [0, 0]
  for (;;) {
    const named = await namedAfter(stores, after, signal)
    const last = named.at(-1)
    if (!last) return sent
    for (const portion of chunks(named, SENT_AT_ONCE)) {
      while ((await stores.outbox.backlog()).length > MOST_WAITING) await sleep(PAUSE, undefined, { signal })
      signal.throwIfAborted()
      const projectIds = portion.map(({ projectId }) => projectId)
      // Nobody changes them while they are read, so that nothing older gets a greater number.
      await stores.exclusiveTransaction(projectIds, (tx) => sendPortion(tx, portion, clock.now()))
      sent += portion.length
    }
    after = last.personId
  }
}
