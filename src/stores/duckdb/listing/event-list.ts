/**
 * Events as they were stored: one by its uuid, or a page of them, newest first. A page is found by its positions
 * first (event-positions.ts), and only then are its rows read, as properties take most of the store.
 */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { isUuid } from '../../../lib/ids.ts'
import type { EventFilter, EventPage, EventPageRequest, ListedEvent } from '../../../model/events/event.ts'
import type { StoredEvent } from '../../../model/events/stored-event.ts'
import { leavesOf } from '../../property-filter.ts'
import type { Parts } from '../progress.ts'
import { checkPatterns } from '../properties/property-sql.ts'
import { int, uuidLiteral } from '../values/literal.ts'
import { readLongText } from '../values/long-texts.ts'
import { PropertyMatcher } from './event-filter.ts'
import { positionsOf } from './event-positions.ts'
import { isOlder, type Position, type Search } from './event-search.ts'
import { inSnapshot, readWithinMemory } from './memory-limited-read.ts'

/** Limit of the properties of one page together, in UTF-16 units; beyond it the page ends early. */
const MAX_PAGE_TEXT = 16_000_000

const COLUMNS = 'ord, ts, seq, uuid, event, distinct_id, session_id, properties, long_id'

type Row = DuckDBValue[]

/** The properties of a row, as text. */
async function textOf(connection: DuckDBConnection, row: Row): Promise<string> {
  const [properties, longId] = row.slice(-2)
  return properties === null ? readLongText(connection, longId as bigint) : (properties as string)
}

function toEvent(projectId: number, row: Row, text: string): ListedEvent {
  const [ord, ts, seq, uuid, event, distinctId, sessionId] = row
  return {
    projectId,
    uuid: String(uuid),
    event: event as string,
    distinctId: distinctId as string,
    timestamp: ts as number,
    sessionId: sessionId === null ? null : String(sessionId),
    properties: JSON.parse(text),
    seq: Number(seq),
    place: Number(ord),
  }
}

/** The rows at these positions, in the same order. */
async function rowsAt(connection: DuckDBConnection, positions: Position[]): Promise<Row[]> {
  if (positions.length === 0) return []
  const ords = positions.map(({ ord }) => int(ord)).join(', ')
  // By row number: only then does the scan skip the rows in between. In one statement, because row numbers may change.
  const sql = `SELECT ${COLUMNS} FROM events WHERE rowid IN (SELECT rowid FROM events WHERE ord IN (${ords}))`
  const rows = (await connection.runAndReadAll(sql)).getRows()
  const byOrd = new Map(rows.map((row) => [row[0] as bigint, row]))
  return positions.map(({ ord }) => byOrd.get(ord)).filter((row) => row !== undefined)
}

/** Reads events until there are no more rows or the page is large enough. */
async function readEvents(connection: DuckDBConnection, projectId: number, rows: Row[]): Promise<ListedEvent[]> {
  const events: ListedEvent[] = []
  let size = 0
  for (const row of rows) {
    const text = await textOf(connection, row)
    size += text.length
    if (events.length > 0 && size > MAX_PAGE_TEXT) break
    events.push(toEvent(projectId, row, text))
  }
  return events
}

async function readPage(connection: DuckDBConnection, parts: Parts, search: Search): Promise<EventPage> {
  const { projectId, request } = search
  const positions = await positionsOf(connection, parts, search)
  const rows = await rowsAt(connection, positions.slice(0, request.limit))
  const events = await readEvents(connection, projectId, rows)
  const more = positions.length > request.limit || events.length < rows.length
  return { events: isOlder(search) ? events : events.reverse(), more }
}

export async function listEvents(
  parts: Parts,
  projectId: number,
  filter: EventFilter,
  request: EventPageRequest,
): Promise<EventPage> {
  const matchesNothing = filter.sessionId !== undefined && !isUuid(filter.sessionId)
  if (matchesNothing || filter.distinctIds?.length === 0) return { events: [], more: false }
  return readWithinMemory(parts, async (connection) => {
    const { properties } = filter
    // As of before the snapshot, which must have what they say; and which would end with the error of a pattern.
    const [known, ofPersons, progress] = [{ ...parts.properties }, { ...parts.personProperties }, { ...parts.progress }]
    if (properties) await checkPatterns(connection, leavesOf(properties))
    return inSnapshot(connection, async () => {
      const matcher = properties ? await PropertyMatcher.prepare(connection, projectId, properties, ofPersons) : null
      const search = {
        projectId,
        filter,
        request,
        matcher,
        progress,
        properties: known,
        parsesInParallel: parts.database.parsesInParallel,
        wanted: request.limit + 1,
      }
      const page = await readPage(connection, { ...parts, progress }, search)
      await matcher?.end(connection)
      return page
    })
  })
}

export async function findEvent({ database }: Parts, projectId: number, uuid: string): Promise<StoredEvent | null> {
  if (!isUuid(uuid)) return null
  const sql = `SELECT ${COLUMNS} FROM events
    WHERE uuid = ${uuidLiteral(uuid)} AND project_id = ${int(projectId)} ORDER BY ts DESC, seq DESC, ord DESC LIMIT 1`
  return database.read(async (connection) => {
    const [row] = (await connection.runAndReadAll(sql)).getRows()
    return row ? toEvent(projectId, row, await textOf(connection, row)) : null
  })
}
