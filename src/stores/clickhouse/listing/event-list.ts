/**
 * Events as they were stored: one by its uuid, or a page of them, newest first. A page is found by its positions first
 * (event-positions.ts), and only then are its rows read, as properties take most of the store.
 */
import { formatUuid, isUuid } from '../../../lib/ids.ts'
import type { EventFilter, EventPage, EventPageRequest, EventTotals, ListedEvent } from '../../../model/events/event.ts'
import type { StoredEvent } from '../../../model/events/stored-event.ts'
import { PAGE_BYTES } from '../../../model/page.ts'
import { leavesOf } from '../../property-filter.ts'
import type { Reading } from '../parts.ts'
import { checkPatterns } from '../properties/property-sql.ts'
import { NO_SESSION } from '../rows/event-rows.ts'
import type { Row } from '../server/client.ts'
import { instantOf, int, isOneOf, listOf, microsOf, text, uuid as uuidLiteral } from '../values/literal.ts'
import { propertiesOf } from '../values/property-arrays.ts'
import { conditionsOf } from './event-filter.ts'
import { orderOf, type Position, positionsOf } from './event-positions.ts'
import { EVER, eventWithin, type TimeRange } from './time-windows.ts'

export async function eventTotals({ rows }: Reading, projectId: number, since: number): Promise<EventTotals> {
  const [[count, recent, first, last] = []] =
    await rows(`SELECT count(), countIf(ts >= ${microsOf(since)}), min(ts), max(ts)
    FROM events WHERE project_id = ${int(projectId)}`)
  const isEmpty = Number(count ?? 0) === 0
  return {
    count: Number(count ?? 0),
    recent: Number(recent ?? 0),
    firstAt: isEmpty ? null : instantOf(first as string),
    lastAt: isEmpty ? null : instantOf(last as string),
  }
}

const COLUMNS = 'ts, seq, place, lower(hex(uuid)), event, distinct_id, lower(hex(session_id)), keys, vals'

function toEvent(projectId: number, row: Row): ListedEvent {
  const [ts, seq, place, uuid, event, distinctId, session, keys, values] = row
  const sessionId = formatUuid(session as string)
  return {
    projectId,
    uuid: formatUuid(uuid as string),
    event: event as string,
    distinctId: distinctId as string,
    timestamp: instantOf(ts as string),
    sessionId: sessionId === NO_SESSION ? null : sessionId,
    properties: propertiesOf(keys as string[], values as string[]),
    seq: Number(seq),
    place: Number(place),
  }
}

const smallest = (values: bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))
const largest = (values: bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b))

/** The events at these positions, newest first. */
async function eventsAt({ rows }: Reading, projectId: number, positions: Position[]): Promise<ListedEvent[]> {
  if (positions.length === 0) return []
  const times = positions.map(({ ts }) => ts)
  const unique = <T>(of: (position: Position) => T): T[] => [...new Set(positions.map(of))]
  const places = listOf(positions, ({ ts, seq, place }) => `(${int(ts)}, ${int(seq)}, ${int(place)})`)
  const names = isOneOf(
    'event',
    unique(({ event }) => event),
    text,
  )
  const ids = isOneOf(
    'id_hash',
    unique(({ idHash }) => idHash),
    int,
  )
  const sql = `SELECT ${COLUMNS} FROM events
    PREWHERE project_id = ${int(projectId)} AND ${eventWithin({ from: smallest(times), to: largest(times) + 1n })}
      AND ${names} AND ${ids} AND (ts, seq, place) IN (${places})
    ORDER BY ${orderOf('older')}`
  return (await rows(sql)).map((row) => toEvent(projectId, row))
}

/** As many of them as one page may hold. */
function firstPage(positions: Position[], limit: number): Position[] {
  const page = positions.slice(0, limit)
  let size = 0
  const end = page.findIndex((position, index) => {
    size += position.size
    return index > 0 && size > PAGE_BYTES
  })
  return end === -1 ? page : page.slice(0, end)
}

/** The times that both the filter and the page allow. */
function rangeOf({ before, after }: EventFilter, { from: start }: EventPageRequest): TimeRange {
  const starts = [EVER.from]
  const ends = [EVER.to]
  if (after !== undefined) starts.push(microsOf(after) + 1n)
  if (before !== undefined) ends.push(microsOf(before))
  if (start?.direction === 'newer') starts.push(microsOf(start.position.timestamp))
  if (start?.direction === 'older') ends.push(microsOf(start.position.timestamp) + 1n)
  return { from: largest(starts), to: smallest(ends) }
}

export async function listEvents(
  reading: Reading,
  projectId: number,
  filter: EventFilter,
  request: EventPageRequest,
): Promise<EventPage> {
  const { sessionId, distinctIds, properties } = filter
  if (sessionId !== undefined && !isUuid(sessionId)) return { events: [], more: false }
  if (distinctIds?.length === 0) return { events: [], more: false }
  if (properties) await checkPatterns(reading, leavesOf(properties))
  const { from, limit } = request
  const range = rangeOf(filter, request)
  const conditions = conditionsOf(reading, projectId, filter)
  for (;;) {
    const positions = await positionsOf(reading, { projectId, conditions, range, from, wanted: limit + 1 })
    const page = firstPage(positions, limit)
    const events = await eventsAt(reading, projectId, page)
    // Otherwise all of them were removed meanwhile.
    if (events.length > 0 || page.length === 0) return { events, more: positions.length > page.length }
  }
}

export async function findEvent(reading: Reading, projectId: number, uuid: string): Promise<StoredEvent | null> {
  if (!isUuid(uuid)) return null
  const conditions = conditionsOf(reading, projectId, {})
  conditions.narrow.push(`uuid = ${uuidLiteral(uuid)}`)
  const found = await positionsOf(reading, { projectId, conditions, range: EVER, from: undefined, wanted: 1 })
  const [event] = await eventsAt(reading, projectId, found)
  if (!event) return null
  const { place: _, ...stored } = event
  return stored
}
