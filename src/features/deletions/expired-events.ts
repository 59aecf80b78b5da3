/**
 * Removes the events whose time is over, in projects that keep them for so many days only (`events_retention_days`).
 * The event store takes in the outbox first, so that what came in late is judged too. Cut off, the next night goes on.
 * Results that were kept may hold what was in the events: they go before the events do, as nobody would come back for
 * them, and again after it, for such as were being computed.
 */
import type { Clock } from '../../lib/time/clock.ts'
import { DAY } from '../../lib/time/time.ts'
import type { Compaction } from '../../model/events/erasure.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'

export interface ExpiredEventsParts {
  stores: Pick<Stores, 'events' | 'projects' | 'transaction'>
  clock: Clock
  /** The event store's file gave room back. */
  compacted: (sizes: Compaction) => void
}

/** One entry for each project says how much went. */
async function note({ stores, clock }: ExpiredEventsParts, projectId: number, events: number): Promise<void> {
  const subject = { scope: 'Event', itemId: null, activity: 'expired', name: `${events} events`, changes: null }
  await stores.transaction(async (tx) => {
    await tx.insightCache.clear(projectId)
    await tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, clock.now()))
  })
}

/** For the night: what is too old at `now`. */
export async function removeExpiredEvents(parts: ExpiredEventsParts, now: number, signal?: AbortSignal): Promise<void> {
  const { stores, compacted } = parts
  let removed = 0
  for await (const { id, eventsRetentionDays: days } of everyProject(stores.projects)) {
    signal?.throwIfAborted()
    if (days === null) continue
    const before = now - days * DAY
    const earliest = await stores.events.earliestEventAt(id)
    if (earliest !== null && earliest < before) await stores.transaction((tx) => tx.insightCache.clear(id))
    // Asked in any case: parked batches may hold older events than the event store.
    const events = await stores.events.removeBefore(id, before)
    if (events > 0) await note(parts, id, events)
    removed += events
  }
  const sizes = removed > 0 ? await stores.events.compact(signal) : null
  if (sizes) compacted(sizes)
}
