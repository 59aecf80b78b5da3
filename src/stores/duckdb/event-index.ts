/**
 * An index by distinct id, so that one person's events are found without scanning all. `moments` repeats the columns of
 * each event that a timeline needs, in runs sorted by the hash of the distinct id, so that a look-up reads one row
 * group of each run and one or two vectors of it. Events reach it in two steps: the latest ones (the tail) are read
 * from `events` itself; when there are enough they are sorted into a piece of `recent_moments`; enough pieces are
 * sorted into a run.
 */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { DistinctIdEvents, EventMoment, PersonTotals, TimelineQuery } from '../../model/events/event.ts'
import type { Parts, Progress } from './progress.ts'
import { Texts } from './values/bound-texts.ts'
import { distinctHash, instant, int } from './values/literal.ts'

/**
 * A look-up by one id takes a few milliseconds whatever the store's size; a full scan takes a millisecond per 20,000
 * events and is faster for more ids than this. It also bounds the length of statements.
 */
const lookUps = (progress: Progress) => Math.min(Math.max(progress.lastOrd / 150_000, 4), 40)

const MOMENT = 'distinct_hash, project_id, distinct_id, event, ts, seq, ord, uuid'
const SORTED = 'ORDER BY distinct_hash, ts'

export const pieceIsDue = ({ progress, limits }: Parts) => progress.lastOrd - progress.indexedOrd >= limits.pieceEvents
export const runIsDue = ({ progress, limits }: Parts) => progress.recentMoments >= limits.runEvents

/** Sorts new events into a piece, of twice the usual size at most; what is more waits for the next time. */
export async function sortPiece(connection: DuckDBConnection, parts: Parts): Promise<Partial<Progress>> {
  const { indexedOrd, lastOrd, recentMoments } = parts.progress
  const end = Math.min(lastOrd, indexedOrd + 2 * parts.limits.pieceEvents)
  await connection.run(`INSERT INTO recent_moments SELECT ${MOMENT} FROM events
    WHERE ord > ${int(indexedOrd)} AND ord <= ${int(end)} ${SORTED}`)
  return { indexedOrd: end, recentMoments: recentMoments + end - indexedOrd }
}

/** Sorts the pieces into a run. */
export async function sortRun(connection: DuckDBConnection): Promise<Partial<Progress>> {
  await connection.run(`INSERT INTO moments SELECT ${MOMENT} FROM recent_moments ${SORTED}`)
  await connection.run('DELETE FROM recent_moments')
  return { recentMoments: 0 }
}

/**
 * SQL that defines `candidate`: all events under these ids' hashes, whose ids have still to be compared. A reader with
 * an older `indexedOrd` than the store's still finds each event once: the bound on `ord` decides which of the two sides
 * it is read from.
 */
export function candidateEvents(progress: Progress, distinctIds: string[]): string {
  const columns = 'uuid, ts, seq, ord, project_id, distinct_id, event'
  const bound = int(progress.indexedOrd)
  const hashes = [...new Set(distinctIds.map(distinctHash))].map(int)
  // Only `=` is pushed down into a scan, so that the other columns are read for matching rows only.
  const conditions =
    hashes.length <= lookUps(progress)
      ? hashes.map((hash) => `distinct_hash = ${hash}`)
      : [`distinct_hash IN (${hashes.join(', ')})`]
  const sides = conditions.flatMap((condition) => [
    `SELECT ${columns} FROM moments WHERE ${condition} AND ord <= ${bound}`,
    `SELECT ${columns} FROM recent_moments WHERE ${condition} AND ord <= ${bound}`,
    `SELECT ${columns} FROM events WHERE ${condition} AND ord > ${bound}`,
  ])
  // Materialized: otherwise the comparison of the text would be pushed into the scan and run before that of the hash.
  return `candidate AS MATERIALIZED (${sides.join(' UNION ALL ')})`
}

/** SQL of a project's candidates under these ids. */
const candidatesUnder = (texts: Texts, projectId: number, distinctIds: string[]): string =>
  `FROM candidate WHERE project_id = ${int(projectId)} AND ${texts.isOneOf('distinct_id', distinctIds)}`

export function readMoments(rows: DuckDBValue[][]): EventMoment[] {
  return rows.map(([uuid, ts]) => ({ uuid: String(uuid), timestamp: ts as number }))
}

export async function timeline({ database, progress }: Parts, query: TimelineQuery): Promise<EventMoment[]> {
  if (query.distinctIds.length === 0 || query.events?.length === 0) return []
  const texts = new Texts()
  const sql = `WITH ${candidateEvents(progress, query.distinctIds)}
    SELECT uuid, ts ${candidatesUnder(texts, query.projectId, query.distinctIds)}
      AND ts BETWEEN ${instant(query.from)} AND ${instant(query.to)} AND ${texts.isOneOf('event', query.events)}
    ORDER BY ts, seq, ord`
  return database.read(async (connection) => readMoments(await texts.rows(connection, sql)))
}

export async function firstEventAt(
  { database, progress }: Parts,
  projectId: number,
  distinctIds: string[],
): Promise<number | null> {
  if (distinctIds.length === 0) return null
  const texts = new Texts()
  const sql = `WITH ${candidateEvents(progress, distinctIds)}
    SELECT min(ts) ${candidatesUnder(texts, projectId, distinctIds)}`
  const [first] = await database.read((connection) => texts.rows(connection, sql))
  return (first?.[0] as number | null | undefined) ?? null
}

/** Sessions are in the events only: what is looked through of all of them is one column, between the first and the last. */
export async function personTotals(
  { database, progress }: Parts,
  projectId: number,
  distinctIds: string[],
): Promise<PersonTotals> {
  if (distinctIds.length === 0) return { events: 0, sessions: 0, firstAt: null, lastAt: null }
  const texts = new Texts()
  const sql = `WITH ${candidateEvents(progress, distinctIds)}, own AS MATERIALIZED (
      SELECT ts, ord ${candidatesUnder(texts, projectId, distinctIds)})
    SELECT count(*), min(ts), max(ts),
      (SELECT count(DISTINCT session_id) FROM events WHERE ord IN (SELECT ord FROM own)) FROM own`
  const [[events, firstAt, lastAt, sessions] = []] = await database.read((connection) => texts.rows(connection, sql))
  return {
    events: Number(events),
    sessions: Number(sessions),
    firstAt: (firstAt as number | null | undefined) ?? null,
    lastAt: (lastAt as number | null | undefined) ?? null,
  }
}

export async function eventsByDistinctId(
  { database, progress }: Parts,
  projectId: number,
  distinctIds: string[],
): Promise<DistinctIdEvents[]> {
  if (distinctIds.length === 0) return []
  const texts = new Texts()
  const sql = `WITH ${candidateEvents(progress, distinctIds)}
    SELECT distinct_id, count(*) ${candidatesUnder(texts, projectId, distinctIds)} GROUP BY distinct_id`
  const found = await database.read((connection) => texts.rows(connection, sql))
  return found.map(([distinctId, events]) => ({ distinctId: distinctId as string, events: Number(events) }))
}
