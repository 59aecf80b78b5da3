/**
 * Every minute, creates a delivery for each subscription whose date has come and moves the date on by its schedule, in
 * one transaction. Only one process can claim a date, so several may do this at once. After downtime the newest missed
 * date is delivered, marked late; the others are recorded as skipped.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY } from '../../lib/time/time.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { DeliveryError, NewDelivery } from '../../model/subscriptions/delivery.ts'
import type { Subscription } from '../../model/subscriptions/subscription.ts'
import { firstAfter, LEAD } from '../../rules/subscriptions/recurrence.ts'
import { addDeliveries, type ChannelSupport, newDelivery, skippedDelivery } from './new-delivery.ts'

export interface DueDeliveriesParts {
  stores: Pick<SqlStores, 'subscriptions' | 'transaction'>
  clock: Clock
  channels: ChannelSupport
}

/** Subscriptions per transaction: enough to be fast, few enough to let others write in between. */
const AT_ONCE = 200
/** Older missed dates are recorded as one entry. */
const REMEMBERED = 400 * DAY

const MISSED: DeliveryError = { type: 'missed', message: 'The server was not running when it was due.' }
const MISSED_LONG_AGO: DeliveryError = {
  type: 'missed',
  message: 'The server was not running when it was due, nor for a long time after: later dates were missed too.',
}
const TOO_CLOSE: DeliveryError = {
  type: 'too_close',
  message: 'It was due within 15 minutes of a report that was late.',
}

/** The dates from `first` on that are not in the future, and the next one by the schedule. */
function datesUntil(subscription: Subscription, first: number, now: number): { dates: number[]; next: number | null } {
  const dates = [first]
  const known = Math.max(first, now - REMEMBERED)
  let next = firstAfter(subscription, known)
  while (next !== null && next <= now + LEAD) {
    dates.push(next)
    next = firstAfter(subscription, next)
  }
  return { dates, next }
}

interface Plan {
  subscription: Subscription
  /** The date before the change. */
  date: number
  next: number | null
  deliveries: NewDelivery[]
}

function planOf(subscription: Subscription, now: number, channels: ChannelSupport): Plan {
  const date = subscription.nextDeliveryDate ?? now
  const { dates, next } = datesUntil(subscription, date, now)
  const newest = Math.max(...dates.filter((one) => one <= now))
  const moved = { ...subscription, nextDeliveryDate: next }
  const deliveries = dates.map((scheduledAt) => {
    const input = { subscription: moved, occasion: 'scheduled', scheduledAt, now } as const
    if (scheduledAt === newest) return newDelivery({ ...input, isLate: now - newest > LEAD }, channels)
    if (scheduledAt > now) return skippedDelivery({ ...input, isLate: false }, TOO_CLOSE)
    return skippedDelivery({ ...input, isLate: true }, now - scheduledAt > REMEMBERED ? MISSED_LONG_AGO : MISSED)
  })
  return { subscription, date, next, deliveries }
}

/** Runs until nothing is left that was due when it began; returns the number of subscriptions processed. */
export async function createDueDeliveries(
  { stores, clock, channels }: DueDeliveriesParts,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now()
  let all = 0
  for (;;) {
    const due = await stores.subscriptions.due(now, AT_ONCE)
    // Finding the next date is the expensive part; it happens before the store is locked.
    const plans = due.map((subscription) => planOf(subscription, now, channels))
    const taken = await stores.transaction(async (tx) => {
      const mine: Plan[] = []
      for (const plan of plans) {
        if (await tx.subscriptions.advance(plan.subscription.id, plan.date, plan.next)) mine.push(plan)
      }
      await addDeliveries(
        tx,
        mine.flatMap(({ deliveries }) => deliveries),
        now,
      )
      return mine.length
    })
    all += taken
    if (due.length < AT_ONCE || taken === 0) return all
    signal?.throwIfAborted()
    await turn()
  }
}
