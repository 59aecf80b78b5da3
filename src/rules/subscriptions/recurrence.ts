/**
 * When a subscription is due next. The rule is RFC 5545 (weeks from Monday, seconds kept, fractions dropped)
 * in the local time of the schedule's time zone: each date is computed as if local time were UTC and then
 * converted to an instant. A local time that is skipped moves past the gap by the gap's length; of a time that occurs
 * twice, the first one counts. Nothing beyond the year 9999, which the API cannot represent. Accepts schedules that
 * features/subscriptions/validate-schedule.ts allows; for all of them the search is bounded, even if no date ever matches.
 */
import { createRequire } from 'node:module'
import type { RRuleTemporal } from 'rrule-temporal'
import { DAY, MINUTE, SECOND } from '../../lib/time/time.ts'
import { toInstant, toWall } from '../../lib/time/time-zone.ts'
import { type Frequency, type Schedule, WEEKDAYS, type Weekday } from '../../model/subscriptions/subscription.ts'

/** Loaded with the first rule: a server without subscriptions does not need the library and its calendars. */
const loadRules = (): typeof import('rrule-temporal') => createRequire(import.meta.url)('rrule-temporal')

/** What is due within this time counts as already being sent. */
export const LEAD = 15 * MINUTE
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59)
/**
 * Above the days that 10,000 matches of one weekday take, and the months up to the year 9999. The library's
 * other bound (on candidates) stays untouched: setting it turns off the arithmetic that makes COUNT quick.
 */
const MAX_PERIODS = 150_000

/** Days in one period, and after how many periods weekdays and lengths repeat: 400 years for months and years. */
const PERIODS: Record<Frequency, { shortest: number; longest: number; cycle: number }> = {
  daily: { shortest: 1, longest: 1, cycle: 7 },
  weekly: { shortest: 7, longest: 7, cycle: 1 },
  monthly: { shortest: 28, longest: 31, cycle: 4_800 },
  yearly: { shortest: 365, longest: 366, cycle: 400 },
}

const code = (day: Weekday): string => day.slice(0, 2).toUpperCase()

/** The most of these weekdays that one period can contain: less than the sum of the maxima of each alone. */
function mostMatches(frequency: Frequency, days: Weekday[]): number {
  const { longest } = PERIODS[frequency]
  const matchesFrom = (first: number): number => {
    let matches = 0
    for (let i = 0; i < longest; i++) if (days.some((day) => WEEKDAYS.indexOf(day) === (first + i) % 7)) matches++
    return matches
  }
  return Math.max(...WEEKDAYS.map((_, first) => matchesFrom(first)))
}

/**
 * The weekday part of the rule; null when no period has such a position. Within a day or a week a position
 * selects a weekday directly: writing that instead of BYSETPOS avoids a code path of the library that is 700 times slower.
 */
function weekdayPart({ frequency, byweekday, bysetpos }: Schedule): string | null {
  const days = WEEKDAYS.filter((day) => byweekday?.includes(day))
  if (days.length === 0) return ''
  const all = `;BYDAY=${days.map(code).join(',')}`
  if (bysetpos === null) return all
  if (bysetpos === 0 || Math.abs(bysetpos) > mostMatches(frequency, days)) return null
  if (frequency === 'daily') return all
  if (frequency !== 'weekly') return `${all};BYSETPOS=${bysetpos}`
  const picked = days.at(bysetpos > 0 ? bysetpos - 1 : bysetpos)
  return picked === undefined ? null : `;BYDAY=${code(picked)}`
}

/** `20220131T100000Z` */
const stamp = (wall: number): string => `${new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** The rule in local time, `end` being its COUNT or UNTIL; null when it cannot have a date. */
function toRule(schedule: Schedule, start: number, end: string): RRuleTemporal | null {
  const { frequency, interval } = schedule
  const weekdays = weekdayPart(schedule)
  if (weekdays === null || start > LAST) return null
  // An explicit BYMONTHDAY is found by arithmetic; a day taken from DTSTART is searched month by month.
  const day = frequency === 'monthly' && weekdays === '' ? `;BYMONTHDAY=${new Date(start).getUTCDate()}` : ''
  const rule = `FREQ=${frequency.toUpperCase()};INTERVAL=${interval};WKST=MO${weekdays}${day};${end}`
  const { RRuleTemporal: Rule } = loadRules()
  return new Rule({
    rruleString: `DTSTART:${stamp(start)}\nRRULE:${rule}`,
    maxIterations: MAX_PERIODS,
  })
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** A rule without a date within this time after any of its periods has none at all. */
function horizon({ frequency, interval }: Schedule): number {
  const { longest, cycle } = PERIODS[frequency]
  return ((cycle * interval) / gcd(cycle, interval) + interval) * longest * DAY
}

/** Whether the date at `wall` is among the first `count`. */
function isCounted(schedule: Schedule, start: number, wall: number): boolean {
  const { frequency, interval, byweekday, bysetpos, count } = schedule
  if (count === null) return true
  const { shortest, longest } = PERIODS[frequency]
  const perPeriod = byweekday?.length && bysetpos === null ? longest : 1
  // Counting is expensive; most schedules are too young to have reached their count.
  if (((wall - start) / (interval * shortest * DAY) + 2) * perPeriod <= count) return true
  return toRule(schedule, start, `COUNT=${count}`)?.next(new Date(wall), true) != null
}

/** The first date strictly after `after`; null when none is left. */
export function firstAfter(schedule: Schedule, after: number): number | null {
  const { timezone, untilDate } = schedule
  const start = Math.floor(schedule.startDate / SECOND) * SECOND
  const startWall = toWall(start, timezone)
  // A gap can move a date by up to a day, so the search begins earlier in local time and compares instants.
  let wall = toWall(after, timezone) - 2 * DAY
  const end = Math.min(LAST, Math.max(startWall, wall + 4 * DAY) + horizon(schedule))
  const rule = toRule(schedule, startWall, `UNTIL=${stamp(end)}`)
  for (;;) {
    const next = rule?.next(new Date(wall), false)
    if (!next) return null
    wall = next.epochMilliseconds
    // The start is an instant already: it is kept even if it is the second of a local time that occurs twice.
    const instant = Math.max(toInstant(wall, timezone), start)
    if (instant > Math.min(LAST, untilDate ?? LAST)) return null
    if (instant > after) return isCounted(schedule, startWall, wall) ? instant : null
  }
}

/**
 * The first date strictly after both `from` (the date just delivered, if any) and a quarter of an hour from
 * `now`; null when none is left. Never in the past: missed dates are not made up here.
 */
export const nextDelivery = (schedule: Schedule, now: number, from?: number): number | null =>
  firstAfter(schedule, Math.max(now + LEAD, from ?? -Infinity))
