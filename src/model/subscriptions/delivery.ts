/**
 * Deliveries: one for each time a subscription is sent, and one row for each of its recipients. A recipient's row
 * is updated before and after its message is sent, so that the next process knows how far the last one came.
 */
import type { TargetType } from './subscription.ts'

export const DELIVERY_STATUSES = ['completed', 'failed', 'skipped', 'starting'] as const
/**
 * `starting`: some recipient is still open. `completed`: all have it, or were left out on purpose. `failed`: at
 * least one will not get it. `skipped`: there was nothing to send.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export type DeliveryTrigger = 'scheduled' | 'target_change' | 'manual'

/** How the message is worded. */
export type DeliveryOccasion = 'scheduled' | 'confirmation' | 'invitation' | 'test'

/** A message for people, and a short name for programs. */
export interface DeliveryError {
  message: string
  type: string
}

export interface Delivery {
  /** UUIDv7; `Hedgerow-Delivery` of a webhook. */
  id: string
  projectId: number
  subscriptionId: number
  /** Unique among all deliveries: the subscription and the occurrence, or what else triggered it. */
  idempotencyKey: string
  trigger: DeliveryTrigger
  occasion: DeliveryOccasion
  /** The scheduled occurrence; null when it is not scheduled. */
  scheduledAt: number | null
  isLate: boolean
  /** As they were when it was created. The value is a secret unless it is an e-mail address. */
  targetType: TargetType
  targetValue: string
  status: DeliveryStatus
  error: DeliveryError | null
  /** The insights in the report, once it has been computed. */
  insightIds: number[]
  content: Record<string, unknown>
  createdAt: number
  updatedAt: number
  finishedAt: number | null
}

/**
 * `pending` → `sending` → `sent`, or back to `pending` for a retry, or `failed`, or `skipped`. If a process finds
 * a row in `sending` that it did not start, the process that was sending it died.
 */
export type RecipientStatus = 'pending' | 'sending' | 'sent' | 'failed' | 'skipped'

export interface DeliveryRecipient {
  /** UUIDv7, in the order of the target's list. */
  id: string
  deliveryId: string
  projectId: number
  /** An address, or the part of the target that may be shown; unique within a delivery. */
  recipient: string
  status: RecipientStatus
  /** Messages started. */
  attempts: number
  /** How often a user resent it after it failed. */
  resends: number
  /** Of mail, with its angle brackets; the same for every attempt. */
  messageId: string | null
  /** An earlier attempt may have arrived although that was not recorded. */
  possibleRepeat: boolean
  error: DeliveryError | null
  createdAt: number
  updatedAt: number
  sentAt: number | null
}

export interface NewDelivery {
  delivery: Delivery
  recipients: DeliveryRecipient[]
}

interface DeliveryFilter {
  projectId: number
  subscriptionId: number
  status?: DeliveryStatus
}

export type DeliveryPatch = Partial<Pick<Delivery, 'status' | 'error' | 'insightIds' | 'content' | 'finishedAt'>>

export type RecipientPatch = Partial<
  Pick<DeliveryRecipient, 'status' | 'attempts' | 'resends' | 'possibleRepeat' | 'error' | 'sentAt'>
>

export interface DeliveryReader {
  /** Null when the project has no such delivery. */
  find(projectId: number, id: string): Promise<Delivery | null>
  /** One page and the total of all, newest first by (createdAt, id). Exact pages. */
  list(filter: DeliveryFilter, page: { limit: number; offset: number }): Promise<{ count: number; items: Delivery[] }>
  /** Of all these deliveries, by id. */
  recipients(deliveryIds: string[]): Promise<DeliveryRecipient[]>
  /** Null when it does not exist any more: its project was removed. */
  findRecipient(id: string): Promise<DeliveryRecipient | null>
  /** Whether some delivery of the subscription is `starting`, except those whose open recipients are all planned for a later hour. */
  isUnderWay(subscriptionId: number): Promise<boolean>
}

export interface DeliveryWriter extends DeliveryReader {
  /** Skips those whose key exists, with their recipients. Returns the ids of those that were added, in no order. */
  add(deliveries: NewDelivery[]): Promise<string[]>
  /** Absent fields stay; `updatedAt` becomes `now`. */
  update(id: string, patch: DeliveryPatch, now: number): Promise<void>
  updateRecipient(id: string, patch: RecipientPatch, now: number): Promise<void>
  /** Removes records of missed dates after `now`: they were written while the clock was ahead. */
  forgetMissedAfter(now: number): Promise<void>
  /** How many mails are planned for each hour from `from` on, by its first instant; earlier hours are removed. */
  plannedMails(projectId: number, from: number): Promise<Map<number, number>>
  /** Adds mails to the hour that begins at `hourAt`. */
  planMails(projectId: number, hourAt: number, mails: number): Promise<void>
  /** How many of its recipients are `pending` or `sending`. */
  countOpen(deliveryId: string): Promise<number>
}
