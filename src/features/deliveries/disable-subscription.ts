/**
 * A target that can never work again disables its subscription, until a user sets another target or enables it. The
 * creator is notified once by mail: the job is added in the transaction that disables.
 */

import type { SqlWriters } from '../../model/stores.ts'
import type { Delivery } from '../../model/subscriptions/delivery.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'

/** The kind of the jobs that notify a creator. */
export const NOTIFY_DISABLED = 'tell-disabled'

export interface NotifyPayload {
  subscriptionId: number
  disabledAt: number
}

export interface DisableReason {
  /** The delivery that could not be sent. */
  delivery: Delivery
  reason: string
  now: number
  canNotify: boolean
}

export async function disable(
  tx: SqlWriters,
  { projectId, id }: Subscription,
  disabling: DisableReason,
): Promise<void> {
  const { delivery, reason, now, canNotify } = disabling
  const current = await tx.subscriptions.find(projectId, id)
  if (!current || current.disabledAt !== null) return
  // The failed target is not the current one any more.
  if (current.targetType !== delivery.targetType || current.targetValue !== delivery.targetValue) return
  await tx.subscriptions.update(projectId, id, { disabledAt: now, disabledReason: reason })
  const change = { type: 'Subscription', action: 'changed', field: 'enabled', before: true, after: false } as const
  const entry = { projectId, caller: null, scope: 'Subscription', itemId: String(id), name: current.title }
  await tx.activity.add(activityEntry({ ...entry, activity: 'updated', changes: [change] }, now))
  if (!canNotify || current.deleted) return
  const payload: NotifyPayload = { subscriptionId: id, disabledAt: now }
  await tx.jobs.add({ kind: NOTIFY_DISABLED, key: `${id}@${now}`, projectId, payload, runAt: now })
}
