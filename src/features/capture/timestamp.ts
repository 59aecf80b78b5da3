/**
 * When an event happened, corrected for the client's clock: `offset` wins over `timestamp`; a timestamp is moved by the
 * error of the client's clock at the time of sending; the far future becomes now. No event is dropped because of its
 * time.
 */
import { DAY, HOUR, readInstant, SECOND } from '../../lib/time/time.ts'

export interface TimeInput {
  timestamp: unknown
  offset: unknown
  sentAt: number | null
  ignoreSentAt: boolean
  now: number
}

export interface EventTime {
  at: number
  /** Why it is not what the client sent; null when it is. */
  warning: 'event_timestamp_in_future' | 'ignored_invalid_timestamp' | null
}

const MAX_FUTURE = 23 * HOUR
const FIRST_YEAR = Date.UTC(1970, 0, 1)

function readEpoch(text: string): number | null {
  if (!/^\d{9,13}(?:\.\d+)?$/.test(text)) return null
  const number = Number(text)
  return number > 100_000_000_000 ? number : number * SECOND
}

/** ISO 8601 in all spellings, RFC 2822, or seconds or milliseconds since the epoch. */
function readTimestamp(value: unknown): number | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  const text = value.trim()
  const known = readInstant(text) ?? readEpoch(text)
  if (known !== null) return known
  const parsed = /^[A-Za-z]{3},? /.test(text) || /^\d{1,2} [A-Za-z]{3} /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(parsed) ? null : parsed
}

function corrected(said: number, { sentAt, ignoreSentAt, now }: TimeInput): number {
  return sentAt === null || ignoreSentAt ? said : said - (sentAt - now)
}

export function eventTime(input: TimeInput): EventTime {
  const { offset, now } = input
  if (typeof offset === 'number' && Number.isFinite(offset) && Math.abs(offset) < 365 * DAY) {
    return { at: now - Math.trunc(offset), warning: null }
  }
  if (input.timestamp === undefined || input.timestamp === null) return { at: now, warning: null }
  const said = readTimestamp(input.timestamp)
  if (said === null) return { at: now, warning: 'ignored_invalid_timestamp' }
  const at = corrected(said, input)
  if (at > now + MAX_FUTURE) return { at: now, warning: 'event_timestamp_in_future' }
  return { at: Math.max(at, FIRST_YEAR), warning: null }
}
