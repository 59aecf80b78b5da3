/** A list of sessions (see ../../sessions/find-sessions.ts): first which, then what there is to know of them. */
import type { DuckDBConnection, DuckDBListValue, DuckDBValue } from '@duckdb/node-api'
import { isUuid } from '../../../lib/ids.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import type {
  FoundSession,
  Session,
  SessionFilter,
  SessionPage,
  SessionPageRequest,
  SessionSpan,
} from '../../../model/events/session.ts'
import { leavesOf } from '../../property-filter.ts'
import { isUpwards, type SessionEngine, type Stretch, searchSessions } from '../../sessions/find-sessions.ts'
import { BOUNCE, DURATION, EVENT_COUNTS, LCP, toSession } from '../../sessions/session-properties.ts'
import { candidateEvents } from '../event-index.ts'
import type { Parts } from '../progress.ts'
import { checkPatterns, valuesSatisfy } from '../properties/property-sql.ts'
import { dateValue, type PropertyValue, valueOfKind } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'
import { double, instant, int, uuidLiteral } from '../values/literal.ts'
import { DATES, NUMBERS, sessionTable, TEXTS } from './session-table.ts'

interface Search {
  projectId: number
  filter: SessionFilter
  request: SessionPageRequest
}

const isInProject = (projectId: number): string => `project_id = ${int(projectId)} AND session_id IS NOT NULL`

/** SQL of whether this instant is in the stretch and in the range of the filter. */
function within(at: string, { from, to }: Stretch, filter: SessionFilter): string {
  const bounds = [
    [from, `>= ${instant(from)}`],
    [to, `< ${instant(to)}`],
    [filter.from, `>= ${instant(filter.from)}`],
    [filter.to, `<= ${instant(filter.to)}`],
  ] as const
  const finite = bounds.filter(([bound]) => Number.isFinite(bound)).map(([, compared]) => `${at} ${compared}`)
  return finite.length === 0 ? 'true' : finite.join(' AND ')
}

/** SQL that defines `among`, ids of sessions outside of which none is searched for; empty when they may be any. */
function amongSql({ progress }: Parts, { projectId, filter }: Search, stretch: Stretch, texts: Texts): string {
  const { distinctIds } = filter
  if (distinctIds) {
    return `${candidateEvents(progress, distinctIds)}, among AS MATERIALIZED (
      SELECT DISTINCT session_id FROM events WHERE session_id IS NOT NULL AND ord IN (SELECT ord FROM candidate
        WHERE project_id = ${int(projectId)} AND ${texts.isOneOf('distinct_id', distinctIds)})),`
  }
  const time = within('ts', stretch, filter)
  if (time === 'true') return ''
  return `among AS MATERIALIZED (SELECT DISTINCT session_id FROM events WHERE ${isInProject(projectId)} AND ${time}),`
}

/** The value of a session property in the column of this name. */
function valueIn(key: string, column: string): PropertyValue {
  if (DATES.has(key)) return dateValue(column)
  return valueOfKind(NUMBERS.has(key) ? 'number' : 'string', column)
}

/** SQL of the value of a session property, NULL when there is none. */
function valueSql(key: string): string {
  const text = TEXTS.get(key)
  if (text === undefined) return `(${NUMBERS.get(key) ?? DATES.get(key)})::DOUBLE`
  return key === BOUNCE ? `CASE ${text} WHEN '1' THEN 'true' WHEN '0' THEN 'false' END` : `nullif(${text}, '')`
}

/** SQL of whether a session is beyond the place that the page begins at. */
function isBeyond({ from, ...request }: SessionPageRequest): string {
  if (!from) return 'true'
  const sign = isUpwards({ ...request, from }) ? '>' : '<'
  const { by, sessionId } = from.place
  return `(place ${sign} ${double(by)} OR (place = ${double(by)} AND session_id ${sign} ${uuidLiteral(sessionId)}))`
}

function beganSql(parts: Parts, search: Search, stretch: Stretch, wanted: number, texts: Texts): string {
  const { projectId, filter, request } = search
  const keys = [...new Set(filter.properties ? leavesOf(filter.properties).map(({ key }) => key) : [])]
  const among = amongSql(parts, search, stretch, texts)
  const where = `${isInProject(projectId)}${among === '' ? '' : ' AND session_id IN (SELECT session_id FROM among)'}`
  const place = request.order.by === 'start' ? 'start_at' : NUMBERS.get(DURATION)
  const values = keys.map((key, index) => `, ${valueSql(key)} AS value_${index}`).join('')
  const fits = filter.properties
    ? valuesSatisfy(filter.properties, (key) => valueIn(key, `value_${keys.indexOf(key)}`), texts)
    : 'true'
  const direction = isUpwards(request) ? '' : 'DESC'
  return `WITH ${among} ${sessionTable(where, keys)}
    SELECT session_id, start_at, end_at, place FROM (SELECT session_id, start_at, end_at, ${place} AS place ${values} FROM session)
    WHERE ${within('start_at', stretch, filter)} AND ${fits} AND ${isBeyond(request)}
    ORDER BY place ${direction}, session_id ${direction} LIMIT ${int(wanted)}`
}

const toFound = ([id, start, end, place]: DuckDBValue[]): FoundSession => ({
  sessionId: String(id),
  startAt: start as number,
  endAt: end as number,
  by: Number(place),
})

const engineOf = (connection: DuckDBConnection, parts: Parts, search: Search): SessionEngine => ({
  async extent() {
    const sql = `SELECT min(ts), max(ts) FROM events WHERE project_id = ${int(search.projectId)}`
    const [from, to] = (await connection.runAndReadAll(sql)).getRows()[0] ?? []
    return from === null || from === undefined ? null : { from: from as number, to: to as number }
  },
  async countWithin(stretch) {
    const sql = `SELECT approx_count_distinct(session_id) FROM events
      WHERE ${isInProject(search.projectId)} AND ${within('ts', stretch, search.filter)}`
    return Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0)
  },
  async beganWithin(stretch, wanted) {
    const texts = new Texts()
    const sql = beganSql(parts, search, stretch, wanted, texts)
    return (await texts.rows(connection, sql)).map(toFound)
  },
})

export async function findSessions(
  parts: Parts,
  projectId: number,
  filter: SessionFilter,
  request: SessionPageRequest,
): Promise<SessionPage> {
  const { sessionsAtOnce } = parts.limits
  return parts.database.read(async (connection) => {
    if (filter.properties) await checkPatterns(connection, leavesOf(filter.properties))
    const engine = engineOf(connection, parts, { projectId, filter, request })
    return searchSessions(engine, { filter, request, now: systemClock.now(), sessionsAtOnce })
  })
}

const KEYS = [...TEXTS.keys()]
const COUNTS = EVENT_COUNTS.map(([key]) => NUMBERS.get(key))

/** SQL of whether an event may be one of theirs, by its time. */
function isInTime(spans: SessionSpan[]): string {
  const from = Math.min(...spans.map(({ startAt = Number.NEGATIVE_INFINITY }) => startAt))
  const to = Math.max(...spans.map(({ endAt = Number.POSITIVE_INFINITY }) => endAt))
  return `ts BETWEEN ${instant(from)} AND ${instant(to)}`
}

export async function readSessions(parts: Parts, projectId: number, spans: SessionSpan[]): Promise<Session[]> {
  const wanted = spans.filter(({ sessionId }) => isUuid(sessionId))
  if (wanted.length === 0) return []
  const ids = wanted.map(({ sessionId }) => uuidLiteral(sessionId)).join(', ')
  const where = `${isInProject(projectId)} AND session_id IN (${ids}) AND ${isInTime(wanted)}`
  const sql = `WITH ${sessionTable(where, [...KEYS, ...NUMBERS.keys()], true)}
    SELECT session_id, start_at, end_at, distinct_id, [${[...TEXTS.values()].join(', ')}], [${COUNTS.join(', ')}], ${NUMBERS.get(LCP)}
    FROM session`
  const rows = await parts.database.read(async (connection) => (await connection.runAndReadAll(sql)).getRows())
  const found = new Map(
    rows.map(([id, startAt, endAt, distinctId, texts, counts, lcp]) => {
      const facts = {
        sessionId: String(id),
        startAt: startAt as number,
        endAt: endAt as number,
        distinctId: distinctId as string,
        texts: (texts as DuckDBListValue).items as (string | null)[],
        counts: (counts as DuckDBListValue).items.map(Number),
        lcp: lcp as number | null,
      }
      return [facts.sessionId, toSession(facts, KEYS)]
    }),
  )
  return wanted.flatMap(({ sessionId }) => found.get(sessionId) ?? [])
}
