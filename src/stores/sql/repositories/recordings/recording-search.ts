/**
 * Finding recordings: lists and counts. Whoever asks by sessions, or by a person with few recordings, is served from the
 * index of these; all else looks through the recordings of the time asked for, in portions of the index by start. What is found there are
 * places in the order of the list; only the recordings of a page are read.
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

type Search = Pick<RecordingReader, 'list' | 'count'>

/** What is asked, and of whom. */
interface Asked {
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

const existing = ({ db }: Connection, { projectId, now }: Asked) =>
  db.selectFrom('recordings').where('project_id', '=', projectId).where('expires_at', '>', now)

/** Whether somebody has more of these than one portion holds. */
async function hasMany(query: SelectQueryBuilder<Tables, keyof Tables, object>): Promise<boolean> {
  return (await query.select(sql`1`.as('one')).limit(1).offset(PORTION).executeTakeFirst()) !== undefined
}

/**
 * Whether an index gives at most one portion of recordings. Sessions are named one by one; of whom somebody asks there
 * may be many recordings, or distinct ids to look for them by.
 */
async function isNarrow(connection: Connection, { projectId, filter }: Asked): Promise<boolean> {
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

/** All that the filter finds, at once. */
function whole(connection: Connection, asked: Asked) {
  const all = joined(narrowings(connection, asked.filter, false), 'AND')
  const { forced } = asked.filter
  return existing(connection, asked).where(
    forced === undefined ? all : sql<SqlBool>`(session_id = ${forced} or ${all})`,
  )
}

async function listWhole(connection: Connection, asked: Asked, { limit, offset }: PageRequest): Promise<Recording[]> {
  const { forced, sessionIds, order } = asked.filter
  let query = whole(connection, asked).selectAll()
  if (forced !== undefined) query = query.orderBy(sql`case when session_id = ${forced} then 0 else 1 end`)
  if (sessionIds?.length) query = query.orderBy(position(sessionIds))
  else query = query.orderBy(ORDERS[order.by], order.ascending ? 'asc' : 'desc')
  const rows = await query.orderBy('start_at', 'desc').orderBy('session_id').limit(limit).offset(offset).execute()
  return rows.map(toRecording)
}

/** By start alone the index itself is in order, and the scan goes along it. */
const goesUp = ({ filter: { order } }: Asked): boolean => order.by === 'start_time' && order.ascending

/** The `count`-th recording after one in the index by start, of those in the time asked for. */
async function placeAfter({ db }: Connection, asked: Asked, after: Place | null, count: number): Promise<Place | null> {
  const { projectId, filter } = asked
  const [sign, direction] = goesUp(asked) ? ([sql`>`, 'asc'] as const) : ([sql`<`, 'desc'] as const)
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

/** Of one portion; the forced recording is looked up by itself. */
function within(connection: Connection, asked: Asked, { after, upTo }: Range<Place>) {
  const [from, to] = goesUp(asked) ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
  let query = existing(connection, asked)
  if (after) query = query.where(sql<SqlBool>`(start_at, session_id) ${from} (${after.startAt}, ${after.sessionId})`)
  if (upTo) query = query.where(sql<SqlBool>`(start_at, session_id) ${to} (${upTo.startAt}, ${upTo.sessionId})`)
  const { forced } = asked.filter
  if (forced !== undefined) query = query.where('session_id', '<>', forced)
  return query.where(joined(narrowings(connection, asked.filter, true), 'AND'))
}

const ranges = (connection: Connection, asked: Asked) =>
  portions<Place>(connection, null, (after, count) => placeAfter(connection, asked, after, count))

const inOrder = ({ filter: { order } }: Asked) => {
  const sign = order.ascending ? 1 : -1
  return (a: Found, b: Found): number =>
    sign * (a.by - b.by) || b.startAt - a.startAt || (a.sessionId < b.sessionId ? -1 : 1)
}

/** Whether what comes after this place cannot be among the first any more. */
function isBehind(asked: Asked, place: Place, last: Found | undefined): boolean {
  if (last === undefined || asked.filter.order.by !== 'start_time') return false
  return goesUp(asked) ? place.startAt > last.startAt : place.startAt < last.startAt
}

/** The first so many in the order of the list. */
async function findFirst(connection: Connection, asked: Asked, count: number): Promise<Found[]> {
  const { by } = asked.filter.order
  // Along the index each portion can be the last; in any other order it is enough to sort now and then.
  const enough = by === 'start_time' ? count : 2 * count + PORTION
  let found: Found[] = []
  const keepFirst = () => {
    found = found.sort(inOrder(asked)).slice(0, count)
  }
  for await (const range of ranges(connection, asked)) {
    const rows = await within(connection, asked, range)
      .select(['start_at as startAt', 'session_id as sessionId', ORDERS[by].as('by')])
      .execute()
    found = found.concat(rows)
    if (found.length < enough) continue
    keepFirst()
    if (range.upTo && isBehind(asked, range.upTo, found.at(-1))) return found
  }
  keepFirst()
  return found
}

async function findForced(connection: Connection, asked: Asked): Promise<string[]> {
  const { forced } = asked.filter
  if (forced === undefined) return []
  const rows = await existing(connection, asked).select('session_id').where('session_id', '=', forced).execute()
  return rows.map((row) => row.session_id)
}

/** In the order of the ids; what is gone by now is left out. */
async function read(connection: Connection, asked: Asked, sessionIds: string[]): Promise<Recording[]> {
  const found = new Map<string, Recording>()
  for (const part of chunks(sessionIds, AT_ONCE)) {
    const rows = await existing(connection, asked).selectAll().where('session_id', 'in', part).execute()
    for (const row of rows) found.set(row.session_id, toRecording(row))
  }
  return sessionIds.map((id) => found.get(id)).filter((recording) => recording !== undefined)
}

async function listScanned(connection: Connection, asked: Asked, { limit, offset }: PageRequest): Promise<Recording[]> {
  const forced = await findForced(connection, asked)
  const count = Math.min(offset + limit, Number.MAX_SAFE_INTEGER) - forced.length
  const others = count > 0 ? await findFirst(connection, asked, count) : []
  const ids = [...forced, ...others.map(({ sessionId }) => sessionId)]
  return read(connection, asked, ids.slice(offset, offset + limit))
}

const countAll = async (query: ReturnType<typeof whole>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

async function countScanned(connection: Connection, asked: Asked): Promise<number> {
  let total = (await findForced(connection, asked)).length
  for await (const range of ranges(connection, asked)) total += await countAll(within(connection, asked, range))
  return total
}

export function recordingSearch(connection: Connection): Search {
  return {
    async list(projectId, filter, page, now) {
      const asked = { projectId, filter, now }
      const list = (await isNarrow(connection, asked)) ? listWhole : listScanned
      return list(connection, asked, page)
    },
    async count(projectId, filter, now) {
      const asked = { projectId, filter, now }
      return (await isNarrow(connection, asked)) ? countAll(whole(connection, asked)) : countScanned(connection, asked)
    },
  }
}
