/**
 * Removes expired events, in projects with a retention of events (`events_retention_days`), and what they changed in
 * people, except what is still needed to know their properties at any later instant. The event store applies the outbox
 * first, so that late events are included. When interrupted, the next night continues. Cached results may contain event
 * data: they are removed before the events (a crash in between must not leave them) and again afterwards, for results
 * computed meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY } from '../../lib/time/time.ts'
import type { Compaction } from '../../model/events/erasure.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { forgetHistory } from '../../rules/erasure/history-removal.ts'

export interface ExpiredEventsParts {
  stores: Pick<Stores, 'events' | 'persons' | 'projects' | 'relaxed' | 'transaction' | 'inTurn'>
  clock: Clock
  /** Called when the event store's file became smaller. */
  compacted: (sizes: Compaction) => void
}

/** One log entry per project with the removed amount. */
async function note({ stores, clock }: ExpiredEventsParts, projectId: number, events: number): Promise<void> {
  const subject = { scope: 'Event', itemId: null, activity: 'expired', name: `${events} events`, changes: null }
  await stores.transaction(async (tx) => {
    await tx.insightCache.clear(projectId)
    await tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, clock.now()))
  })
}

/** Person by person: each keeps the last change of each key before the instant. */
async function forgetChanges(
  { persons, relaxed }: ExpiredEventsParts['stores'],
  projectId: number,
  before: number,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const { ids, upTo }: Awaited<ReturnType<typeof persons.withPast>> = await persons.withPast(projectId, before, after)
    for (const personId of ids) {
      signal?.throwIfAborted()
      await forgetHistory({ relaxed }, personId, { before }, signal)
      await nextTurn()
    }
    signal?.throwIfAborted()
    await nextTurn()
    after = upTo
  }
}

async function remove(parts: ExpiredEventsParts, now: number, signal: AbortSignal): Promise<void> {
  const { stores, compacted } = parts
  let removed = 0
  for await (const { id, eventsRetentionDays: days } of everyProject(stores.projects)) {
    signal.throwIfAborted()
    if (days === null) continue
    const before = now - days * DAY
    const earliest = await stores.events.earliestEventAt(id)
    if (earliest !== null && earliest < before) await stores.transaction((tx) => tx.insightCache.clear(id))
    // Always called: parked batches may hold older events than the event store.
    const events = await stores.events.removeBefore(id, before)
    if (events > 0) await note(parts, id, events)
    removed += events
    await forgetChanges(stores, id, before, signal)
  }
  const sizes = removed > 0 ? await stores.events.compact(signal) : null
  if (sizes) compacted(sizes)
}

/** For the nightly run: removes what is too old at `now`. */
export const removeExpiredEvents = (parts: ExpiredEventsParts, now: number, signal?: AbortSignal): Promise<void> =>
  parts.stores.inTurn('erasure', (untilLost) => remove(parts, now, untilLost), signal)
