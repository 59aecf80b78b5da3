/**
 * The date range of a query in the project's local time. `date_from` and `date_to` are dates, date-times (without an
 * offset: in the project's zone) or relative: `-7d`, `-24h`, `-3m`, `dStart`, `mStart`, `-1mStart`, `-1mEnd`, `all`.
 * Both ends are whole days, or whole hours if the interval is an hour, unless `explicitDate` requests the exact times.
 */
import { invalid } from '../../lib/errors.ts'
import { DAY, HOUR, isDateOnly, MINUTE, readInstant, SECOND } from '../../lib/time/time.ts'
import { toInstant, toWall } from '../../lib/time/time-zone.ts'
import { addMonths, type Interval, startOf, startOfDay, startOfMonth, step } from './calendar.ts'
import type { Node } from './query-node.ts'
import { countedIntervals } from './result-size-limit.ts'

/** The context of a query: project, time and zone. */
export interface Setting {
  projectId: number
  now: number
  /** IANA name of the project's zone. */
  zone: string
  /** The project's first event, for `all`; null when there is none or it is not needed. */
  earliestAt: number | null
}

export interface WallRange {
  from: number
  /** Excluded. */
  to: number
  /** Whether the first interval begins at `from` itself instead of at the start of its hour, day, week or month. */
  exact: boolean
}

/** A parsed date: a whole day, or a time. */
interface ParsedDate {
  wall: number
  isDay: boolean
  /** Relative to now; `days`: the distance, if it was given in days. */
  relative: boolean
  days: number | null
}

const RELATIVE = /^-?(\d{1,4})?([hMsdwmqy])(Start|End)?$/
const UNIT_MS: Record<string, number> = { h: HOUR, M: MINUTE, s: SECOND, d: DAY, w: 7 * DAY }
const UNIT_MONTHS: Record<string, number> = { m: 1, q: 3, y: 12 }
const WITH_OFFSET = /\d{2}:\d{2}.*(?:[zZ]|[+-]\d{2}(?::?\d{2})?)$/

/** PostHog's own limit for `all`: earlier events come from wrong clocks. */
const EARLIEST = Date.UTC(2015, 0)
const DEFAULT_FROM = '-7d'

/** The first or last day of the week, month, quarter or year of a day. */
function edgeOf(unit: string, position: string, day: number): number {
  if (unit === 'd') return day
  if (unit === 'w') return startOf('week', day) + (position === 'Start' ? 0 : 6 * DAY)
  const months = UNIT_MONTHS[unit] ?? 1
  const first = startOfMonth(day, -(new Date(day).getUTCMonth() % months))
  return position === 'Start' ? first : startOfMonth(first, months) - DAY
}

function readRelative(text: string, { now, zone }: Setting): ParsedDate | null {
  const match = RELATIVE.exec(text)
  const [, amount, unit = '', position] = match ?? []
  if (!match || (amount === undefined && position === undefined)) return null
  const count = Number(amount ?? 0)
  if (unit === 'h' || unit === 'M' || unit === 's') {
    const wall = toWall(now - count * (UNIT_MS[unit] ?? 0), zone)
    return { wall: position ? startOf('hour', wall) : wall, isDay: false, relative: true, days: null }
  }
  const today = startOfDay(toWall(now, zone))
  const months = UNIT_MONTHS[unit]
  const day = months ? addMonths(today, -count * months) : today - count * (UNIT_MS[unit] ?? 0)
  const wall = position ? edgeOf(unit, position, day) : day
  return { wall, isDay: true, relative: true, days: unit === 'd' && !position ? count : null }
}

function readDate(text: string, setting: Setting, attr: string): ParsedDate {
  const relative = readRelative(text.trim(), setting)
  if (relative) return relative
  const instant = readInstant(text)
  if (instant === null) {
    throw invalid('Expected a date, a date-time or a distance from now such as -7d, dStart, -1mStart or all.', attr)
  }
  const wall = WITH_OFFSET.test(text.trim()) ? toWall(instant, setting.zone) : instant
  return { wall, isDay: isDateOnly(text), relative: false, days: null }
}

function readFrom(range: Node, setting: Setting): ParsedDate {
  const text = range.text('date_from') || DEFAULT_FROM
  if (text !== 'all') return readDate(text, setting, range.attr('date_from'))
  const wall = toWall(Math.max(setting.earliestAt ?? setting.now, EARLIEST), setting.zone)
  return { wall: startOfDay(wall), isDay: true, relative: false, days: null }
}

export const asksForAll = (query: Node): boolean => query.child('dateRange').raw('date_from') === 'all'

/** The end of the day or hour, or the exact time. */
function endOf({ wall, isDay, relative }: ParsedDate, interval: Interval, exact: boolean): number {
  if (isDay || (interval !== 'hour' && !exact)) return startOfDay(wall) + DAY
  return relative && !exact ? startOf('hour', wall) + HOUR : wall
}

export interface ReadRange extends WallRange {
  /** The distance if given in days back from now; null otherwise. */
  daysBack: number | null
}

export function readRange(query: Node, interval: Interval, setting: Setting): ReadRange {
  const range = query.child('dateRange')
  const exact = range.isOn('explicitDate')
  const from = readFrom(range, setting)
  const toText = range.text('date_to')
  const now: ParsedDate = { wall: toWall(setting.now, setting.zone), isDay: false, relative: true, days: null }
  const to = endOf(toText ? readDate(toText, setting, range.attr('date_to')) : now, interval, exact)
  const start = exact || interval === 'hour' ? from.wall : startOfDay(from.wall)
  if (start >= to) throw invalid('date_from must lie before date_to.', range.attr('date_from'))
  return { from: start, to, exact, daysBack: toText ? null : from.days }
}

const COMPARE_TO = /^-(\d{1,4})([hdwmqy])$/

/** The range that `compareFilter` compares with: the one directly before, or the one shifted by `compare_to`. */
export function previousRange(range: ReadRange, interval: Interval, compare: Node): WallRange {
  const text = compare.text('compare_to')
  const [, amount, unit = ''] = text ? (COMPARE_TO.exec(text) ?? []) : []
  if (text && amount === undefined)
    throw invalid('Expected a distance such as -1w, -30d or -1y.', compare.attr('compare_to'))
  const months = UNIT_MONTHS[unit]
  const shift = (wall: number): number => {
    if (months) return addMonths(wall, -Number(amount) * months)
    if (amount !== undefined) return wall - Number(amount) * (UNIT_MS[unit] ?? DAY)
    return wall - lengthInDays(range, interval) * DAY
  }
  return { from: shift(range.from), to: shift(range.to), exact: range.exact }
}

/** Whole days, so that days are compared with days; whole weeks stay whole weeks, so that weekdays match. */
function lengthInDays({ from, to, daysBack }: ReadRange, interval: Interval): number {
  if (interval === 'hour') return Math.max(1, Math.floor((to - from) / DAY))
  if (daysBack !== null && daysBack > 0 && daysBack % 7 === 0) return daysBack
  return Math.ceil((to - from) / DAY)
}

export interface Intervals {
  /** See model/insights/insight-question.ts. */
  edges: number[]
  /** Where each interval begins, in local time. */
  starts: number[]
}

/** The instants at which a range begins and ends. */
export function instantsOf({ from, to }: { from: number; to: number }, { zone }: Setting): [from: number, to: number] {
  const instants: [number, number] = [toInstant(from, zone), toInstant(to, zone)]
  if (instants[0] < instants[1]) return instants
  throw invalid('The clocks of the time zone were set forward over this range; it holds no time.', 'query')
}

/**
 * The intervals of a range, with `before` more in front. An hour that local time skips is left out; one that occurs
 * twice is one interval of two hours. The last ends with the range.
 */
export function intervalsOf(range: WallRange, interval: Interval, setting: Setting, before = 0): Intervals {
  countedIntervals(range, interval)
  const { zone } = setting
  const first = range.exact && before === 0 ? range.from : step(interval, startOf(interval, range.from), -before)
  const starts: number[] = []
  const edges: number[] = []
  const [, end] = instantsOf({ from: first, to: range.to }, setting)
  for (let wall = first; wall < range.to; wall = step(interval, startOf(interval, wall), 1)) {
    const edge = toInstant(wall, zone)
    if (edge >= end || edge <= (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) continue
    const shown = toWall(edge, zone)
    // In a gap local time is a later hour than the one counted.
    starts.push(interval === 'hour' && shown !== wall ? startOf('hour', shown) : wall)
    edges.push(edge)
  }
  return { edges: [...edges, end], starts }
}

/** A range as one interval, which begins at the start of its first hour, day, week or month. */
export function wholeOf(range: WallRange, interval: Interval, setting: Setting): [from: number, to: number] {
  return instantsOf({ from: range.exact ? range.from : startOf(interval, range.from), to: range.to }, setting)
}
