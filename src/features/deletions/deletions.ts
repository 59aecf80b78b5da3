/**
 * Carries out the requests to delete a person's events: all of them together, in the run of Sunday 05:00 UTC, or those
 * of one project when an operator cannot wait.
 *
 * The event store first applies what is in the outbox at the start; when it cannot, nothing is deleted. Then the events
 * are deleted in one transaction of the event store, which records the counts, the persons' history is removed, and the
 * requests are marked as done. After a crash anywhere in between, the next run finds them pending, deletes nothing more
 * and has the same counts. A request that was extended meanwhile stays pending and is carried out again. At the end
 * nothing of the removed data is left in any file: the event store's file is rewritten, the SQL store's write-ahead log
 * truncated; where readers still use the log, a job truncates it later. What the run is doing, and what it has done, is
 * stored as it goes (run-progress.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE } from '../../lib/time/time.ts'
import type { Compaction, Erased, ErasureRequest } from '../../model/events/erasure.ts'
import { TRUNCATE_LOG } from '../../model/job.ts'
import type { Deletion, DeletionChoice } from '../../model/persons/deletion.ts'
import type { Stores } from '../../model/stores.ts'
import { OVERDUE_AFTER } from '../../rules/erasure/deletion-schedule.ts'
import { clearHistory, forgetHistory } from '../../rules/erasure/history-removal.ts'
import { tryTruncateLog } from '../../rules/erasure/truncate-log.ts'
import { type DeletionCounts, type Done, NOTHING, record, sum } from './record-deletions.ts'
import { RunProgress } from './run-progress.ts'

export interface DeletionParts {
  stores: Pick<Stores, 'persons' | 'deletions' | 'events' | 'transaction' | 'relaxed' | 'inTurn' | 'truncateLog'>
  clock: Clock
  done: (counts: DeletionCounts) => void
  /** Called with the number of requests that are late by more than an hour. */
  late: (requests: number) => void
  /** Called when the event store's file became smaller. */
  compacted: (sizes: Compaction) => void
  /** Called when readers hold the SQL store's log: it is truncated later. */
  logHeld: () => void
  /** How often the event store gets a few seconds to apply what is in the outbox. */
  maxTries?: number
  /** How often truncating the log is tried, a quarter of a second apart. */
  logTries?: number
}

/** Requests held in memory and carried out at once; more than users create in a week. */
const AT_ONCE = 10_000
const MAX_TRIES = 12

const isBehind = (error: unknown) => error instanceof AppError && error.kind === 'unavailable'

/** The requests to the event store: ids with an earlier cut-off are a request of their own, under the same number. */
const erasuresOf = ({ id, projectId, personId, distinctIds, cutoffSeq, earlier }: Deletion): ErasureRequest[] =>
  [{ distinctIds, cutoffSeq }, ...earlier].map((ids) => ({ id, projectId, personId, ...ids }))

/** In the order of the requests. */
function erasedOf(requests: Deletion[], found: Erased[]): Erased[] {
  const byId = new Map(found.map((erased) => [erased.id, erased]))
  return requests.map(({ id }) => byId.get(id) ?? { id, events: 0, sessions: 0 })
}

export function createDeletions(parts: DeletionParts) {
  const { stores, clock, done, late, compacted, logHeld, maxTries = MAX_TRIES, logTries } = parts

  async function erase(requests: Deletion[], progress: RunProgress, signal: AbortSignal): Promise<Erased[]> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      try {
        await progress.enter('draining')
        await stores.events.caughtUp()
        await progress.enter('deleting')
        return erasedOf(requests, await stores.events.erase(requests.flatMap(erasuresOf)))
      } catch (error) {
        if (!isBehind(error)) throw error
        if (tries >= maxTries)
          throw new Error('Nothing was deleted: the outbox could not be drained.', { cause: error })
      }
    }
  }

  /** Removes the property history of the persons; of deleted persons, all that is left of it. */
  async function forget(requests: Deletion[], signal: AbortSignal): Promise<void> {
    for (const { projectId, personId, cutoffSeq } of requests) {
      signal.throwIfAborted()
      if (await stores.persons.find(projectId, { id: personId })) {
        await forgetHistory(stores, personId, { upToSeq: cutoffSeq }, signal)
      } else await clearHistory(stores, personId, signal)
      await nextTurn()
    }
  }

  /** The deletion itself is done, so it does not fail because of this. */
  async function truncateLogLater(): Promise<void> {
    const job = { kind: TRUNCATE_LOG, key: 'sql', projectId: null, payload: null, runAt: clock.now() + MINUTE }
    await stores.transaction((tx) => tx.jobs.add(job))
    logHeld()
  }

  async function carryOut(choice: DeletionChoice, progress: RunProgress, signal: AbortSignal): Promise<DeletionCounts> {
    let counts = NOTHING
    for (;;) {
      const requests = await stores.deletions.pending(choice, AT_ONCE)
      if (requests.length === 0) break
      const erased = await erase(requests, progress, signal)
      await forget(requests, signal)
      const pairs = requests.map((request, index): Done => [request, erased[index] as Erased])
      counts = (await record(parts, progress.id, pairs)).reduce(sum, counts)
    }
    await stores.events.forgetErased(await stores.deletions.pendingIds())
    if (counts.requests > 0) done(counts)
    return counts
  }

  /** How many bytes were given back; null when nothing had to be compacted. */
  async function compact(progress: RunProgress, signal: AbortSignal): Promise<number | null> {
    await progress.enter('compacting')
    // Also when there was nothing to delete: the last run may have been interrupted here.
    const sizes = await stores.events.compact(signal)
    if (sizes) compacted(sizes)
    if (!(await tryTruncateLog(stores, signal, logTries))) await truncateLogLater()
    return sizes && Math.max(sizes.before - sizes.after, 0)
  }

  async function run(choice: DeletionChoice, signal: AbortSignal): Promise<DeletionCounts> {
    const progress = await RunProgress.begin({ stores, clock }, 'projectId' in choice ? choice.projectId : null)
    try {
      const counts = await carryOut(choice, progress, signal)
      await progress.finish(await compact(progress, signal))
      return counts
    } finally {
      await progress.end()
    }
  }

  /** One run at a time, over all processes; the next one waits. */
  const inTurn = (choice: DeletionChoice, signal?: AbortSignal): Promise<DeletionCounts> =>
    stores.inTurn('erasure', (untilLost) => run(choice, untilLost), signal)

  return {
    run: inTurn,
    /** Tells of those that should have been carried out more than an hour before `now`, and carries them out. */
    async catchUp(now: number, signal?: AbortSignal): Promise<void> {
      const count = await stores.deletions.overdue(now - OVERDUE_AFTER)
      if (count === 0) return
      late(count)
      await inTurn({ dueAt: now }, signal)
    },
  }
}
