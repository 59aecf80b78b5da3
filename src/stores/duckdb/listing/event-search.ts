/** One statement of a search for events: the table it reads and its conditions. It finds positions, not rows. */
import type { DuckDBConnection, DuckDBListValue } from '@duckdb/node-api'
import type { EventFilter, EventPageRequest } from '../../../model/events/event.ts'
import { candidateEvents } from '../event-index.ts'
import type { Progress } from '../progress.ts'
import { eventsWithFacts } from '../properties/event-facts.ts'
import type { KnownProperties } from '../properties/property-columns.ts'
import { Texts } from '../values/bound-texts.ts'
import { distinctHash, instant, int, uuidLiteral } from '../values/literal.ts'
import type { PropertyMatcher } from './event-filter.ts'

/** For more ids than this, one pass over all events is faster than a look-up of each. */
const MAX_LOOK_UPS = 20

export interface Position {
  ord: bigint
  ts: number
  seq: bigint
}

/** The position of an event whose properties are long, and the results of the conditions on its owner. */
export interface LongPosition extends Position {
  longId: bigint
  owner: boolean[]
}

/** The search for one page. */
export interface Search {
  projectId: number
  filter: EventFilter
  request: EventPageRequest
  matcher: PropertyMatcher | null
  progress: Progress
  properties: KnownProperties
  /** Whether JSON is read by all threads. */
  parsesInParallel: boolean
  /** One more than the page has, to know whether there are more. */
  wanted: number
}

/** A stretch of time in the direction of the search. */
export interface SearchWindow {
  /** Up to which earlier windows were searched; null: from where the search begins. */
  after: number | null
  /** How far this one goes. */
  edge: number
}

export const isOlder = ({ request }: Search): boolean => request.from?.direction !== 'newer'

const orderOf = (search: Search): string =>
  ['ts', 'seq', 'ord'].map((column) => (isOlder(search) ? `${column} DESC` : column)).join(', ')

/** What to read: SQL that defines the table, the table itself, and the conditions of each read. */
interface Place {
  definition: string
  table: string
  sides: string[]
}

/**
 * The index by distinct id has all columns but session and properties. A search that needs these uses the hash, written
 * into the SQL, because only a literal is pushed down into the scan.
 */
function placeOf({ filter, matcher, progress }: Search): Place {
  const { distinctIds, sessionId } = filter
  if (distinctIds === undefined) return { definition: '', table: 'events', sides: ['true'] }
  if (sessionId === undefined && !matcher?.readsEvents) {
    return { definition: candidateEvents(progress, distinctIds), table: 'candidate', sides: ['true'] }
  }
  const hashes = [...new Set(distinctIds.map(distinctHash))].map(int)
  const sides =
    hashes.length > MAX_LOOK_UPS
      ? [`distinct_hash IN (${hashes.join(', ')})`]
      : hashes.map((hash) => `distinct_hash = ${hash}`)
  return { definition: '', table: 'events', sides }
}

/** All conditions except those on properties. */
function conditionsOf(search: Search, { after, edge }: SearchWindow, texts: Texts): string {
  const { projectId, filter, request } = search
  const conditions = [`project_id = ${int(projectId)}`]
  if (filter.event !== undefined) conditions.push(`event = ${texts.bind(filter.event)}`)
  // As an expression it is not pushed into the scan, where it would be compared before the hash.
  if (filter.distinctIds) conditions.push(texts.isOneOf(`(distinct_id || '')`, filter.distinctIds))
  if (filter.sessionId !== undefined) conditions.push(`session_id = ${uuidLiteral(filter.sessionId)}`)
  if (filter.after !== undefined) conditions.push(`ts > ${instant(filter.after)}`)
  if (filter.before !== undefined) conditions.push(`ts < ${instant(filter.before)}`)
  if (Number.isFinite(edge)) conditions.push(`ts ${isOlder(search) ? '>=' : '<='} ${instant(edge)}`)
  if (after !== null) conditions.push(`ts ${isOlder(search) ? '<' : '>'} ${instant(after)}`)
  if (request.from) {
    const { timestamp, seq, place } = request.from.position
    const sign = isOlder(search) ? '<' : '>'
    // Weaker than the next condition, but it is pushed down into the scan.
    conditions.push(`ts ${sign}= ${instant(timestamp)}`)
    conditions.push(`(ts, seq, ord) ${sign} (${instant(timestamp)}, ${int(seq)}, ${int(place)})`)
  }
  return conditions.join(' AND ')
}

/** SQL of the rows of this table under this condition, in parts. */
type Reading = (table: string, where: string) => Promise<string[]> | string[]

const POSITION = 'ord, ts, seq, distinct_id'

/** SQL of the candidate rows, each with `owner` where the filter has conditions on people. */
async function rowsSql(search: Search, window: SearchWindow, reading: Reading, texts: Texts) {
  const { matcher } = search
  const { definition, table, sides } = placeOf(search)
  const conditions = conditionsOf(search, window, texts)
  const selects: string[] = []
  // One after the other: a connection runs one statement at a time.
  for (const side of sides) selects.push(...(await reading(table, `${side} AND ${conditions}`)))
  const found = selects.join(' UNION ALL ')
  if (!matcher?.readsPeople) return { definitions: definition === '' ? '' : `WITH ${definition}`, rows: found }
  const definitions = [definition, matcher.people(texts)].filter((text) => text !== '')
  const owned = `SELECT found.*, ${matcher.ownerMatches} AS owner
    FROM (${found}) AS found LEFT JOIN people USING (distinct_id)`
  return { definitions: `WITH ${definitions.join(', ')}`, rows: owned }
}

const ordered = (search: Search, limit: number): string => `ORDER BY ${orderOf(search)} LIMIT ${int(limit)}`

/** Positions of events whose properties are in the row; of all events when only people are filtered. */
export async function findShort(
  connection: DuckDBConnection,
  search: Search,
  window: SearchWindow,
  limit: number,
): Promise<Position[]> {
  const { matcher, properties, parsesInParallel } = search
  const texts = new Texts()
  const reading: Reading = matcher?.readsEvents
    ? (_, where) =>
        eventsWithFacts(connection, properties, matcher.wanted, { columns: POSITION, where, parsesInParallel }, texts)
    : (table, where) => [`SELECT ${POSITION} FROM ${table} WHERE ${where}`]
  const { definitions, rows } = await rowsSql(search, window, reading, texts)
  const sql = `${definitions} SELECT ord, ts, seq FROM (${rows}) WHERE ${matcher?.condition ?? 'true'}
    ${ordered(search, limit)}`
  const found = await texts.rows(connection, sql)
  return found.map(([ord, ts, seq]) => ({ ord: ord as bigint, ts: ts as number, seq: seq as bigint }))
}

/** Positions of events whose properties are long and have still to be evaluated. */
export async function findLong(
  connection: DuckDBConnection,
  search: Search,
  window: SearchWindow,
  limit: number,
): Promise<LongPosition[]> {
  const texts = new Texts()
  const reading: Reading = (table, where) => [
    `SELECT ${POSITION}, long_id FROM ${table} WHERE ${where} AND long_id IS NOT NULL`,
  ]
  const { definitions, rows } = await rowsSql(search, window, reading, texts)
  const owner = search.matcher?.readsPeople ? ', owner' : ''
  const sql = `${definitions} SELECT ord, ts, seq, long_id${owner} FROM (${rows}) ${ordered(search, limit)}`
  const found = await texts.rows(connection, sql)
  return found.map(([ord, ts, seq, longId, matches]) => ({
    ord: ord as bigint,
    ts: ts as number,
    seq: seq as bigint,
    longId: longId as bigint,
    owner: [...((matches as DuckDBListValue | undefined)?.items ?? [])] as boolean[],
  }))
}
