/**
 * A schedule as text, as PostHog's clients show it: how often, and which position among the weekdays. Weekdays
 * without a position, count, end and time of day are left out on purpose.
 */
import type { Frequency, Schedule } from '../../model/subscriptions/subscription.ts'

const NOUNS: Record<Frequency, string> = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }

const ORDINALS = new Map([
  [1, 'first'],
  [2, 'second'],
  [3, 'third'],
  [4, 'fourth'],
  [-1, 'last'],
])

/** `sent every 2 months on the first Wednesday`. */
export function summarise(schedule: Pick<Schedule, 'frequency' | 'interval' | 'byweekday' | 'bysetpos'>): string {
  const { frequency, interval, byweekday, bysetpos } = schedule
  const noun = NOUNS[frequency]
  const period = interval > 1 ? `${interval} ${noun}s` : noun
  const [day, ...others] = new Set(byweekday)
  if (day === undefined || bysetpos === null) return `sent every ${period}`
  const ordinal = ORDINALS.get(bysetpos)
  if (ordinal === undefined) return 'sent on a schedule'
  const name = others.length === 0 ? day.slice(0, 1).toUpperCase() + day.slice(1) : 'day'
  return `sent every ${period} on the ${ordinal} ${name}`
}
