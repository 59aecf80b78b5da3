/**
 * Hours, days, weeks and months of a time zone, found by reading the local time every quarter of an hour. Slow and
 * without any arithmetic on zones, so that it cannot share a mistake with the product.
 */
import { DAY, MINUTE } from '../../src/lib/time/time.ts'

export type Interval = 'hour' | 'day' | 'week' | 'month'

/** The offset of all zones is a multiple of it, and changes by one. */
const LOOK = 15 * MINUTE

/** `2026-03-01`, this many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** The first day of the interval that contains this day. */
export function firstDayOf(interval: Interval, day: string): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`
  return interval === 'week' ? addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay()) : day
}

export function lastDayOf(interval: Interval, day: string): string {
  let last = day
  while (firstDayOf(interval, addDays(last, 1)) === firstDayOf(interval, day) && interval !== 'hour') {
    const next = addDays(last, 1)
    if (interval === 'day') break
    last = next
  }
  return last
}

export interface Walked {
  /** What the API calls the intervals: `2026-03-01`, for hours `2026-03-01 14:00:00`. */
  days: string[]
  edges: number[]
}

/** The intervals from the one that contains `from` up to the end of the day `to`. */
export function walk(zone: string, interval: Interval, from: string, to: string): Walked {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  })
  const days: string[] = []
  const edges: number[] = []
  const first = firstDayOf(interval, from)
  for (let at = Date.parse(`${addDays(first, -2)}T00:00:00Z`); ; at += LOOK) {
    const [day = '', hour] = format.format(at).split(', ')
    if (day < first) continue
    if (day > to) return { days, edges: [...edges, at] }
    const name = interval === 'hour' ? `${day} ${hour}:00:00` : firstDayOf(interval, day)
    if (name === days.at(-1)) continue
    days.push(name)
    edges.push(at)
  }
}
