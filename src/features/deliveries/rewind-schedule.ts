/**
 * After the clock was set back: subscriptions whose date was moved on while it was ahead get their next date by the
 * schedule from now on, and future dates that were recorded as missed are no longer missed. What was sent meanwhile is
 * not sent again: a date has one delivery permanently (new-delivery.ts). Idempotent.
 */
import type { SqlStores } from '../../model/stores.ts'
import { nextDelivery } from '../../rules/subscriptions/recurrence.ts'

/** Subscriptions per transaction. */
const AT_ONCE = 200

export async function rewindDates(
  stores: Pick<SqlStores, 'subscriptions' | 'transaction'>,
  now: number,
): Promise<void> {
  await stores.transaction((tx) => tx.deliveries.forgetMissedAfter(now))
  let last = 0
  for (;;) {
    const ahead = await stores.subscriptions.ahead(now, last, AT_ONCE)
    const moved = ahead.flatMap((subscription) => {
      const date = nextDelivery(subscription, now)
      const isEarlier = date !== null && date < (subscription.nextDeliveryDate ?? Number.POSITIVE_INFINITY)
      return isEarlier ? [{ subscription, date }] : []
    })
    await stores.transaction(async (tx) => {
      for (const { subscription, date } of moved) {
        await tx.subscriptions.update(subscription.projectId, subscription.id, { nextDeliveryDate: date })
      }
    })
    last = ahead.at(-1)?.id ?? last
    if (ahead.length < AT_ONCE) return
  }
}
