/** The delivery history, test deliveries, and resending to recipients that failed. */
import type { RateLimiter } from '../../http/access/rate-limit.ts'
import { conflict, invalid, notFound } from '../../lib/errors.ts'
import { readId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SqlStores, SqlWriters } from '../../model/stores.ts'
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryReader,
  type DeliveryRecipient,
  type DeliveryStatus,
  type NewDelivery,
} from '../../model/subscriptions/delivery.ts'
import type { Subscription, SubscriptionReader } from '../../model/subscriptions/subscription.ts'
import type { DeliveryListQuery } from './deliveries.schema.ts'
import { type DeliveryView, viewDelivery } from './delivery-view.ts'
import { planMails } from './mail-limit.ts'
import { addDeliveries, addDeliverJob, type ChannelSupport, newDelivery } from './new-delivery.ts'

export interface DeliveriesParts {
  stores: Pick<SqlStores, 'deliveries' | 'subscriptions' | 'transaction'>
  clock: Clock
  limiter: RateLimiter
  channels: ChannelSupport
}

/** Per project, whoever the caller and whichever the subscription. */
const TEST_LIMIT = [{ max: 10, windowMs: MINUTE }]

const DISABLED = 'Subscription is disabled. Re-enable it before sending a test delivery.'
const UNDER_WAY = 'Delivery already in progress'

function readStatus(text: string): DeliveryStatus {
  const status = DELIVERY_STATUSES.find((known) => known === text)
  if (status === undefined) throw invalid(`Must be one of: ${DELIVERY_STATUSES.join(', ')}.`, 'status')
  return status
}

async function findSubscription(reader: SubscriptionReader, project: Project, id: string): Promise<Subscription> {
  const subscription = await reader.find(project.id, readId(id))
  if (!subscription) throw notFound()
  return subscription
}

async function findDelivery(reader: DeliveryReader, { projectId, id }: Subscription, text: string): Promise<Delivery> {
  const delivery = await reader.find(projectId, text)
  if (delivery?.subscriptionId !== id) throw notFound()
  return delivery
}

async function viewAll(reader: DeliveryReader, deliveries: Delivery[]): Promise<DeliveryView[]> {
  const of = new Map<string, DeliveryRecipient[]>(deliveries.map(({ id }) => [id, []]))
  for (const recipient of await reader.recipients([...of.keys()])) of.get(recipient.deliveryId)?.push(recipient)
  return deliveries.map((delivery) => viewDelivery(delivery, of.get(delivery.id) ?? []))
}

const asNew = (recipient: DeliveryRecipient): DeliveryRecipient =>
  recipient.status === 'failed'
    ? { ...recipient, status: 'pending', attempts: 0, resends: recipient.resends + 1, error: null }
    : recipient

/**
 * To the recipients that failed; each mail is assigned an hour again. No recipient of the delivery is open when it
 * begins.
 */
async function sendAgain(tx: SqlWriters, { delivery, recipients }: NewDelivery, now: number): Promise<void> {
  const again = { delivery: { ...delivery, error: null }, recipients: recipients.map(asNew) }
  const { made, startAt } = await planMails(tx, again, now)
  for (const recipient of made.recipients) {
    if (recipient.status !== 'pending') continue
    const { id, status, attempts, resends, error } = recipient
    await tx.deliveries.updateRecipient(id, { status, attempts, resends, error }, now)
    await addDeliverJob(tx, recipient, startAt.get(id) ?? now)
  }
  const { error } = made.delivery
  await tx.deliveries.update(delivery.id, { status: 'starting', error, finishedAt: null }, now)
}

export function createDeliveries({ stores, clock, channels, limiter }: DeliveriesParts) {
  function refuseUnsendable(subscription: Subscription): void {
    if (subscription.deleted) throw notFound()
    if (subscription.disabledAt !== null) throw conflict(DISABLED)
  }

  return {
    async list(project: Project, id: string, query: DeliveryListQuery, page: { limit: number; offset: number }) {
      const status = query.status ? { status: readStatus(query.status) } : {}
      const subscription = await findSubscription(stores.subscriptions, project, id)
      const filter = { projectId: project.id, subscriptionId: subscription.id, ...status }
      const { count, items } = await stores.deliveries.list(filter, page)
      return { count, results: await viewAll(stores.deliveries, items) }
    },
    async retrieve(project: Project, id: string, deliveryId: string): Promise<DeliveryView> {
      const subscription = await findSubscription(stores.subscriptions, project, id)
      const delivery = await findDelivery(stores.deliveries, subscription, deliveryId)
      return viewDelivery(delivery, await stores.deliveries.recipients([delivery.id]))
    },
    /** To all recipients, worded like a scheduled one and marked as a test; the next date stays. */
    async test(project: Project, id: string): Promise<void> {
      limiter.take(`test-delivery:${project.id}`, TEST_LIMIT)
      await stores.transaction(async (tx) => {
        const now = clock.now()
        const subscription = await findSubscription(tx.subscriptions, project, id)
        refuseUnsendable(subscription)
        if (await tx.deliveries.isUnderWay(subscription.id)) throw conflict(UNDER_WAY)
        const input = { subscription, occasion: 'test', scheduledAt: null, isLate: false, now } as const
        await addDeliveries(tx, [newDelivery(input, channels)], now)
      })
    },
    /** Only to the recipients that did not get it. */
    resend: (project: Project, id: string, deliveryId: string): Promise<DeliveryView> =>
      stores.transaction(async (tx) => {
        const now = clock.now()
        const subscription = await findSubscription(tx.subscriptions, project, id)
        const delivery = await findDelivery(tx.deliveries, subscription, deliveryId)
        refuseUnsendable(subscription)
        if (delivery.status === 'starting') throw conflict(UNDER_WAY)
        const recipients = await tx.deliveries.recipients([delivery.id])
        if (!recipients.some(({ status }) => status === 'failed'))
          throw conflict('No recipient of this delivery has failed.')
        const problem = channels.problemOf(delivery)
        if (problem) throw conflict(problem.message)
        await sendAgain(tx, { delivery, recipients }, now)
        const after = await findDelivery(tx.deliveries, subscription, deliveryId)
        return viewDelivery(after, await tx.deliveries.recipients([delivery.id]))
      }),
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>
