/** Stores a change of a subscription together with its log entry. */
import type { Caller } from '../../model/accounts/caller.ts'
import type { SqlWriters } from '../../model/stores.ts'
import type { Subscription, SubscriptionPatch } from '../../model/subscriptions/subscription.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { subscriptionChanges } from './subscription-activity.ts'

interface Note {
  activity: 'created' | 'updated' | 'deleted'
  changes: ReturnType<typeof subscriptionChanges> | null
}

/** `caller` is null for a change by a recipient. */
export const note = (tx: SqlWriters, caller: Caller | null, subscription: Subscription, entry: Note, now: number) =>
  tx.activity.add(
    activityEntry(
      {
        projectId: subscription.projectId,
        caller,
        scope: 'Subscription',
        itemId: String(subscription.id),
        name: subscription.title,
        ...entry,
      },
      now,
    ),
  )

/** Stores a change and its log entry; nothing is written when nothing changes. */
export async function change(
  tx: SqlWriters,
  caller: Caller | null,
  before: Subscription,
  patch: SubscriptionPatch,
  now: number,
): Promise<Subscription> {
  const after = { ...before, ...patch }
  const changes = subscriptionChanges(before, after)
  if (changes.length === 0) return before
  await tx.subscriptions.update(before.projectId, before.id, patch)
  const activity = after.deleted && !before.deleted ? 'deleted' : 'updated'
  await note(tx, caller, after, { activity, changes }, now)
  return after
}
