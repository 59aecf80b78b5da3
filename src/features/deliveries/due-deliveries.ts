/**
 * What is due: each minute the subscriptions whose date has come get a delivery for it, and their date moves on by
 * the formula, in one transaction. A date gives way to one process only, so several may do this at once. After a stop
 * the newest date that was missed is delivered, marked late; the others are recorded as skipped.
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

/** Subscriptions of one transaction: enough to be quick, few enough to let others write in between. */
const AT_ONCE = 200
/** What was missed longer ago is told in one line. */
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

/** The dates from `first` on that are not ahead, and the one that is next by the formula. */
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
  /** The date it had. */
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

/** Runs until nothing is left that was due when it began; gives how many subscriptions it took. */
export async function createDueDeliveries(
  { stores, clock, channels }: DueDeliveriesParts,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now()
  let all = 0
  for (;;) {
    const due = await stores.subscriptions.due(now, AT_ONCE)
    // Finding the next date is what costs; it happens before the store is locked.
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
