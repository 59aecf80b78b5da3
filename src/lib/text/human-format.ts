/** Numbers, shares, durations and days as people read them; English, the same on every machine. */
import { DAY, HOUR, MINUTE, SECOND } from '../time/time.ts'

const UNITS: [number, string][] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
]

/** At most `digits` after the point, none of them a zero at the end. */
const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)))

/** `12.3K`, `4`, `0.25`, `-1.2M`; beyond thousands of trillions as powers of ten. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(1)
  // A value that rounds up to a thousand of one unit is shown as one of the next.
  const [unit, letter] = UNITS.find(([from]) => Math.round(size * 10) / 10 >= from * 0.99995) ?? [1, '']
  return trimmed(value / unit, size >= 1 || unit > 1 ? 1 : 2) + letter
}

/** `12,345`, with at most two digits after the point. */
export function fullNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const [whole = '', fraction] = trimmed(value, 2).split('.')
  const grouped = /e/.test(whole) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** A share between 0 and 1 as `12.3%`; `–` if it is not a finite number (a share of nothing). */
export const percent = (share: number, digits = 1): string =>
  Number.isFinite(share) ? `${trimmed(share * 100, digits)}%` : '–'

const DURATIONS: [number, string, number, string][] = [
  [DAY, 'd', HOUR, 'h'],
  [HOUR, 'h', MINUTE, 'm'],
  [MINUTE, 'm', SECOND, 's'],
]

/** Seconds as their two largest units: `2d 3h`, `4m`, `12s`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  const size = Math.round(seconds) * SECOND
  const found = DURATIONS.find(([unit]) => size >= unit)
  if (!found) return seconds > 0 && seconds < 1 ? '<1s' : `${size / SECOND}s`
  const [unit, letter, smaller, smallLetter] = found
  const rest = Math.floor((size % unit) / smaller)
  return `${Math.floor(size / unit)}${letter}${rest > 0 ? ` ${rest}${smallLetter}` : ''}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}))?/

/** `2026-11-01` for an axis: `1 Nov`, by months `Nov 2026`, by hours `1 Nov 13:00`; other text as it is. */
export function dayLabel(day: string, interval = 'day'): string {
  const [, year, month, date, time] = DAY_PATTERN.exec(day) ?? []
  const name = MONTHS[Number(month) - 1]
  if (year === undefined || name === undefined) return day
  if (interval.toLowerCase() === 'month') return `${name} ${year}`
  const label = `${Number(date)} ${name}`
  return time !== undefined && /^(?:hour|minute)$/i.test(interval) ? `${label} ${time}` : label
}

/** `1 Nov 2026`. */
export function fullDay(day: string): string {
  const [, year] = DAY_PATTERN.exec(day) ?? []
  return year === undefined ? day : `${dayLabel(day)} ${year}`
}
