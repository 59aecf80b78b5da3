/**
 * Checks a schedule. All problems are reported at once. Types have been checked before (numbers are numbers, dates are
 * instants); nothing is changed or defaulted here.
 */
import type { Problem } from '../../lib/errors.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { FREQUENCIES, type Frequency, type Schedule, WEEKDAYS } from '../../model/subscriptions/subscription.ts'

/** A schedule as it was sent: choices are still any text. */
export type ScheduleInput = Omit<Schedule, 'frequency' | 'byweekday'> & {
  frequency: string
  byweekday: readonly string[] | null
}

export const MAX_INTERVAL = 1_000
export const MAX_COUNT = 10_000
const MAX_INT32 = 2_147_483_647

/** How often `n` weekdays can occur in one period at most: the highest position that can ever be met. */
export function highestPosition(frequency: Frequency, n: number): number {
  switch (frequency) {
    case 'daily':
      return Math.min(n, 1)
    case 'weekly':
      return n
    case 'monthly':
      return 4 * n + Math.min(n, 3)
    case 'yearly':
      return 52 * n + Math.min(n, 2)
  }
}

/** True for the names of the IANA database that this runtime knows, in any case; offsets are not names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const choice = (attr: string, value: string): Problem => ({
  attr,
  code: 'invalid_choice',
  detail: `"${cutText(value, 100)}" is not a valid choice.`,
})

function isFrequency(text: string): text is Frequency {
  return (FREQUENCIES as readonly string[]).includes(text)
}

function rangeProblems(attr: string, value: number | null, min: number, max: number): Problem[] {
  if (value === null) return []
  if (!Number.isInteger(value)) return [{ attr, code: 'invalid_input', detail: 'A valid integer is required.' }]
  if (value < min) {
    return [{ attr, code: 'min_value', detail: `Ensure this value is greater than or equal to ${min}.` }]
  }
  if (value > max) return [{ attr, code: 'max_value', detail: `Ensure this value is less than or equal to ${max}.` }]
  return []
}

function weekdayProblems(days: readonly string[] | null): Problem[] {
  const known: readonly string[] = WEEKDAYS
  const problems = (days ?? []).flatMap((day, i) => (known.includes(day) ? [] : [choice(`byweekday__${i}`, day)]))
  // The list may be as long as a body; repeating all of it would not help the caller.
  return problems.slice(0, WEEKDAYS.length)
}

function positionProblems({ frequency, byweekday, bysetpos }: ScheduleInput): Problem[] {
  const attr = 'bysetpos'
  const outside = rangeProblems(attr, bysetpos, -MAX_INT32 - 1, MAX_INT32)
  if (bysetpos === null || outside.length > 0) return outside
  if (bysetpos === 0)
    return [{ attr, code: 'invalid_input', detail: 'bysetpos must not be 0: the first position is 1.' }]
  const days = new Set(byweekday).size
  if (days === 0 || !isFrequency(frequency)) return []
  const highest = highestPosition(frequency, days)
  if (Math.abs(bysetpos) <= highest) return []
  const detail = `bysetpos must lie between -${highest} and ${highest} for a ${frequency} schedule on ${days} weekday${days === 1 ? '' : 's'}.`
  return [{ attr, code: 'invalid_input', detail }]
}

function untilProblems({ startDate, untilDate }: ScheduleInput): Problem[] {
  if (untilDate === null || untilDate >= startDate) return []
  return [{ attr: 'until_date', code: 'invalid_input', detail: 'until_date must not be before start_date.' }]
}

/** All problems of a schedule, in the order of the API's fields; empty when it is valid. */
export function scheduleProblems(schedule: ScheduleInput): Problem[] {
  return [
    ...(isFrequency(schedule.frequency) ? [] : [choice('frequency', schedule.frequency)]),
    ...rangeProblems('interval', schedule.interval, 1, MAX_INTERVAL),
    ...weekdayProblems(schedule.byweekday),
    ...positionProblems(schedule),
    ...rangeProblems('count', schedule.count, 1, MAX_COUNT),
    ...untilProblems(schedule),
    ...(isTimezone(schedule.timezone) ? [] : [choice('timezone', schedule.timezone)]),
  ]
}
