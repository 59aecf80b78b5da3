/**
 * Deliveries: one for each time that a subscription is sent, and one row for each of its recipients. A recipient's row
 * is marked before and after its message leaves, so that whoever finds it knows how far the last one came.
 */
import type { TargetType } from './subscription.ts'

export const DELIVERY_STATUSES = ['completed', 'failed', 'skipped', 'starting'] as const
/**
 * `starting`: some recipient is still waited for. `completed`: all have it, or were left out on purpose. `failed`: at
 * least one will not get it. `skipped`: there was nothing to send.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export type DeliveryTrigger = 'scheduled' | 'target_change' | 'manual'

/** How the message is worded. */
export type DeliveryOccasion = 'scheduled' | 'confirmation' | 'invitation' | 'test'

/** In words for people, and a short name for programs. */
export interface DeliveryError {
  message: string
  type: string
}

export interface Delivery {
  /** UUIDv7; `Hedgerow-Delivery` of a webhook. */
  id: string
  projectId: number
  subscriptionId: number
  /** Of all deliveries one has it: the subscription and the occurrence, or what else set it off. */
  idempotencyKey: string
  trigger: DeliveryTrigger
  occasion: DeliveryOccasion
  /** The occurrence it stands for; null for what is not scheduled. */
  scheduledAt: number | null
  isLate: boolean
  /** As they were when it was made. The value is a secret unless it is an e-mail address. */
  targetType: TargetType
  targetValue: string
  status: DeliveryStatus
  error: DeliveryError | null
  /** What was shown, once it has been computed. */
  insightIds: number[]
  content: Record<string, unknown>
  createdAt: number
  updatedAt: number
  finishedAt: number | null
}

/**
 * `pending` → `sending` → `sent`, or back to `pending` to be tried again, or `failed`, or `skipped`. A row that is
 * found in `sending` by somebody new was being sent by a process that died.
 */
export type RecipientStatus = 'pending' | 'sending' | 'sent' | 'failed' | 'skipped'

export interface DeliveryRecipient {
  /** UUIDv7, in the order of the target's list. */
  id: string
  deliveryId: string
  projectId: number
  /** An address, or as much of the target as may be shown; once in a delivery. */
  recipient: string
  status: RecipientStatus
  /** Messages begun. */
  attempts: number
  /** How often somebody had it sent anew after it failed. */
  resends: number
  /** Of mail, with its angle brackets; the same for every attempt. */
  messageId: string | null
  /** An earlier attempt may have arrived although nobody could note it. */
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
  /** Null when it is no more: its project was removed. */
  findRecipient(id: string): Promise<DeliveryRecipient | null>
  /** Whether some delivery of the subscription is `starting`, but for those whose open recipients all wait for their hour. */
  isUnderWay(subscriptionId: number): Promise<boolean>
}

export interface DeliveryWriter extends DeliveryReader {
  /** Those whose key is taken are left out, with their recipients. The ids of those that were added, in no order. */
  add(deliveries: NewDelivery[]): Promise<string[]>
  /** Absent fields stay; `updatedAt` becomes `now`. */
  update(id: string, patch: DeliveryPatch, now: number): Promise<void>
  updateRecipient(id: string, patch: RecipientPatch, now: number): Promise<void>
  /** Removes what says that a date after `now` was missed: the clock was ahead when it was written. */
  forgetMissedAfter(now: number): Promise<void>
  /** How many mails each hour from `from` on holds, by its first instant; those before are forgotten. */
  plannedMails(projectId: number, from: number): Promise<Map<number, number>>
  /** So many more in the hour that begins at `hourAt`. */
  planMails(projectId: number, hourAt: number, mails: number): Promise<void>
  /** How many of its recipients are `pending` or `sending`. */
  countOpen(deliveryId: string): Promise<number>
}
