/**
 * The active time of a recording, computed so that events may arrive in any order and in any pieces: active
 * time is a function of the set of events, and joining the digests of two sets gives the digest of their union.
 *
 * The function: active events that follow one another within 5 s form a stretch; a stretch lasts from its first
 * active event to the last event of any kind within 5 s after its last active one, and counts at least 1 ms.
 *
 * The digest: the stretches, and the times of inactive events that may still matter. One inside a stretch never will,
 * because stretches only grow. Of those within 5 s after a stretch only the latest can: a later end of the stretch
 * either passes the others or leaves the latest within 5 s. The rest are kept, because an active event may
 * still arrive that precedes them.
 *
 * Bounded: beyond MAX_KEPT stretches and times, the older half is folded into a number, and events that arrive later for
 * that past do not count any more. A day's session has far fewer; the SDK stops when the user is idle.
 */
import { isActive, type RrwebEvent } from './event.ts'

/** The longest pause within a stretch. */
const MAX_PAUSE = 5_000
const MAX_KEPT = 4_096

interface Stretch {
  /** Times of the first and of the last active event. */
  from: number
  to: number
}

export interface Activity {
  /** Sorted, each more than MAX_PAUSE after the one before. */
  stretches: Stretch[]
  /** Sorted times of inactive events. */
  idle: number[]
  /** Active time before `foldedUntil`, which is final. */
  foldedMs: number
  foldedUntil: number
}

export const NO_ACTIVITY: Activity = { stretches: [], idle: [], foldedMs: 0, foldedUntil: 0 }

/** Activity of which only the sum is known. */
export const activityUntil = (foldedMs: number, foldedUntil: number): Activity => ({
  ...NO_ACTIVITY,
  foldedMs,
  foldedUntil,
})

function joinStretches(sorted: Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  let last: Stretch | undefined
  for (const { from, to } of sorted) {
    if (last && from - last.to <= MAX_PAUSE) last.to = Math.max(last.to, to)
    else {
      last = { from, to }
      joined.push(last)
    }
  }
  return joined
}

/** Drops times that can never matter again; `sorted` may contain duplicates. */
function usefulIdle(sorted: number[], stretches: Stretch[]): number[] {
  const kept: number[] = []
  let next = 0
  /** Index of the stretch that the last time in `kept` follows within MAX_PAUSE; -1: none. */
  let followed = -1
  for (const at of sorted) {
    while ((stretches[next]?.from ?? Number.POSITIVE_INFINITY) <= at) next += 1
    const before = stretches[next - 1]
    if (at === kept.at(-1) || (before && at <= before.to)) continue
    const within = before !== undefined && at - before.to <= MAX_PAUSE
    if (within && followed === next - 1) kept.pop()
    followed = within ? next - 1 : -1
    kept.push(at)
  }
  return kept
}

/** The end of a stretch, searching `idle` from `index` on; and where the next search begins. */
function endOf(stretch: Stretch, idle: number[], index: number): { end: number; index: number } {
  let i = index
  while ((idle[i] ?? Number.POSITIVE_INFINITY) <= stretch.to) i += 1
  const at = idle[i]
  return { end: at !== undefined && at - stretch.to <= MAX_PAUSE ? at : stretch.to, index: i }
}

function lengthOf(stretches: Stretch[], idle: number[]): number {
  let total = 0
  let index = 0
  for (const stretch of stretches) {
    const found = endOf(stretch, idle, index)
    index = found.index
    total += Math.max(1, found.end - stretch.from)
  }
  return total
}

export const activeMs = ({ stretches, idle, foldedMs }: Activity): number => foldedMs + lengthOf(stretches, idle)

/** Folds the older half into a number. No stretch is cut, and none that is folded could still grow. */
function fold(activity: Activity, maxKept: number): Activity {
  const { stretches, idle, foldedMs } = activity
  if (stretches.length + idle.length <= maxKept) return activity
  const times = [...stretches.map((stretch) => stretch.to), ...idle].sort((a, b) => a - b)
  const cut = times[times.length - (maxKept >> 1)] ?? 0
  const firstKept = stretches.findIndex((stretch) => stretch.to + MAX_PAUSE >= cut)
  const folded = firstKept < 0 ? stretches : stretches.slice(0, firstKept)
  const kept = firstKept < 0 ? [] : stretches.slice(firstKept)
  const foldedUntil = Math.min(cut, kept[0]?.from ?? cut)
  return {
    stretches: kept,
    idle: idle.filter((at) => at >= foldedUntil),
    foldedMs: foldedMs + lengthOf(folded, idle),
    foldedUntil,
  }
}

/** The digest of these events; bounded only by their number. */
export function activityOf(events: Iterable<RrwebEvent>): Activity {
  const active: Stretch[] = []
  const idle: number[] = []
  for (const event of events) {
    const at = Math.floor(event.timestamp)
    if (isActive(event)) active.push({ from: at, to: at })
    else idle.push(at)
  }
  const stretches = joinStretches(active.sort((a, b) => a.from - b.from))
  return {
    ...NO_ACTIVITY,
    stretches,
    idle: usefulIdle(
      idle.sort((a, b) => a - b),
      stretches,
    ),
  }
}

/** The digest of both sets of events; `more` must not be the result of a join or of readActivity. */
export function joinActivity(activity: Activity, more: Activity, maxKept = MAX_KEPT): Activity {
  const { foldedMs, foldedUntil } = activity
  const fresh = more.stretches.filter((stretch) => stretch.to >= foldedUntil)
  const clipped = fresh.map(({ from, to }) => ({ from: Math.max(from, foldedUntil), to }))
  const stretches = joinStretches([...activity.stretches, ...clipped].sort((a, b) => a.from - b.from))
  const idle = [...activity.idle, ...more.idle.filter((at) => at >= foldedUntil)].sort((a, b) => a - b)
  return fold({ stretches, idle: usefulIdle(idle, stretches), foldedMs, foldedUntil }, maxKept)
}

/** As text, each time as the difference from the one before. */
export function writeActivity({ stretches, idle, foldedMs, foldedUntil }: Activity): string {
  const distances = (times: number[]) => times.map((at, i) => at - (times[i - 1] ?? 0))
  const bounds = stretches.flatMap(({ from, to }) => [from, to])
  return JSON.stringify([foldedMs, foldedUntil, distances(bounds), distances(idle)])
}

export function readActivity(text: string): Activity {
  const [foldedMs, foldedUntil, bounds, idle] = JSON.parse(text) as [number, number, number[], number[]]
  const times = (distances: number[]) => {
    let at = 0
    return distances.map((distance) => {
      at += distance
      return at
    })
  }
  const all = times(bounds)
  const stretches = Array.from({ length: all.length / 2 }, (_, i) => ({
    from: all[2 * i] as number,
    to: all[2 * i + 1] as number,
  }))
  return { stretches, idle: times(idle), foldedMs, foldedUntil }
}
