/**
 * After the clock went back: subscriptions whose date was moved on while it was ahead get the next one by the formula
 * from now on, and dates that were noted as missed and are still to come are not missed any more. What was sent meanwhile
 * is not sent again: a date has one delivery for ever (new-delivery.ts). Doing it twice is the same as once.
 */
import type { SqlStores } from '../../model/stores.ts'
import { nextDelivery } from '../../rules/subscriptions/recurrence.ts'

/** Of one transaction. */
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
