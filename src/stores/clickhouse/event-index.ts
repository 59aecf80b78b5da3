/** One person's events, found by the numbers of its distinct ids: `moments` is ordered by them. */
import { formatUuid } from '../../lib/ids.ts'
import type { DistinctIdEvents, EventMoment, PersonTotals, TimelineQuery } from '../../model/events/event.ts'
import { idHash } from '../id-hash.ts'
import { eventWithin, momentWithin } from './listing/time-windows.ts'
import type { Reading } from './parts.ts'
import { NO_SESSION } from './rows/event-rows.ts'
import type { Row } from './server/client.ts'
import { instantOf, int, isOneOf, microsOf, text, uuid } from './values/literal.ts'

/** SQL of whether a row has one of these ids, by the number, which the tables' order knows. */
export const hasIdNumber = (projectId: number, distinctIds: string[]): string =>
  isOneOf('id_hash', [...new Set(distinctIds.map((id) => idHash(projectId, id)))], int)

/** SQL of whether a row is of a project and under these ids. */
export const isUnder = (projectId: number, distinctIds: string[]): string =>
  `project_id = ${int(projectId)} AND ${hasIdNumber(projectId, distinctIds)}
    AND ${isOneOf('distinct_id', distinctIds, text)}`

/** SQL of a project's moments under these ids. */
const momentsOf = (projectId: number, distinctIds: string[]): string =>
  `FROM moments WHERE ${isUnder(projectId, distinctIds)}`

const toMoment = ([uuid, ts]: Row): EventMoment => ({
  uuid: formatUuid(uuid as string),
  timestamp: instantOf(ts as string),
})

export async function timeline({ rows }: Reading, query: TimelineQuery): Promise<EventMoment[]> {
  const { projectId, distinctIds, events, from, to } = query
  const named = events === null ? '' : `AND ${isOneOf('event', events, text)}`
  const sql = `SELECT lower(hex(uuid)), ts ${momentsOf(projectId, distinctIds)} ${named}
      AND ${momentWithin({ from: microsOf(from), to: microsOf(to) + 1n })}
    ORDER BY ts, seq, place`
  return (await rows(sql)).map(toMoment)
}

export async function firstEventAt(
  { rows }: Reading,
  projectId: number,
  distinctIds: string[],
): Promise<number | null> {
  const [[count, first] = []] = await rows(`SELECT count(), min(ts) ${momentsOf(projectId, distinctIds)}`)
  return Number(count) === 0 ? null : instantOf(first as string)
}

/** Sessions are in the events only, which are looked through by the numbers of the ids, between the first and the last. */
export async function personTotals({ rows }: Reading, projectId: number, distinctIds: string[]): Promise<PersonTotals> {
  const [[count, first, last] = []] = await rows(
    `SELECT count(), min(ts), max(ts) ${momentsOf(projectId, distinctIds)}`,
  )
  const events = Number(count)
  if (events === 0) return { events, sessions: 0, firstAt: null, lastAt: null }
  const range = { from: BigInt(first as string), to: BigInt(last as string) + 1n }
  const [[sessions] = []] = await rows(`SELECT uniqExact(session_id) FROM events
    WHERE ${isUnder(projectId, distinctIds)} AND ${eventWithin(range)} AND session_id != ${uuid(NO_SESSION)}`)
  return {
    events,
    sessions: Number(sessions),
    firstAt: instantOf(first as string),
    lastAt: instantOf(last as string),
  }
}

export async function eventsByDistinctId(
  { rows }: Reading,
  projectId: number,
  distinctIds: string[],
): Promise<DistinctIdEvents[]> {
  const found = await rows(`SELECT distinct_id, count() ${momentsOf(projectId, distinctIds)} GROUP BY distinct_id`)
  return found.map(([distinctId, events]) => ({ distinctId: distinctId as string, events: Number(events) }))
}
