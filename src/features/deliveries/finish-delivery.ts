/** When the last recipient is done, the delivery is finished and gets an overall status. */

import type { SqlWriters } from '../../model/stores.ts'
import type { Delivery, DeliveryRecipient } from '../../model/subscriptions/delivery.ts'

function outcomeOf(recipients: DeliveryRecipient[]): Pick<Delivery, 'status' | 'error'> {
  const failed = recipients.filter(({ status }) => status === 'failed')
  const [first] = failed
  if (first) {
    const message =
      recipients.length === 1
        ? (first.error?.message ?? 'It could not be sent.')
        : `${failed.length} of ${recipients.length} recipients could not be reached.`
    return { status: 'failed', error: { type: first.error?.type ?? 'failed', message } }
  }
  const isLeftOut = recipients.every(({ status }) => status === 'skipped')
  return isLeftOut ? { status: 'skipped', error: recipients[0]?.error ?? null } : { status: 'completed', error: null }
}

export async function finishDelivery(tx: SqlWriters, { id }: Delivery, now: number): Promise<void> {
  if ((await tx.deliveries.countOpen(id)) > 0) return
  const outcome = outcomeOf(await tx.deliveries.recipients([id]))
  await tx.deliveries.update(id, { ...outcome, finishedAt: now }, now)
}
