/**
 * Stretches of time in which a list is searched, one after the other, until there is enough: the first is an hour, each
 * further one much longer. So the cost of a page depends on the page and not on the project.
 */
import { DAY, HOUR } from '../../../lib/time/time.ts'
import { inPeriods } from '../rows/event-rows.ts'
import { int, microsOf } from '../values/literal.ts'

/** In microseconds, as events are stored; the end is excluded. */
export interface TimeRange {
  from: bigint
  to: bigint
}

export type Direction = 'older' | 'newer'

export const EVER: TimeRange = { from: microsOf(Number.NEGATIVE_INFINITY), to: microsOf(Number.POSITIVE_INFINITY) }

const FIRST_WINDOW = microsOf(HOUR)
const WIDER = 16n
/** What is beyond is searched at once. */
const LONGEST_WINDOW = microsOf(4 * 365 * DAY)
const DAY_MICROS = microsOf(DAY)

const dayOfMicros = (micros: bigint): number =>
  Number(micros >= 0n ? micros / DAY_MICROS : (micros - DAY_MICROS + 1n) / DAY_MICROS)

/** SQL of whether a moment is in the range. */
export function momentWithin({ from, to }: TimeRange): string {
  const days = inPeriods(dayOfMicros(from), dayOfMicros(to - 1n))
  return `${days} AND ts >= ${int(from)} AND ts < ${int(to)}`
}

/** SQL of whether an event is in the range. */
export const eventWithin = (range: TimeRange): string =>
  `day >= ${int(dayOfMicros(range.from))} AND day <= ${int(dayOfMicros(range.to - 1n))} AND ${momentWithin(range)}`

/** How far from the beginning of a search its windows end. */
function* distances(): Generator<bigint> {
  let distance = 0n
  for (let window = FIRST_WINDOW; window < LONGEST_WINDOW; window *= WIDER) {
    distance += window
    yield distance
  }
}

function* olderWindows({ from, to }: TimeRange, present: bigint): Generator<TimeRange> {
  const start = to < present ? to : present
  let end = to
  for (const distance of distances()) {
    const edge = start - distance
    if (edge <= from) break
    yield { from: edge, to: end }
    end = edge
  }
  if (from < end) yield { from, to: end }
}

function* newerWindows({ from, to }: TimeRange, present: bigint): Generator<TimeRange> {
  let start = from
  for (const distance of distances()) {
    const edge = from + distance
    if (edge >= to || edge > present) break
    yield { from: start, to: edge }
    start = edge
  }
  if (start < to) yield { from: start, to }
}

/** The range in windows. What is newer than now is little: all of it is in the first or the last of them. */
export const windowsOf = (range: TimeRange, direction: Direction, now: number): Generator<TimeRange> =>
  direction === 'older' ? olderWindows(range, microsOf(now)) : newerWindows(range, microsOf(now))
