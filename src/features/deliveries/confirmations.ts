/**
 * What is sent when a subscription is created or changed: a confirmation to all recipients of a new one, an invitation
 * to added addresses, a confirmation to a target that replaced another or was enabled again. Nothing for a subscription
 * that is deleted, disabled, or has no date left. Mails beyond a project's hourly limit wait.
 */
import type { SqlWriters } from '../../model/stores.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { addedRecipients, recipientsOf } from '../../rules/subscriptions/target.ts'
import { planMails } from './mail-limit.ts'
import { addDeliveries, type ChannelSupport, newDelivery } from './new-delivery.ts'

/**
 * Runs in the transaction of the change, so that whatever was answered will be sent. `before` is null for a new one.
 */
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
