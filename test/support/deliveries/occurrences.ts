/**
 * The dates of a schedule, found by walking every day in local time and checking whether it matches: slow, simple, and
 * an independent check of rules/subscriptions/recurrence.ts. For schedules whose start is in the walked time.
 */
import { toInstant, toWall } from '../../../src/lib/time/time-zone.ts'
import { type Schedule, WEEKDAYS } from '../../../src/model/subscriptions/subscription.ts'

const DAY = 86_400_000

/** 0 is Monday. */
const weekdayOf = (day: number): number => (new Date(day).getUTCDay() + 6) % 7
const monthOf = (day: number): number => new Date(day).getUTCFullYear() * 12 + new Date(day).getUTCMonth()
const startOfWeek = (day: number): number => day - weekdayOf(day) * DAY

/** The number of the period that a day lies in. */
const PERIOD: Record<Schedule['frequency'], (day: number) => number> = {
  daily: (day) => day / DAY,
  weekly: (day) => startOfWeek(day) / (7 * DAY),
  monthly: monthOf,
  yearly: (day) => new Date(day).getUTCFullYear(),
}

function fits({ frequency, byweekday }: Schedule, start: number, day: number): boolean {
  if (byweekday?.length) return byweekday.includes(WEEKDAYS[weekdayOf(day)] ?? 'monday')
  const [one, other] = [new Date(start), new Date(day)]
  if (frequency === 'daily') return true
  if (frequency === 'weekly') return weekdayOf(start) === weekdayOf(day)
  const isSameDay = one.getUTCDate() === other.getUTCDate()
  return frequency === 'monthly' ? isSameDay : isSameDay && one.getUTCMonth() === other.getUTCMonth()
}

/** All up to and including `end`. */
export function occurrences(schedule: Schedule, end: number): number[] {
  const { startDate, timezone, interval, byweekday, bysetpos, count, untilDate, frequency } = schedule
  const wall = toWall(startDate, timezone)
  const startDay = Math.floor(wall / DAY) * DAY
  const period = PERIOD[frequency]
  const periods = new Map<number, number[]>()
  // From a year before: a position counts from the beginning of its period.
  for (let day = startDay - 366 * DAY; day <= end + 366 * DAY; day += DAY) {
    const number = period(day)
    if ((number - period(startDay)) % interval !== 0 || !fits(schedule, startDay, day)) continue
    periods.set(number, [...(periods.get(number) ?? []), day])
  }
  const picked = [...periods.values()].flatMap((days) => {
    if (bysetpos === null || !byweekday?.length) return days
    return days.at(bysetpos > 0 ? bysetpos - 1 : bysetpos) ?? []
  })
  const dates = picked
    .filter((day) => day + (wall - startDay) >= wall)
    .map((day) => toInstant(day + (wall - startDay), timezone))
  return dates.slice(0, count ?? dates.length).filter((date) => date <= Math.min(end, untilDate ?? end))
}
