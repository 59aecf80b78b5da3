/**
 * The date range of a timeline: `date_from` and `date_to` as ISO 8601, as a date, or relative (`-7d`); by default the
 * last seven days up to now. Both ends are extended to whole days of the project's time zone, to whole hours when the
 * interval is an hour. Two equal dates mean one interval that begins there.
 */
import { invalid } from '../../../lib/errors.ts'
import { DAY, HOUR, isDateOnly, parseInstant } from '../../../lib/time/time.ts'
import { toInstant, toWall } from '../../../lib/time/time-zone.ts'
import { readRelativeDate } from '../../../rules/filters/relative-date.ts'

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export interface RangeRequest {
  /** Undefined: seven days before the end. An instant: from there, but not after the end. */
  dateFrom: string | number | undefined
  dateTo: string | undefined
  interval: Interval
  timezone: string
}

/** Both ends are inclusive. */
export interface DateRange {
  from: number
  to: number
}

const MICROSECOND = 0.001
/** The years that the wire format can express, as local times. */
const FIRST = Date.parse('0001-01-02T00:00:00Z')
const LAST = Date.parse('9999-12-30T00:00:00Z')

/** A relative date in days is counted on the calendar of the zone; one in hours, in elapsed time. */
function readWall(text: string, attr: string, timezone: string, now: number): number {
  const relative = readRelativeDate(text, now)
  if (relative?.wholeDays) return readRelativeDate(text, toWall(now, timezone))?.instant ?? now
  if (relative) return toWall(relative.instant, timezone)
  const instant = parseInstant(text, attr)
  return isDateOnly(text) ? instant : toWall(instant, timezone)
}

function bounded(wall: number, attr: string): number {
  if (wall < FIRST || wall > LAST) throw invalid('The date is out of range.', attr)
  return wall
}

function monthLater(wall: number): number {
  const date = new Date(wall)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).getUTCDate()
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, Math.min(date.getUTCDate(), last))
  return month + (wall - Math.floor(wall / DAY) * DAY)
}

function intervalLater(wall: number, interval: Interval): number {
  if (interval === 'month') return monthLater(wall)
  return wall + { hour: HOUR, day: DAY, week: 7 * DAY }[interval]
}

export function readDateRange({ dateFrom, dateTo, interval, timezone }: RangeRequest, now: number): DateRange {
  const unit = interval === 'hour' ? HOUR : DAY
  const floor = (wall: number) => Math.floor(wall / unit) * unit
  const last =
    dateTo === undefined ? toWall(now, timezone) : bounded(readWall(dateTo, 'date_to', timezone, now), 'date_to')
  const firstOf = (): number => {
    if (dateFrom === undefined) return last - 7 * DAY
    if (typeof dateFrom === 'number') return Math.min(toWall(dateFrom, timezone), last)
    return readWall(dateFrom, 'date_from', timezone, now)
  }
  const first = firstOf()
  const start = floor(bounded(first, 'date_from'))
  const lastStart = floor(last)
  if (start > lastStart) throw invalid('date_from must not lie after date_to.', 'date_from')
  const isOneInterval = typeof dateFrom === 'string' && dateTo !== undefined && first === last
  const end = isOneInterval ? intervalLater(start, interval) : lastStart + unit
  return { from: toInstant(start, timezone), to: toInstant(end, timezone) - MICROSECOND }
}
