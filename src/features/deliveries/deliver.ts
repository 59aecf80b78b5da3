/**
 * Sends to one recipient. Its row goes `pending` → `sending` before anything is sent and `sent` after the receiver has
 * accepted, each in a transaction that may be shared with other rows. A worker that finds a row in `sending` knows that
 * a process crashed in between: it sends again, under the same id, and the row records that this may be a repeat. Only
 * this recipient is retried.
 */

import { jobBackoff } from '../../lib/concurrency/backoff.ts'
import { groupCommits } from '../../lib/concurrency/group-commit.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Job, Lease, Worker } from '../../model/job.ts'
import type { SqlStores, SqlWriters } from '../../model/stores.ts'
import type { Delivery, DeliveryError, DeliveryRecipient } from '../../model/subscriptions/delivery.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { recipientsOf } from '../../rules/subscriptions/target.ts'
import { type Outcome, retry } from '../../transports/outcome.ts'
import { disable } from './disable-subscription.ts'
import { finishDelivery } from './finish-delivery.ts'
import type { Report } from './messages/report.ts'
import { DELIVER } from './new-delivery.ts'

const MAX_TRIES = 5

/** One message on its way. */
export interface OutgoingMessage {
  delivery: Delivery
  recipient: DeliveryRecipient
  subscription: Subscription
  report: Report
}

/** There is nothing to send: the insight or dashboard was deleted. */
export class NothingToSend extends Error {}

export interface DeliverParts {
  stores: Pick<SqlStores, 'transaction'>
  clock: Clock
  /** Rejects with NothingToSend when there is none. */
  makeReport: (delivery: Delivery, subscription: Subscription) => Promise<Report>
  post: (outgoing: OutgoingMessage) => Promise<Outcome>
  /** Maximum number of concurrent sends in this process. */
  atOnce?: number
  /** Whether the creator of a disabled subscription can be notified. */
  canNotify: boolean
  /** Told of each attempt that has ended, for the metrics; not of what is left out. */
  attempted?: (targetType: Subscription['targetType'], outcome: AttemptOutcome) => void
}

type AttemptOutcome = 'sent' | 'failed' | 'retried'

type Begun = Omit<OutgoingMessage, 'report'>
type Ended = Outcome | { kind: 'nothing'; reason: string }

/** Why it is not sent after all; null: it is sent. */
function skipReason({ delivery, recipient, subscription }: Begun): DeliveryError | null {
  const gone = (message: string): DeliveryError => ({ type: 'left_out', message })
  if (subscription.deleted) return gone('The subscription was deleted.')
  if (subscription.disabledAt !== null) return gone('The subscription was disabled.')
  if (delivery.targetType !== 'email') {
    const { targetType, targetValue } = subscription
    const isSame = delivery.targetType === targetType && delivery.targetValue === targetValue
    return isSame ? null : gone('The target was changed.')
  }
  const addresses = recipientsOf(subscription).map((address) => address.toLowerCase())
  const stays = subscription.targetType === 'email' && addresses.includes(recipient.recipient.toLowerCase())
  return stays ? null : gone('The address is not on the list any more.')
}

const isOpen = ({ status }: DeliveryRecipient): boolean => status === 'pending' || status === 'sending'

const INTERRUPTED: DeliveryError = {
  type: 'interrupted',
  message: `It was begun ${MAX_TRIES} times, and each time the server stopped before it was done.`,
}

async function end(tx: SqlWriters, { delivery, recipient }: Begun, error: DeliveryError, now: number): Promise<void> {
  const status = error.type === 'left_out' ? 'skipped' : 'failed'
  await tx.deliveries.updateRecipient(recipient.id, { status, error }, now)
  await finishDelivery(tx, delivery, now)
}

/** What was given up because the server stopped in each attempt. */
interface Interrupted {
  interrupted: Delivery
}

/** Marks the row as being sent; null when there is nothing left to do. */
async function begin(tx: SqlWriters, id: string, now: number): Promise<Begun | Interrupted | null> {
  const recipient = await tx.deliveries.findRecipient(id)
  if (!recipient || !isOpen(recipient)) return null
  const delivery = await tx.deliveries.find(recipient.projectId, recipient.deliveryId)
  const subscription = delivery && (await tx.subscriptions.find(delivery.projectId, delivery.subscriptionId))
  if (!delivery || !subscription) return null
  const outgoing = { delivery, recipient, subscription }
  const reason = skipReason(outgoing)
  if (reason) {
    await end(tx, outgoing, reason, now)
    return null
  }
  if (recipient.attempts >= MAX_TRIES) {
    await end(tx, outgoing, INTERRUPTED, now)
    return { interrupted: delivery }
  }
  const patch = {
    status: 'sending',
    attempts: recipient.attempts + 1,
    possibleRepeat: recipient.possibleRepeat || recipient.status === 'sending',
  } as const
  await tx.deliveries.updateRecipient(id, patch, now)
  return { ...outgoing, recipient: { ...recipient, ...patch } }
}

const contentOf = ({ resource, tiles, tileCount }: Report) => ({
  insightIds: tiles.map(({ insightId }) => insightId),
  content: {
    resource: { type: resource.kind, id: resource.id, name: resource.name },
    insights: tiles.map(({ insightId, name, error }) => ({ id: insightId, name, error })),
    total_insights: tileCount,
  },
})

const errorOf = (ended: Exclude<Ended, { kind: 'accepted' }>, isLast: boolean): DeliveryError => {
  if (ended.kind === 'nothing') return { type: 'left_out', message: ended.reason }
  if (ended.kind !== 'retry') return { type: ended.kind, message: ended.reason }
  return { type: isLast ? 'gave_up' : 'retrying', message: ended.reason }
}

/** Records the outcome; null when there is none to count: left out, or another worker's. */
async function conclude(
  tx: SqlWriters,
  begun: Begun,
  ended: Ended,
  parts: { now: number; report: Report | null; canNotify: boolean },
): Promise<AttemptOutcome | null> {
  const { delivery, recipient, subscription } = begun
  const { now, report, canNotify } = parts
  const current = await tx.deliveries.findRecipient(recipient.id)
  if (!current) return null
  if (current.status !== 'sending' || current.attempts !== recipient.attempts) {
    // Another worker took over because we were too slow; only record that both may have sent.
    if (ended.kind === 'accepted') await tx.deliveries.updateRecipient(recipient.id, { possibleRepeat: true }, now)
    return null
  }
  if (report && Object.keys(delivery.content).length === 0)
    await tx.deliveries.update(delivery.id, contentOf(report), now)
  if (ended.kind === 'accepted') {
    await tx.deliveries.updateRecipient(recipient.id, { status: 'sent', error: null, sentAt: now }, now)
    await finishDelivery(tx, delivery, now)
    return 'sent'
  }
  const isLast = recipient.attempts >= MAX_TRIES
  const error = errorOf(ended, isLast)
  if (ended.kind === 'retry' && !isLast) {
    const possibleRepeat = recipient.possibleRepeat || ended.mayHaveArrived
    await tx.deliveries.updateRecipient(recipient.id, { status: 'pending', error, possibleRepeat }, now)
    return 'retried'
  }
  await end(tx, begun, error, now)
  if (ended.kind === 'gone') await disable(tx, subscription, { delivery, reason: ended.reason, now, canNotify })
  return ended.kind === 'nothing' ? null : 'failed'
}

export function createDeliverWorker(parts: DeliverParts): Worker {
  const { stores, clock, makeReport, post, atOnce = 10, canNotify, attempted = () => {} } = parts
  const commit = groupCommits<SqlWriters>((work) => stores.transaction(work))

  async function attempt(begun: Begun): Promise<{ ended: Ended; report: Report | null; cause?: unknown }> {
    let report: Report | null = null
    try {
      report = await makeReport(begun.delivery, begun.subscription)
      return { ended: await post({ ...begun, report }), report }
    } catch (cause) {
      if (cause instanceof NothingToSend) return { ended: { kind: 'nothing', reason: cause.message }, report }
      return { ended: retry('The report could not be made.'), report, cause }
    }
  }

  return {
    kind: DELIVER,
    atOnce,
    // More than our own limit, so that the recipient's row records the outcome.
    maxAttempts: 3 * MAX_TRIES,
    backoff: jobBackoff,
    async run(job: Job, lease: Lease) {
      lease.signal.throwIfAborted()
      const { recipient: id } = job.payload as { recipient: string }
      const begun = await commit((tx) => begin(tx, id, clock.now()))
      if (!begun) return
      if ('interrupted' in begun) return attempted(begun.interrupted.targetType, 'failed')
      const { ended, report, cause } = await attempt(begun)
      const outcome = await commit(async (tx) => {
        const noted = await conclude(tx, begun, ended, { now: clock.now(), report, canNotify })
        if (noted !== 'retried') await lease.complete(tx.jobs)
        return noted
      })
      if (outcome !== null) attempted(begun.delivery.targetType, outcome)
      if (outcome === 'retried') throw cause ?? new Error('reason' in ended ? ended.reason : 'not sent')
    },
  }
}
