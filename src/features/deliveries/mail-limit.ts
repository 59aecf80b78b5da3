/**
 * Confirmations and invitations go to any address a user enters: a project sends them to at most 200 recipients per
 * hour of the clock, resends included. Those beyond the limit wait for the next hour with room; their rows say so.
 * Counted in the store, in the transaction that creates the delivery: neither a restart nor a second process raises the
 * limit.
 */
import { formatInstant, HOUR } from '../../lib/time/time.ts'
import type { SqlWriters } from '../../model/stores.ts'
import type {
  DeliveryError,
  DeliveryOccasion,
  DeliveryRecipient,
  NewDelivery,
} from '../../model/subscriptions/delivery.ts'

export const MAILS_PER_HOUR = 200

const LIMITED: DeliveryOccasion[] = ['confirmation', 'invitation']

const RULE = `a project confirms and invites at most ${MAILS_PER_HOUR} recipients by mail in an hour`

export interface PlannedDelivery {
  made: NewDelivery
  /** When each recipient's mail may be sent, by recipient id; recipients that are not listed, at once. */
  startAt: Map<string, number>
}

/** The hours that this many mails are assigned to, from `now` on, given the mails already planned. */
function hoursFor(mails: number, planned: Map<number, number>, now: number): Map<number, number> {
  const hours = new Map<number, number>()
  let left = mails
  for (let hour = Math.floor(now / HOUR) * HOUR; left > 0; hour += HOUR) {
    const taken = Math.min(left, Math.max(0, MAILS_PER_HOUR - (planned.get(hour) ?? 0)))
    if (taken > 0) hours.set(hour, taken)
    left -= taken
  }
  return hours
}

const waiting = (until: number): DeliveryError => ({
  type: 'waiting',
  message: `Waits until ${formatInstant(until)}: ${RULE}.`,
})

function asWaiting({ delivery, recipients }: NewDelivery, startAt: Map<string, number>): NewDelivery {
  if (startAt.size === 0) return { delivery, recipients }
  const message = `${startAt.size} of ${recipients.length} recipients wait, the last until ${formatInstant(Math.max(...startAt.values()))}: ${RULE}.`
  const rows = recipients.map((recipient): DeliveryRecipient => {
    const until = startAt.get(recipient.id)
    return until === undefined ? recipient : { ...recipient, error: waiting(until) }
  })
  return { delivery: { ...delivery, error: { type: 'waiting', message } }, recipients: rows }
}

/**
 * Assigns an hour to every mail of a confirmation or invitation and reserves room in that hour. Other targets and
 * occasions are sent at once.
 */
export async function planMails({ deliveries }: SqlWriters, made: NewDelivery, now: number): Promise<PlannedDelivery> {
  const { delivery, recipients } = made
  const mails = recipients.filter(({ status }) => status === 'pending')
  const isLimited = LIMITED.includes(delivery.occasion) && delivery.targetType === 'email'
  if (!isLimited || mails.length === 0) return { made, startAt: new Map() }
  const { projectId } = delivery
  const planned = await deliveries.plannedMails(projectId, Math.floor(now / HOUR) * HOUR)
  const startAt = new Map<string, number>()
  let given = 0
  for (const [hour, count] of hoursFor(mails.length, planned, now)) {
    await deliveries.planMails(projectId, hour, count)
    for (const { id } of mails.slice(given, given + count)) if (hour > now) startAt.set(id, hour)
    given += count
  }
  return { made: asWaiting(made, startAt), startAt }
}
