/** Finding recordings: lists and counts. A scan finds positions in the list; only the recordings of a page are read. */
import { sql } from 'kysely'
import { FirstInOrder } from '../../../../lib/lists/first-in-order.ts'
import { chunks } from '../../../../lib/lists/lists.ts'
import type { PageRequest } from '../../../../model/page.ts'
import type {
  Recording,
  RecordingFilter,
  RecordingPlace,
  RecordingReader,
} from '../../../../model/recordings/recording.ts'
import { inListOrder, type RecordingPosition } from '../../../../model/recordings/recording-order.ts'
import { AT_ONCE, type Connection } from '../../connection.ts'
import { recordingCandidates } from './recording-candidates.ts'
import { ORDERS, position } from './recording-filter.ts'
import { toRecording } from './recording-rows.ts'
import { existing, goesUp, isNarrow, ranges, type Search, whole, within } from './recording-scan.ts'

type RecordingSearch = Pick<RecordingReader, 'list' | 'count' | 'totalsOf' | 'candidates'>

async function listWhole(connection: Connection, search: Search, { limit, offset }: PageRequest): Promise<Recording[]> {
  const { forced, sessionIds, order } = search.filter
  let query = whole(connection, search).selectAll()
  if (forced !== undefined) query = query.orderBy(sql`case when session_id = ${forced} then 0 else 1 end`)
  if (sessionIds?.length) query = query.orderBy(position(sessionIds))
  else query = query.orderBy(ORDERS[order.by], order.ascending ? 'asc' : 'desc')
  const rows = await query.orderBy('start_at', 'desc').orderBy('session_id').limit(limit).offset(offset).execute()
  return rows.map(toRecording)
}

/** Whether what comes after this position can no longer be among the first. */
function isBehind(search: Search, place: RecordingPlace, last: RecordingPosition | undefined): boolean {
  if (last === undefined) return false
  return goesUp(search) ? place.startAt > last.startAt : place.startAt < last.startAt
}

/** The first `count` in the order of the list. */
async function findFirst(connection: Connection, search: Search, count: number): Promise<RecordingPosition[]> {
  const { by, ascending } = search.filter.order
  const first = new FirstInOrder<RecordingPosition>(count, inListOrder(ascending))
  for await (const range of ranges(connection, search)) {
    const rows = await within(connection, search, range)
      .select(['start_at as startAt', 'session_id as sessionId', ORDERS[by].as('by')])
      .execute()
    for (const row of rows) first.add(row)
    // Only in the order of the index a portion can be the last.
    if (by === 'start_time' && range.upTo && isBehind(search, range.upTo, first.last)) break
  }
  return first.items
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

const ofPerson = (personId: number): RecordingFilter => ({
  startFrom: Number.NEGATIVE_INFINITY,
  startTo: Number.POSITIVE_INFINITY,
  personId,
  conditions: { join: 'AND', of: [] },
  order: { by: 'start_time', ascending: false },
})

const storedBytes = sql<number | string | null>`sum((select stored_bytes from recording_progress
  where recording_progress.project_id = recordings.project_id
    and recording_progress.session_id = recordings.session_id))`

async function totalsIn(query: ReturnType<typeof whole>): Promise<{ count: number; bytes: number }> {
  const totals = query.select((eb) => [eb.fn.countAll<number>().as('count'), storedBytes.as('bytes')])
  const { count, bytes } = await totals.executeTakeFirstOrThrow()
  return { count, bytes: Number(bytes ?? 0) }
}

async function totalsScanned(connection: Connection, search: Search): Promise<{ count: number; bytes: number }> {
  const totals = { count: 0, bytes: 0 }
  for await (const range of ranges(connection, search)) {
    const { count, bytes } = await totalsIn(within(connection, search, range))
    totals.count += count
    totals.bytes += bytes
  }
  return totals
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
    async totalsOf(projectId, personId, now) {
      const search = { projectId, filter: ofPerson(personId), now }
      return (await isNarrow(connection, search))
        ? totalsIn(whole(connection, search))
        : totalsScanned(connection, search)
    },
    candidates: (projectId, filter, questions, from, now) =>
      recordingCandidates(connection, { projectId, filter, now }, questions, from),
  }
}
