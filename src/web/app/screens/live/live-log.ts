/** What has arrived while one looks: the last events in short, how many were left out, and how many come each second. */
import { pageOf } from '../../data/events/event-page.ts'
import type { EventRow } from '../../data/events.ts'

/** Without its properties, of which two hundred events may have two hundred megabytes. */
export interface LiveRow {
  uuid: string
  event: string
  who: string
  page: string
  timestamp: string
}

interface Arrival {
  at: number
  count: number
}

export interface LiveLog {
  /** Newest first. */
  rows: readonly LiveRow[]
  /** How many have arrived, those that are no longer listed with them. */
  taken: number
  leftOut: number
  /** There were others, of which the number is not known. */
  isMore: boolean
  /** Of the last seconds, with what was left out. */
  arrivals: readonly Arrival[]
}

export const MOST_ROWS = 200
/** Over so many seconds the rate is told. */
export const RATE_SECONDS = 10

export const NOTHING: LiveLog = { rows: [], taken: 0, leftOut: 0, isMore: false, arrivals: [] }

const recent = (arrivals: readonly Arrival[], now: number): Arrival[] =>
  arrivals.filter(({ at }) => now - at < RATE_SECONDS * 1_000)

const inShort = ({ uuid, event, distinct_id, person, properties, timestamp }: EventRow): LiveRow => ({
  uuid,
  event,
  who: person?.name ?? distinct_id,
  page: pageOf(properties),
  timestamp,
})

/** `events`: newest last. One that is listed already is not new. */
export function withEvents(log: LiveLog, events: readonly EventRow[], now: number): LiveLog {
  const known = new Set(log.rows.map(({ uuid }) => uuid))
  const added = events.filter(({ uuid }) => !known.has(uuid)).map(inShort)
  if (added.length === 0) return log
  return {
    ...log,
    rows: [...added.toReversed(), ...log.rows].slice(0, MOST_ROWS),
    taken: log.taken + added.length,
    arrivals: [...recent(log.arrivals, now), { at: now, count: added.length }],
  }
}

export const withLeftOut = (log: LiveLog, count: number, isMore: boolean, now: number): LiveLog => ({
  ...log,
  leftOut: log.leftOut + count,
  isMore: log.isMore || isMore,
  arrivals: [...recent(log.arrivals, now), { at: now, count }],
})

/** Events each second, with one digit after the point. */
export function rateOf({ arrivals }: LiveLog, now: number): string {
  const sum = recent(arrivals, now).reduce((all, { count }) => all + count, 0)
  return (sum / RATE_SECONDS).toFixed(1)
}
