/**
 * Finding recordings: lists and counts. Searches by sessions, or by a person with few recordings, use their index; all
 * others scan the recordings of the requested time, in portions of the index by start. The scan finds positions in the
 * order of the list; only the recordings of a page are read.
 */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { chunks } from '../../../../lib/lists/lists.ts'
import type { PageRequest } from '../../../../model/page.ts'
import type { Recording, RecordingFilter, RecordingReader } from '../../../../model/recordings/recording.ts'
import { AT_ONCE, type Connection } from '../../connection.ts'
import { PORTION, portions, type Range } from '../../queries/keyset-ranges.ts'
import type { Tables } from '../../tables.ts'
import { joined, narrowings, ORDERS, position, whoseSql } from './recording-filter.ts'
import { toRecording } from './recording-rows.ts'

type RecordingSearch = Pick<RecordingReader, 'list' | 'count'>

/** The filter and its project. */
interface Search {
  projectId: number
  filter: RecordingFilter
  now: number
}

interface Place {
  startAt: number
  sessionId: string
}

interface Found extends Place {
  /** What the list is ordered by. */
  by: number
}

const existing = ({ db }: Connection, { projectId, now }: Search) =>
  db.selectFrom('recordings').where('project_id', '=', projectId).where('expires_at', '>', now)

/** Whether there are more of these than one portion holds. */
async function hasMany(query: SelectQueryBuilder<Tables, keyof Tables, object>): Promise<boolean> {
  return (await query.select(sql`1`.as('one')).limit(1).offset(PORTION).executeTakeFirst()) !== undefined
}

/**
 * Whether an index gives at most one portion of recordings. Sessions are named one by one; a person may have many
 * recordings, or many distinct ids to find them by.
 */
async function isNarrow(connection: Connection, { projectId, filter }: Search): Promise<boolean> {
  const { db } = connection
  const { sessionIds, distinctIds, personId } = filter
  if (sessionIds !== undefined) return true
  if (distinctIds === undefined && personId === undefined) return false
  if (personId !== undefined) {
    const ids = db.selectFrom('distinct_ids').where('person_id', '=', personId)
    if (await hasMany(ids as never)) return false
  }
  const whose = joined(whoseSql(connection, filter), 'AND')
  return !(await hasMany(db.selectFrom('recordings').where('project_id', '=', projectId).where(whose) as never))
}

/** All that the filter finds, in one statement. */
function whole(connection: Connection, search: Search) {
  const all = joined(narrowings(connection, search.filter, false), 'AND')
  const { forced } = search.filter
  return existing(connection, search).where(
    forced === undefined ? all : sql<SqlBool>`(session_id = ${forced} or ${all})`,
  )
}

async function listWhole(connection: Connection, search: Search, { limit, offset }: PageRequest): Promise<Recording[]> {
  const { forced, sessionIds, order } = search.filter
  let query = whole(connection, search).selectAll()
  if (forced !== undefined) query = query.orderBy(sql`case when session_id = ${forced} then 0 else 1 end`)
  if (sessionIds?.length) query = query.orderBy(position(sessionIds))
  else query = query.orderBy(ORDERS[order.by], order.ascending ? 'asc' : 'desc')
  const rows = await query.orderBy('start_at', 'desc').orderBy('session_id').limit(limit).offset(offset).execute()
  return rows.map(toRecording)
}

/** Ordered by start only, the index itself is in order, and the scan follows it. */
const goesUp = ({ filter: { order } }: Search): boolean => order.by === 'start_time' && order.ascending

/** The `count`-th recording after one in the index by start, within the requested time. */
async function placeAfter(
  { db }: Connection,
  search: Search,
  after: Place | null,
  count: number,
): Promise<Place | null> {
  const { projectId, filter } = search
  const [sign, direction] = goesUp(search) ? ([sql`>`, 'asc'] as const) : ([sql`<`, 'desc'] as const)
  let query = db
    .selectFrom('recordings')
    .select(['start_at as startAt', 'session_id as sessionId'])
    .where('project_id', '=', projectId)
  if (filter.startFrom !== -Infinity) query = query.where('start_at', '>=', filter.startFrom)
  if (filter.startTo !== Infinity) query = query.where('start_at', '<=', filter.startTo)
  if (after) query = query.where(sql<SqlBool>`(start_at, session_id) ${sign} (${after.startAt}, ${after.sessionId})`)
  const ordered = query.orderBy('start_at', direction).orderBy('session_id', direction)
  return (
    (await ordered
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst()) ?? null
  )
}

/** The matching rows of one portion; the forced recording is looked up separately. */
function within(connection: Connection, search: Search, { after, upTo }: Range<Place>) {
  const [from, to] = goesUp(search) ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
  let query = existing(connection, search)
  if (after) query = query.where(sql<SqlBool>`(start_at, session_id) ${from} (${after.startAt}, ${after.sessionId})`)
  if (upTo) query = query.where(sql<SqlBool>`(start_at, session_id) ${to} (${upTo.startAt}, ${upTo.sessionId})`)
  const { forced } = search.filter
  if (forced !== undefined) query = query.where('session_id', '<>', forced)
  return query.where(joined(narrowings(connection, search.filter, true), 'AND'))
}

const ranges = (connection: Connection, search: Search) =>
  portions<Place>(connection, null, (after, count) => placeAfter(connection, search, after, count))

const inOrder = ({ filter: { order } }: Search) => {
  const sign = order.ascending ? 1 : -1
  return (a: Found, b: Found): number =>
    sign * (a.by - b.by) || b.startAt - a.startAt || (a.sessionId < b.sessionId ? -1 : 1)
}

/** Whether what comes after this position can no longer be among the first. */
function isBehind(search: Search, place: Place, last: Found | undefined): boolean {
  if (last === undefined || search.filter.order.by !== 'start_time') return false
  return goesUp(search) ? place.startAt > last.startAt : place.startAt < last.startAt
}

/** The first `count` in the order of the list. */
async function findFirst(connection: Connection, search: Search, count: number): Promise<Found[]> {
  const { by } = search.filter.order
  // In index order each portion can be the last; in any other order it is enough to sort now and then.
  const enough = by === 'start_time' ? count : 2 * count + PORTION
  let found: Found[] = []
  const keepFirst = () => {
    found = found.sort(inOrder(search)).slice(0, count)
  }
  for await (const range of ranges(connection, search)) {
    const rows = await within(connection, search, range)
      .select(['start_at as startAt', 'session_id as sessionId', ORDERS[by].as('by')])
      .execute()
    found = found.concat(rows)
    if (found.length < enough) continue
    keepFirst()
    if (range.upTo && isBehind(search, range.upTo, found.at(-1))) return found
  }
  keepFirst()
  return found
}

async function findForced(connection: Connection, search: Search): Promise<string[]> {
  const { forced } = search.filter
  if (forced === undefined) return []
  const rows = await existing(connection, search).select('session_id').where('session_id', '=', forced).execute()
  return rows.map((row) => row.session_id)
}

/** In the order of the ids; recordings that are gone are left out. */
async function read(connection: Connection, search: Search, sessionIds: string[]): Promise<Recording[]> {
  const found = new Map<string, Recording>()
  for (const part of chunks(sessionIds, AT_ONCE)) {
    const rows = await existing(connection, search).selectAll().where('session_id', 'in', part).execute()
    for (const row of rows) found.set(row.session_id, toRecording(row))
  }
  return sessionIds.map((id) => found.get(id)).filter((recording) => recording !== undefined)
}

async function listScanned(
  connection: Connection,
  search: Search,
  { limit, offset }: PageRequest,
): Promise<Recording[]> {
  const forced = await findForced(connection, search)
  const count = Math.min(offset + limit, Number.MAX_SAFE_INTEGER) - forced.length
  const others = count > 0 ? await findFirst(connection, search, count) : []
  const ids = [...forced, ...others.map(({ sessionId }) => sessionId)]
  return read(connection, search, ids.slice(offset, offset + limit))
}

const countAll = async (query: ReturnType<typeof whole>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

async function countScanned(connection: Connection, search: Search): Promise<number> {
  let total = (await findForced(connection, search)).length
  for await (const range of ranges(connection, search)) total += await countAll(within(connection, search, range))
  return total
}

export function recordingSearch(connection: Connection): RecordingSearch {
  return {
    async list(projectId, filter, page, now) {
      const search = { projectId, filter, now }
      const list = (await isNarrow(connection, search)) ? listWhole : listScanned
      return list(connection, search, page)
    },
    async count(projectId, filter, now) {
      const search = { projectId, filter, now }
      return (await isNarrow(connection, search))
        ? countAll(whole(connection, search))
        : countScanned(connection, search)
    },
  }
}
