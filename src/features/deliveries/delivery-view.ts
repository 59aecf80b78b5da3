/** A delivery as the API shows it. Of secret addresses only the host is shown. */
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { Delivery, DeliveryRecipient, RecipientStatus } from '../../model/subscriptions/delivery.ts'
import { safeTarget } from '../../rules/subscriptions/target.ts'

export const RECIPIENT_RESULTS = ['success', 'failed', 'pending', 'skipped'] as const

const RESULTS: Record<RecipientStatus, (typeof RECIPIENT_RESULTS)[number]> = {
  pending: 'pending',
  sending: 'pending',
  sent: 'success',
  failed: 'failed',
  skipped: 'skipped',
}

const viewRecipient = (recipient: DeliveryRecipient) => ({
  recipient: recipient.recipient,
  status: RESULTS[recipient.status],
  error: recipient.error,
  attempts: recipient.attempts,
  message_id: recipient.messageId,
  possible_repeat: recipient.possibleRepeat,
  sent_at: formatOptional(recipient.sentAt),
})

export const viewDelivery = (delivery: Delivery, recipients: DeliveryRecipient[]) => ({
  id: delivery.id,
  subscription: delivery.subscriptionId,
  idempotency_key: delivery.idempotencyKey,
  trigger_type: delivery.trigger,
  occasion: delivery.occasion,
  scheduled_at: formatOptional(delivery.scheduledAt),
  late: delivery.isLate,
  target_type: delivery.targetType,
  target_value: safeTarget(delivery),
  exported_asset_ids: delivery.insightIds,
  content_snapshot: delivery.content,
  recipient_results: recipients.map(viewRecipient),
  status: delivery.status,
  error: delivery.error,
  created_at: formatInstant(delivery.createdAt),
  last_updated_at: formatInstant(delivery.updatedAt),
  finished_at: formatOptional(delivery.finishedAt),
})

export type DeliveryView = ReturnType<typeof viewDelivery>
