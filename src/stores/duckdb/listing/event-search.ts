/**
 * Finds the positions of one page of events, reading nothing else of them but what the filter asks about. Where
 * nothing narrows the search, it looks at an hour around the place first, then at ever more, so that its cost
 * follows the page and not the project.
 */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { HOUR } from '../../../lib/time.ts'
import type { EventFilter, EventPageRequest } from '../../../model/event.ts'
import { distinctHash, instant, int, uuidLiteral } from '../literal.ts'
import { candidates } from '../moments.ts'
import type { Parts, Progress } from '../progress.ts'
import { Texts } from '../texts.ts'
import { PropertyMatcher } from './event-filter.ts'

/** Beyond so many ids one pass over all events is quicker than a look-up of each. */
const MAX_LOOK_UPS = 20
const FIRST_WINDOW = HOUR
const WIDER = 16
const MUCH_MORE = 4
/** Positions of events with long properties that are read at once. */
const LONG_POSITIONS = 5_000

export interface Position {
  ord: bigint
  ts: number
  seq: bigint
}

/** The search for one page. */
export interface Search {
  projectId: number
  filter: EventFilter
  request: EventPageRequest
  matcher: PropertyMatcher | null
  progress: Progress
  /** One more than the page has, to know whether there are more. */
  wanted: number
}

export const isOlder = ({ request }: Search): boolean => request.from?.direction !== 'newer'

const orderOf = (search: Search): string =>
  ['ts', 'seq', 'ord'].map((column) => (isOlder(search) ? `${column} DESC` : column)).join(', ')

function comparePositions(a: Position, b: Position): number {
  return a.ts - b.ts || Number(a.seq - b.seq) || Number(a.ord - b.ord)
}

/** Where to look: SQL of what defines the table, the table itself, and conditions under each of which it is read. */
interface Place {
  definition: string
  table: string
  sides: string[]
}

/**
 * The hand-kept index by distinct id has all but session and properties. What needs these is found by the hash, which
 * is written, as only so it is pushed down into the scan.
 */
function placeOf({ filter, matcher, progress }: Search): Place {
  const { distinctIds, sessionId } = filter
  if (distinctIds === undefined) return { definition: '', table: 'events', sides: ['true'] }
  if (sessionId === undefined && !matcher?.readsEvents) {
    return { definition: candidates(progress, distinctIds), table: 'candidate', sides: ['true'] }
  }
  const hashes = [...new Set(distinctIds.map(distinctHash))].map(int)
  const sides =
    hashes.length > MAX_LOOK_UPS
      ? [`distinct_hash IN (${hashes.join(', ')})`]
      : hashes.map((hash) => `distinct_hash = ${hash}`)
  return { definition: '', table: 'events', sides }
}

/** Everything but the properties. `edge` bounds the search in its direction. */
function conditionsOf(search: Search, table: string, edge: number, texts: Texts): string {
  const { projectId, filter, request } = search
  const conditions = [`project_id = ${int(projectId)}`]
  if (filter.event !== undefined) conditions.push(`event = ${texts.bind(filter.event)}`)
  // As an expression it stays out of the scan, where it would be compared before the hash.
  if (filter.distinctIds) conditions.push(texts.isOneOf(`(${table}.distinct_id || '')`, filter.distinctIds))
  if (filter.sessionId !== undefined) conditions.push(`session_id = ${uuidLiteral(filter.sessionId)}`)
  if (filter.after !== undefined) conditions.push(`ts > ${instant(filter.after)}`)
  if (filter.before !== undefined) conditions.push(`ts < ${instant(filter.before)}`)
  if (Number.isFinite(edge)) conditions.push(`ts ${isOlder(search) ? '>=' : '<='} ${instant(edge)}`)
  if (request.from) {
    const { timestamp, seq, place } = request.from.position
    const sign = isOlder(search) ? '<' : '>'
    // The first says less than the second, but it is pushed down into the scan.
    conditions.push(`ts ${sign}= ${instant(timestamp)}`)
    conditions.push(`(ts, seq, ord) ${sign} (${instant(timestamp)}, ${int(seq)}, ${int(place)})`)
  }
  return conditions.join(' AND ')
}

interface Finding {
  search: Search
  edge: number
  /** Further columns, each with a comma before it. */
  columns: string
  condition: (texts: Texts) => string
  limit: number
}

async function find(connection: DuckDBConnection, finding: Finding): Promise<DuckDBValue[][]> {
  const { search, edge, columns, condition, limit } = finding
  const texts = new Texts()
  const { definition, table, sides } = placeOf(search)
  const people = search.matcher?.people(texts) ?? ''
  const tables = search.matcher?.withPeople(table) ?? table
  const conditions = `${conditionsOf(search, table, edge, texts)} AND ${condition(texts)}`
  const found = sides.map((side) => `SELECT ord, ts, seq${columns} FROM ${tables} WHERE ${side} AND ${conditions}`)
  const definitions = [definition, people].filter((text) => text !== '')
  const sql = `${definitions.length > 0 ? `WITH ${definitions.join(', ')}` : ''}
    SELECT * FROM (${found.join(' UNION ALL ')}) ORDER BY ${orderOf(search)} LIMIT ${int(limit)}`
  return texts.rows(connection, sql)
}

const readPosition = ([ord, ts, seq]: DuckDBValue[]): Position => ({
  ord: ord as bigint,
  ts: ts as number,
  seq: seq as bigint,
})

/** Positions of events whose properties are in the row; where only people are asked about, of all events. */
async function shortPositions(connection: DuckDBConnection, search: Search, edge: number): Promise<Position[]> {
  const { matcher, wanted } = search
  const condition = (texts: Texts) => {
    if (!matcher) return 'true'
    return matcher.readsEvents ? `long_id IS NULL AND ${matcher.condition(texts)}` : matcher.condition(texts)
  }
  const rows = await find(connection, { search, edge, columns: '', condition, limit: wanted })
  return rows.map(readPosition)
}

/** Positions of events whose properties are long, as many as are wanted, none beyond `edge`. */
async function longPositions(
  connection: DuckDBConnection,
  search: Search,
  matcher: PropertyMatcher,
  edge: number,
): Promise<Position[]> {
  const found: Position[] = []
  let from = search.request.from
  for (;;) {
    const here = { ...search, request: from ? { ...search.request, from } : search.request }
    const rows = await find(connection, {
      search: here,
      edge,
      columns: `, long_id${matcher.personColumns}`,
      condition: () => 'long_id IS NOT NULL',
      limit: LONG_POSITIONS,
    })
    const candidates = rows.map(([ord, ts, seq, longId, ...owners]) => ({
      ...readPosition([ord as DuckDBValue, ts as DuckDBValue, seq as DuckDBValue]),
      longId: longId as bigint,
      owners: owners as boolean[],
    }))
    for (let start = 0; start < candidates.length; start += PropertyMatcher.atOnce) {
      const some = candidates.slice(start, start + PropertyMatcher.atOnce)
      found.push(...(await matcher.fitting(connection, some)))
      if (found.length >= search.wanted) return found
    }
    const last = candidates.at(-1)
    if (!last || candidates.length < LONG_POSITIONS) return found
    const position = { timestamp: last.ts, seq: Number(last.seq), place: Number(last.ord) }
    from = { position, direction: isOlder(search) ? 'older' : 'newer' }
  }
}

/** All positions of the page up to `edge`, in the order of the search. */
async function positionsWithin(connection: DuckDBConnection, search: Search, edge: number): Promise<Position[]> {
  const { matcher, wanted } = search
  const short = await shortPositions(connection, search, edge)
  if (!matcher?.readsEvents) return short
  const bound = short.length < wanted ? edge : (short.at(-1)?.ts ?? edge)
  const all = [...short, ...(await longPositions(connection, search, matcher, bound))]
  const sign = isOlder(search) ? -1 : 1
  return all.sort((a, b) => sign * comparePositions(a, b)).slice(0, wanted)
}

/** Where the search begins and how far from there the store reaches; null when that cannot be told cheaply. */
async function reachOf(connection: DuckDBConnection, { progress, limits }: Parts, search: Search) {
  const { projectId, filter, request } = search
  const lately = int(progress.lastOrd - limits.recentEvents)
  const found = await connection.runAndReadAll(`SELECT min(ts), max(ts), (
    SELECT max(ts) FROM events WHERE project_id = ${int(projectId)} AND ord > ${lately}) FROM events`)
  const [oldest, newest, newestOfProject] = (found.getRows()[0] ?? []) as (number | null)[]
  const start = request.from?.position.timestamp ?? newestOfProject
  if (start === null || start === undefined) return null
  if (!isOlder(search)) return { start, extent: (newest ?? start) - start }
  const top = Math.min(start, filter.before ?? start)
  return { start: top, extent: top - (oldest ?? top) }
}

/** How far to look, each time further; at last without an end, as soon as that is not much more. */
async function edgesOf(connection: DuckDBConnection, parts: Parts, search: Search): Promise<number[]> {
  const sign = isOlder(search) ? -1 : 1
  const end = sign * Number.POSITIVE_INFINITY
  const { distinctIds, sessionId } = search.filter
  if (distinctIds || sessionId !== undefined || parts.progress.lastOrd <= parts.limits.recentEvents) return [end]
  const reach = await reachOf(connection, parts, search)
  const edges: number[] = []
  for (let window = FIRST_WINDOW; reach && window * MUCH_MORE < reach.extent; window *= WIDER) {
    edges.push(reach.start + sign * window)
  }
  return [...edges, end]
}

/** In the order of the search: at most as many as are wanted, fewer only when there are no more. */
export async function positionsOf(connection: DuckDBConnection, parts: Parts, search: Search): Promise<Position[]> {
  for (const edge of await edgesOf(connection, parts, search)) {
    const positions = await positionsWithin(connection, search, edge)
    if (positions.length >= search.wanted || !Number.isFinite(edge)) return positions
  }
  return []
}
