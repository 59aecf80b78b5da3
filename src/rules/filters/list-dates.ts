/** `date_from` and `date_to` of lists: ISO 8601, or relative to now. */
import { DAY, isDateOnly, parseInstant } from '../../lib/time/time.ts'
import { readRelativeDate } from './relative-date.ts'

/** Null when it is missing. */
function readDate(text: string | undefined, attr: string, now: number): number | null {
  if (text === undefined || text === '' || text === 'null') return null
  return readRelativeDate(text, now)?.instant ?? parseInstant(text, attr)
}

/** Start of the range; `all` is no start, and `otherwise` is that of a range without a date. */
export const readFrom = (text: string | undefined, now: number, otherwise = -Infinity): number =>
  text === 'all' ? -Infinity : (readDate(text, 'date_from', now) ?? otherwise)

/** End of the range; a date without a time means its whole day. */
export function readTo(text: string | undefined, now: number): number {
  const to = readDate(text, 'date_to', now)
  if (to === null) return Infinity
  return text !== undefined && isDateOnly(text) ? to + DAY - 1 / 1_000 : to
}
