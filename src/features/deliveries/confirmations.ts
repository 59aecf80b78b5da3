/**
 * What goes out when a subscription is made or changed: a confirmation to everyone of a new one, an invitation to the
 * addresses that were added to it, a confirmation to a target that took another's place or is enabled again. Nothing
 * for one that is deleted, disabled, or has no date left. Mails beyond what a project may send in an hour wait.
 */
import type { SqlWriters } from '../../model/stores.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { addedRecipients, recipientsOf } from '../../rules/subscriptions/target.ts'
import { planMails } from './mail-limit.ts'
import { addDeliveries, type ChannelSupport, newDelivery } from './new-delivery.ts'

/** In the transaction of the change itself: what was answered is under way. `before` is null for a new one. */
export type SendConfirmations = (
  tx: SqlWriters,
  before: Subscription | null,
  after: Subscription,
  now: number,
) => Promise<void>

export function createSendConfirmations(channels: ChannelSupport): SendConfirmations {
  return async (tx, before, after, now) => {
    if (after.deleted || after.disabledAt !== null || after.nextDeliveryDate === null) return
    const isFresh = before === null || before.disabledAt !== null
    const recipients = isFresh ? recipientsOf(after) : addedRecipients(before, after)
    if (recipients.length === 0) return
    const isInvitation = !isFresh && after.targetType === 'email' && before.targetType === 'email'
    const occasion = isInvitation ? 'invitation' : 'confirmation'
    const input = { subscription: after, occasion, scheduledAt: null, isLate: false, recipients, now } as const
    const { made, startAt } = await planMails(tx, newDelivery(input, channels), now)
    await addDeliveries(tx, [made], now, startAt)
  }
}
