/**
 * The latest events of a project, bounded in number: from which instant on there are enough. They are counted by days, from
 * the latest on, and only the day in which that number is reached by minutes.
 */
import { systemClock } from '../../../lib/time/clock.ts'
import { DAY, MINUTE } from '../../../lib/time/time.ts'
import type { Reading } from '../parts.ts'
import { int, microsOf } from '../values/literal.ts'
import { EVER, eventWithin, type TimeRange, windowsOf } from './time-windows.ts'

const DAY_MICROS = microsOf(DAY)
const MINUTE_MICROS = microsOf(MINUTE)
/** More days than a project has, unless somebody makes its dates up; those before are left out then. */
const MAX_DAYS = 20_000

/** Properties of more bytes are long. */
const LONG = 16_000
/** Maximum number of events with long properties that are read. */
const LATEST_LONG = 1_000

/** Numbers with how many events each has, the highest first. */
async function countsBy({ rows }: Reading, expression: string, condition: string): Promise<[bigint, number][]> {
  const found = await rows(`SELECT ${expression} AS number, count() FROM events WHERE ${condition}
    GROUP BY number ORDER BY number DESC LIMIT ${MAX_DAYS}`)
  return found.map(([number, count]) => [BigInt(number as string), Number(count)])
}

/** The number at which so many are reached, and how many there are above it; null: there are fewer in all. */
function reachedAt(counts: [bigint, number][], wanted: number): { number: bigint; above: number } | null {
  let above = 0
  for (const [number, count] of counts) {
    if (above + count >= wanted) return { number, above }
    above += count
  }
  return null
}

/** From the latest on, in ever longer stretches of whole days. */
function* dayWindows(): Generator<TimeRange> {
  let { to } = EVER
  for (const window of windowsOf(EVER, 'older', systemClock.now())) {
    const from = window.from === EVER.from ? window.from : window.from - (window.from % DAY_MICROS)
    if (from < to) yield { from, to }
    to = from
  }
}

/** The time from which on there are at least so many events under the condition, and not many more; all if there are fewer. */
export async function latestRange(reading: Reading, condition: string, wanted: number): Promise<TimeRange> {
  const days: [bigint, number][] = []
  for (const window of dayWindows()) {
    days.push(...(await countsBy(reading, 'day', `${condition} AND ${eventWithin(window)}`)))
    const day = reachedAt(days, wanted)
    if (!day) continue
    const start = day.number * DAY_MICROS
    const ofDay = `${condition} AND ${eventWithin({ from: start, to: start + DAY_MICROS })}`
    const minutes = await countsBy(reading, `intDiv(ts - ${int(start)}, ${int(MINUTE_MICROS)})`, ofDay)
    const minute = reachedAt(minutes, wanted - day.above)
    return { from: start + (minute?.number ?? 0n) * MINUTE_MICROS, to: EVER.to }
  }
  return EVER
}

/** SQL of whether an event in the range is read with its properties: of those that are long, only the latest are. */
export async function isRead({ rows }: Reading, condition: string, range: TimeRange): Promise<string> {
  const [[last] = []] =
    await rows(`SELECT ts FROM events WHERE ${condition} AND ${eventWithin(range)} AND size > ${LONG}
    ORDER BY ts DESC LIMIT ${LATEST_LONG - 1}, 1`)
  const all = eventWithin(range)
  return last === undefined ? all : `${all} AND (size <= ${LONG} OR ts >= ${int(BigInt(last as string))})`
}
