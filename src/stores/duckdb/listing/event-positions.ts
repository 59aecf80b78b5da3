/**
 * Finds the positions of one page of events, reading only the columns the filter needs. Where no index narrows the
 * search, it searches an hour next to the starting point first, then ever larger windows, so that its cost depends on
 * the page and not on the project.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { HOUR } from '../../../lib/time/time.ts'
import type { Parts } from '../progress.ts'
import { int } from '../values/literal.ts'
import type { PropertyMatcher } from './event-filter.ts'
import { findLong, findShort, isOlder, type Position, type Search, type SearchWindow } from './event-search.ts'

const FIRST_WINDOW = HOUR
const WIDER = 16
const MUCH_MORE = 4
/** Events with long properties that are evaluated before checking whether there are enough. */
const LONG_AT_ONCE = 500

function comparePositions(a: Position, b: Position): number {
  return a.ts - b.ts || Number(a.seq - b.seq) || Number(a.ord - b.ord)
}

/** Positions of matching events whose properties are long, in the window, as many as are wanted. */
async function longPositions(
  connection: DuckDBConnection,
  search: Search,
  matcher: PropertyMatcher,
  window: SearchWindow,
): Promise<Position[]> {
  const found: Position[] = []
  const direction = isOlder(search) ? 'older' : 'newer'
  let { request } = search
  for (;;) {
    const some = await findLong(connection, { ...search, request }, window, LONG_AT_ONCE)
    found.push(...(await matcher.fitting(connection, some)))
    const last = some.at(-1)
    if (!last || some.length < LONG_AT_ONCE || found.length >= search.wanted) return found
    const position = { timestamp: last.ts, seq: Number(last.seq), place: Number(last.ord) }
    request = { ...request, from: { position, direction } }
  }
}

/** Positions in the window, as many as are wanted, in the order of the search. */
async function positionsWithin(
  connection: DuckDBConnection,
  search: Search,
  window: SearchWindow,
): Promise<Position[]> {
  const { matcher, wanted } = search
  const short = await findShort(connection, search, window, wanted)
  if (!matcher?.readsEvents) return short
  const edge = short.length < wanted ? window.edge : (short.at(-1)?.ts ?? window.edge)
  const all = [...short, ...(await longPositions(connection, search, matcher, { ...window, edge }))]
  const sign = isOlder(search) ? -1 : 1
  return all.sort((a, b) => sign * comparePositions(a, b)).slice(0, wanted)
}

/** Where the search begins and how far the store extends from there; null when that is expensive to find out. */
async function extentOf(connection: DuckDBConnection, { progress, limits }: Parts, search: Search) {
  const { projectId, filter, request } = search
  const recentFrom = int(progress.lastOrd - limits.recentEvents)
  const found = await connection.runAndReadAll(`SELECT min(ts), max(ts), (
    SELECT max(ts) FROM events WHERE project_id = ${int(projectId)} AND ord > ${recentFrom}) FROM events`)
  const [oldest, newest, newestOfProject] = (found.getRows()[0] ?? []) as (number | null)[]
  const start = request.from?.position.timestamp ?? newestOfProject
  if (start === null || start === undefined) return null
  if (!isOlder(search)) return { start, extent: (newest ?? start) - start }
  const top = Math.min(start, filter.before ?? start)
  return { start: top, extent: top - (oldest ?? top) }
}

/** The edges of the search windows, each further away; the last one has no edge, as soon as that adds little. */
async function edgesOf(connection: DuckDBConnection, parts: Parts, search: Search): Promise<number[]> {
  const sign = isOlder(search) ? -1 : 1
  const end = sign * Number.POSITIVE_INFINITY
  const { distinctIds, sessionId } = search.filter
  if (distinctIds || sessionId !== undefined || parts.progress.lastOrd <= parts.limits.recentEvents) return [end]
  const known = await extentOf(connection, parts, search)
  const edges: number[] = []
  for (let window = FIRST_WINDOW; known && window * MUCH_MORE < known.extent; window *= WIDER) {
    edges.push(known.start + sign * window)
  }
  return [...edges, end]
}

/** In the order of the search: at most as many as are wanted, fewer only when there are no more. */
export async function positionsOf(connection: DuckDBConnection, parts: Parts, search: Search): Promise<Position[]> {
  const positions: Position[] = []
  let after: number | null = null
  for (const edge of await edgesOf(connection, parts, search)) {
    const wanted = search.wanted - positions.length
    positions.push(...(await positionsWithin(connection, { ...search, wanted }, { after, edge })))
    if (positions.length >= search.wanted) break
    after = edge
  }
  return positions
}
