/**
 * Instants. In memory and in the stores an instant is a number: milliseconds since the epoch, its
 * fraction holding the microseconds. On the wire it is ISO 8601 in UTC with `Z`, six fraction digits
 * when they are not all zero and none otherwise.
 */
import { invalid } from '../errors.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

export const WRONG_FORMAT =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

/** The API has four-digit years only: 0001 to 9999. */
const MIN_INSTANT = -62_135_596_800_000
const MAX_INSTANT = 253_402_300_799_999

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** Reads an ISO 8601 date or date-time; no offset means UTC. Null when it is not one, or not a real date. */
export function readInstant(text: string): number | null {
  const match = PATTERN.exec(text.trim())
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const offset = offsetMinutes(match[8])
  if (offset === null) return null
  const micros = Math.trunc(Number((match[7] ?? '').padEnd(9, '0').slice(0, 9)) / 1_000)
  const whole = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * SECOND
  const instant = whole + micros / 1_000
  // A double this large cannot hold microseconds any more: the last of them would round up to the year 10000.
  return whole < MIN_INSTANT || whole > MAX_INSTANT ? null : Math.min(instant, MAX_INSTANT)
}

/** As readInstant, but what cannot be read is a field error on `attr`. */
export function parseInstant(text: string, attr: string | null): number {
  const instant = readInstant(text)
  if (instant === null) throw invalid(WRONG_FORMAT, attr)
  return instant
}

export const isDateOnly = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text.trim())

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** Dates cached: formatting one takes longer than everything else here. */
const MAX_DATES = 5_000
const dates = new Map<number, string>()

/** `2026-11-15T` of a day since the epoch. */
function formatDay(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY).toISOString().slice(0, 11)
    if (dates.size >= MAX_DATES) dates.clear()
    dates.set(day, date)
  }
  return date
}

/** `2026-11-15T09:30:00` */
function formatSecond(whole: number): string {
  const day = Math.floor(whole / DAY)
  const second = (whole - day * DAY) / SECOND
  const minute = Math.floor(second / 60)
  return `${formatDay(day)}${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]}`
}

/** ISO 8601, UTC, `Z`; six fraction digits when not zero, none when zero. */
export function formatInstant(instant: number): string {
  const whole = Math.floor(instant / SECOND) * SECOND
  const base = formatSecond(whole)
  const micros = Math.round((instant - whole) * 1_000)
  if (micros === 0) return `${base}Z`
  if (micros === 1_000_000) return formatInstant(whole + SECOND)
  return `${base}.${String(micros).padStart(6, '0')}Z`
}

export const formatOptional = (instant: number | null): string | null =>
  instant === null ? null : formatInstant(instant)
