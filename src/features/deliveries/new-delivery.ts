/** Creates deliveries: the rows of a delivery and its recipients, and a job for each recipient to send to. */
import { uuidV7 } from '../../lib/ids.ts'
import type { SqlWriters } from '../../model/stores.ts'
import type {
  Delivery,
  DeliveryError,
  DeliveryOccasion,
  DeliveryRecipient,
  NewDelivery,
} from '../../model/subscriptions/delivery.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { recipientsOf, type Target } from '../../rules/subscriptions/target.ts'

/** The kind of the jobs that send to one recipient. */
export const DELIVER = 'deliver'

/** The channels this installation can send by. */
export interface ChannelSupport {
  /** Why nothing can be sent to such a target at present; null when it can. */
  problemOf(target: Target): DeliveryError | null
  /** The domain of message ids; null without mail. */
  mailDomain: string | null
}

export interface DeliveryInput {
  subscription: Subscription
  occasion: DeliveryOccasion
  /** Of the occurrence; null for what is not scheduled. */
  scheduledAt: number | null
  isLate: boolean
  /** All of the target's unless given. */
  recipients?: string[]
  now: number
}

const NO_RECIPIENTS: DeliveryError = { type: 'no_recipients', message: 'There is nobody to send it to.' }

const TRIGGERS = {
  scheduled: 'scheduled',
  confirmation: 'target_change',
  invitation: 'target_change',
  test: 'manual',
} as const

export const messageIdOf = (recipientId: string, mailDomain: string): string => `<${recipientId}@${mailDomain}>`

/** An occurrence has one permanent key; every other delivery has its own. */
const keyOf = ({ subscription, occasion, scheduledAt }: DeliveryInput, id: string): string =>
  `${subscription.id}:${occasion}:${scheduledAt ?? id}`

function emptyDelivery(input: DeliveryInput): Delivery {
  const { subscription, occasion, scheduledAt, isLate, now } = input
  const id = uuidV7(now)
  return {
    id,
    projectId: subscription.projectId,
    subscriptionId: subscription.id,
    idempotencyKey: keyOf(input, id),
    trigger: TRIGGERS[occasion],
    occasion,
    scheduledAt,
    isLate,
    targetType: subscription.targetType,
    targetValue: subscription.targetValue,
    status: 'starting',
    error: null,
    insightIds: [],
    content: {},
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  }
}

/** A delivery that ended before it began. */
export function skippedDelivery(input: DeliveryInput, error: DeliveryError): NewDelivery {
  const delivery = emptyDelivery(input)
  return { delivery: { ...delivery, status: 'skipped', error, finishedAt: input.now }, recipients: [] }
}

/** Where nothing can be sent, all recipients have failed at once: there is nothing to retry. */
export function newDelivery(input: DeliveryInput, channels: ChannelSupport): NewDelivery {
  const { subscription, now, recipients = recipientsOf(subscription) } = input
  if (recipients.length === 0) return skippedDelivery(input, NO_RECIPIENTS)
  const delivery = emptyDelivery(input)
  const error = channels.problemOf(subscription)
  const rows = recipients.map((recipient): DeliveryRecipient => {
    const id = uuidV7(now)
    const isMail = subscription.targetType === 'email' && channels.mailDomain !== null
    return {
      id,
      deliveryId: delivery.id,
      projectId: delivery.projectId,
      recipient,
      status: error === null ? 'pending' : 'failed',
      attempts: 0,
      resends: 0,
      messageId: isMail && channels.mailDomain !== null ? messageIdOf(id, channels.mailDomain) : null,
      possibleRepeat: false,
      error,
      createdAt: now,
      updatedAt: now,
      sentAt: null,
    }
  })
  if (error === null) return { delivery, recipients: rows }
  return { delivery: { ...delivery, status: 'failed', error, finishedAt: now }, recipients: rows }
}

export const addDeliverJob = (tx: SqlWriters, { id, projectId, resends }: DeliveryRecipient, runAt: number) =>
  tx.jobs.add({
    kind: DELIVER,
    key: resends === 0 ? id : `${id}#${resends}`,
    projectId,
    payload: { recipient: id },
    runAt,
  })

/**
 * Stores them with their jobs; returns the ids of those that did not exist before. `startAt` has, by recipient id, when
 * a message may be sent; now, if it is missing.
 */
export async function addDeliveries(
  tx: SqlWriters,
  made: NewDelivery[],
  now: number,
  startAt: ReadonlyMap<string, number> = new Map(),
): Promise<Set<string>> {
  if (made.length === 0) return new Set()
  const added = new Set(await tx.deliveries.add(made))
  for (const { delivery, recipients } of made) {
    if (!added.has(delivery.id)) continue
    for (const recipient of recipients) {
      if (recipient.status === 'pending') await addDeliverJob(tx, recipient, startAt.get(recipient.id) ?? now)
    }
  }
  return added
}
