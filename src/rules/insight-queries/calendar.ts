/**
 * Calendar arithmetic in local (wall-clock) time (see lib/time/time-zone.ts): where hours, days, weeks and months begin.
 * Weeks begin on Sunday, which is PostHog's default.
 */
import { DAY, HOUR } from '../../lib/time/time.ts'

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** The first of January 1970 was a Thursday. */
const DAYS_FROM_SUNDAY = 4

export const startOfDay = (wall: number): number => Math.floor(wall / DAY) * DAY

function startOfWeek(wall: number): number {
  const day = Math.floor(wall / DAY)
  return (day - ((((day + DAYS_FROM_SUNDAY) % 7) + 7) % 7)) * DAY
}

/** The first of the month that is `months` away. */
export function startOfMonth(wall: number, months = 0): number {
  const date = new Date(wall)
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** The same day and time `months` away; a day that the month does not have becomes its last. */
export function addMonths(wall: number, months: number): number {
  const first = startOfMonth(wall, months)
  const last = startOfMonth(wall, months + 1) - DAY
  return Math.min(first + startOfDay(wall) - startOfMonth(wall), last) + (wall - startOfDay(wall))
}

export function startOf(interval: Interval, wall: number): number {
  switch (interval) {
    case 'hour':
      return Math.floor(wall / HOUR) * HOUR
    case 'day':
      return startOfDay(wall)
    case 'week':
      return startOfWeek(wall)
    case 'month':
      return startOfMonth(wall)
  }
}

/** The interval that begins `count` after the one that begins at `start`. */
export function step(interval: Interval, start: number, count: number): number {
  if (interval === 'month') return startOfMonth(start, count)
  const length = interval === 'hour' ? HOUR : interval === 'day' ? DAY : 7 * DAY
  return start + count * length
}

/** How many intervals there are from the one that contains `from` up to `to`, computed without a loop. */
export function countIntervals(interval: Interval, from: number, to: number): number {
  const first = startOf(interval, from)
  if (interval !== 'month') return Math.ceil((to - first) / (step(interval, first, 1) - first))
  const months = (wall: number) => new Date(wall).getUTCFullYear() * 12 + new Date(wall).getUTCMonth()
  return months(to) - months(first) + (to > startOfMonth(to) ? 1 : 0)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1-Nov-2026`, with the time for hours. */
export function labelOf(interval: Interval, wall: number): string {
  const date = new Date(wall)
  const day = `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`
  return interval === 'hour' ? `${day} ${date.toISOString().slice(11, 16)}` : day
}

/** `2026-11-01`, with the time for hours. */
export function dayOf(interval: Interval, wall: number): string {
  const [day, time = ''] = new Date(wall).toISOString().split('T')
  return interval === 'hour' ? `${day} ${time.slice(0, 8)}` : (day ?? '')
}
