/**
 * A page of sessions. A session is found in the stretch of time in which it began, and whatever began there has an event
 * there: so an engine looks for the ids in one stretch only, and then at the events of these. By their start the stretches
 * are searched from one end on, the first an hour, each further one much longer, until there is enough; by duration all of
 * them are. Where properties are compared, which takes memory for each session, a stretch has a limited number of them.
 */
import { HOUR, MINUTE } from '../../lib/time/time.ts'
import type { FoundSession, SessionFilter, SessionPage, SessionPageRequest } from '../../model/events/session.ts'

/** The end is excluded. */
export interface Stretch {
  from: number
  to: number
}

/** How an engine answers one search. */
export interface SessionEngine {
  /** From the first to the last event of the project, or somewhat further; null: there is none. */
  extent(): Promise<Stretch | null>
  /** About how many sessions have events in the stretch. */
  countWithin(stretch: Stretch): Promise<number>
  /** Of all that is searched for, what began in the stretch: the first so many, in the direction of the search. */
  beganWithin(stretch: Stretch, wanted: number): Promise<FoundSession[]>
}

interface Search {
  filter: SessionFilter
  request: SessionPageRequest
  now: number
  /** About how many sessions have their properties compared at once. */
  sessionsAtOnce: number
}

const FIRST = HOUR
const SHORTEST = MINUTE
const WIDER = 16
/** After a stretch that was too full. */
const LITTLE_WIDER = 2
/** So little of what is left is searched with the stretch before it. */
const MUCH_MORE = 4

/** Whether the search goes from small numbers to great ones. */
export const isUpwards = ({ order, from }: SessionPageRequest): boolean =>
  order.ascending !== (from?.direction === 'back')

const EVER: Stretch = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** All that may be found began here. */
async function rangeOf(engine: SessionEngine, { filter, request }: Search): Promise<Stretch> {
  const extent = await engine.extent()
  if (!extent) return { from: 0, to: 0 }
  const range = { from: Math.max(extent.from, filter.from), to: Math.min(extent.to, filter.to) + 1 }
  const { from, order } = request
  if (!from || order.by !== 'start') return range
  return isUpwards(request)
    ? { ...range, from: Math.max(range.from, from.place.by) }
    : { ...range, to: Math.min(range.to, from.place.by + 1) }
}

/** The part of a range that is searched next. What is newer than now is little, and in the first or the last part. */
function partOf({ from, to }: Stretch, length: number, upwards: boolean, now: number): Stretch {
  if (upwards) {
    const end = Math.ceil(from + length)
    return end > now || end + MUCH_MORE * length >= to ? { from, to } : { from, to: end }
  }
  const start = Math.floor(Math.min(to, now) - length)
  return start - MUCH_MORE * length <= from ? { from, to } : { from: start, to }
}

/** The same stretch, or the part of it that is searched first and is not too full. */
async function thinned(engine: SessionEngine, stretch: Stretch, most: number, upwards: boolean): Promise<Stretch> {
  let { from, to } = stretch
  while (to - from > SHORTEST) {
    const sessions = await engine.countWithin({ from, to })
    if (sessions <= 2 * most) break
    const length = Math.max(SHORTEST, Math.ceil(((to - from) * most) / sessions))
    if (upwards) to = from + length
    else from = to - length
  }
  return { from, to }
}

async function* stretchesOf(engine: SessionEngine, search: Search): AsyncGenerator<Stretch> {
  const { filter, request, now, sessionsAtOnce } = search
  // Those of some ids are found by an index; and of numbers all are computed at once.
  if (filter.distinctIds || (request.order.by === 'duration' && !filter.properties)) return yield EVER
  const upwards = isUpwards(request)
  const left = await rangeOf(engine, search)
  for (let length = FIRST; left.from < left.to; ) {
    const next = partOf(left, length, upwards, now)
    const part = filter.properties ? await thinned(engine, next, sessionsAtOnce, upwards) : next
    yield part
    if (upwards) left.from = part.to
    else left.to = part.from
    const isThinned = part.from !== next.from || part.to !== next.to
    length = isThinned ? (part.to - part.from) * LITTLE_WIDER : length * WIDER
  }
}

export async function searchSessions(engine: SessionEngine, search: Search): Promise<SessionPage> {
  const { filter, request } = search
  if (filter.distinctIds?.length === 0 || request.limit < 1) return { sessions: [], more: false }
  const sign = isUpwards(request) ? 1 : -1
  // One more than the page has, to know whether any follow.
  const wanted = request.limit + 1
  const found: FoundSession[] = []
  for await (const stretch of stretchesOf(engine, search)) {
    const isByStart = request.order.by === 'start'
    found.push(...(await engine.beganWithin(stretch, isByStart ? wanted - found.length : wanted)))
    if (isByStart && found.length >= wanted) break
    if (!isByStart) {
      found.sort((a, b) => sign * (a.by - b.by || (a.sessionId < b.sessionId ? -1 : 1)))
      found.splice(wanted)
    }
  }
  const sessions = found.slice(0, request.limit)
  return {
    sessions: request.from?.direction === 'back' ? sessions.reverse() : sessions,
    more: found.length > request.limit,
  }
}
