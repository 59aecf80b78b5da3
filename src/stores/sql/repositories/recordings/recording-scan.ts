/**
 * How recordings are looked through. Searches by sessions, or by a person with few recordings, use their index and are
 * one statement; all others scan the recordings of the requested time, in portions of the index by start.
 */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { RecordingFilter, RecordingPlace } from '../../../../model/recordings/recording.ts'
import type { Connection } from '../../connection.ts'
import { PORTION, portions, type Range } from '../../queries/keyset-ranges.ts'
import type { Tables } from '../../tables.ts'
import { joined, narrowings, whoseSql } from './recording-filter.ts'

/** The filter and its project. */
export interface Search {
  projectId: number
  filter: RecordingFilter
  now: number
}

export const existing = ({ db }: Connection, { projectId, now }: Search) =>
  db.selectFrom('recordings').where('project_id', '=', projectId).where('expires_at', '>', now)

/** Whether there are more of these than one portion holds. */
async function hasMany(query: SelectQueryBuilder<Tables, keyof Tables, object>): Promise<boolean> {
  return (await query.select(sql`1`.as('one')).limit(1).offset(PORTION).executeTakeFirst()) !== undefined
}

/**
 * Whether an index gives at most one portion of recordings. Sessions are named one by one; a person may have many
 * recordings, or many distinct ids to find them by.
 */
export async function isNarrow(connection: Connection, { projectId, filter }: Search): Promise<boolean> {
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
export function whole(connection: Connection, search: Search) {
  const all = joined(narrowings(connection, search.filter, false), 'AND')
  const { forced } = search.filter
  return existing(connection, search).where(
    forced === undefined ? all : sql<SqlBool>`(session_id = ${forced} or ${all})`,
  )
}

/** Ordered by start only, the index itself is in order, and the scan follows it. */
export const goesUp = ({ filter: { order } }: Search): boolean => order.by === 'start_time' && order.ascending

/** The `count`-th recording after one in the index by start, within the requested time. */
async function placeAfter(
  { db }: Connection,
  search: Search,
  after: RecordingPlace | null,
  count: number,
): Promise<RecordingPlace | null> {
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
export function within(connection: Connection, search: Search, { after, upTo }: Range<RecordingPlace>) {
  const [from, to] = goesUp(search) ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
  let query = existing(connection, search)
  if (after) query = query.where(sql<SqlBool>`(start_at, session_id) ${from} (${after.startAt}, ${after.sessionId})`)
  if (upTo) query = query.where(sql<SqlBool>`(start_at, session_id) ${to} (${upTo.startAt}, ${upTo.sessionId})`)
  const { forced } = search.filter
  if (forced !== undefined) query = query.where('session_id', '<>', forced)
  return query.where(joined(narrowings(connection, search.filter, true), 'AND'))
}

export const ranges = (connection: Connection, search: Search, from: RecordingPlace | null = null) =>
  portions<RecordingPlace>(connection, from, (after, count) => placeAfter(connection, search, after, count))
