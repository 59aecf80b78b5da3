/** A list of sessions (see ../../sessions/find-sessions.ts): first which, then what there is to know of them. */
import { formatUuid, isUuid } from '../../../lib/ids.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import { DAY } from '../../../lib/time/time.ts'
import type {
  FoundSession,
  Session,
  SessionFilter,
  SessionPage,
  SessionPageRequest,
  SessionSpan,
} from '../../../model/events/session.ts'
import { filterSql, leavesOf } from '../../property-filter.ts'
import { isUpwards, type SessionEngine, type Stretch, searchSessions } from '../../sessions/find-sessions.ts'
import { DURATION, EVENT_COUNTS, LCP, LCP_EVENT, toSession } from '../../sessions/session-properties.ts'
import { isUnder } from '../event-index.ts'
import { eventWithin, type TimeRange } from '../listing/time-windows.ts'
import type { Reading } from '../parts.ts'
import { checkPatterns, valueSatisfies } from '../properties/property-sql.ts'
import { NO_SESSION } from '../rows/event-rows.ts'
import type { Row } from '../server/client.ts'
import { instant, instantOf, int, isOneOf, microsOf, text, uuid } from '../values/literal.ts'
import { DATES, LCP_COLUMNS, NUMBERS, sessionTable, TEXTS } from './session-table.ts'
import { sessionValue } from './session-value.ts'

interface Search {
  projectId: number
  filter: SessionFilter
  request: SessionPageRequest
}

const isInProject = (projectId: number): string =>
  `project_id = ${int(projectId)} AND session_id != ${uuid(NO_SESSION)}`

/** What is in the stretch and in the range of the filter; null: everything. */
function rangeOf({ from, to }: Stretch, filter: SessionFilter): TimeRange | null {
  const [start, end] = [Math.max(from, filter.from), Math.min(to, filter.to)]
  if (!Number.isFinite(start) && !Number.isFinite(end)) return null
  // Of the two ends that of the filter is included.
  return { from: microsOf(start), to: microsOf(end) + (filter.to < to ? 1n : 0n) }
}

/** SQL of whether an event is of a session that may be searched for. */
function amongSql({ projectId, filter }: Search, range: TimeRange | null): string {
  const { distinctIds } = filter
  const ofIds = distinctIds ? [isUnder(projectId, distinctIds)] : []
  const conditions = distinctIds || range === null ? ofIds : [eventWithin(range)]
  const project = isInProject(projectId)
  if (conditions.length === 0) return project
  return `${project} AND session_id GLOBAL IN (
    SELECT session_id FROM events WHERE ${[project, ...conditions].join(' AND ')} GROUP BY session_id)`
}

/** SQL of whether a session is beyond the place that the page begins at. */
function isBeyond({ from, ...request }: SessionPageRequest): string[] {
  if (!from) return []
  const sign = isUpwards({ ...request, from }) ? '>' : '<'
  const { by, sessionId } = from.place
  const number = request.order.by === 'start' ? instant(by) : int(Math.floor(by))
  return [`(number ${sign} ${number} OR (number = ${number} AND session_id ${sign} ${uuid(sessionId)}))`]
}

function beganSql(search: Search, stretch: Stretch, wanted: number): string {
  const { filter, request } = search
  const keys = [...new Set(filter.properties ? leavesOf(filter.properties).map(({ key }) => key) : [])]
  const nameOf = (key: string): string => `value_${keys.indexOf(key)}`
  const valueSql = (key: string): string => `${TEXTS.get(key) ?? NUMBERS.get(key) ?? DATES.get(key)} AS ${nameOf(key)}`
  const number = request.order.by === 'start' ? 'start_at' : NUMBERS.get(DURATION)
  const range = rangeOf(stretch, filter)
  const conditions = [
    ...(range === null ? [] : [`start_at >= ${int(range.from)}`, `start_at < ${int(range.to)}`]),
    ...(filter.properties
      ? [filterSql(filter.properties, (leaf) => valueSatisfies(leaf, sessionValue(leaf.key, nameOf(leaf.key))))]
      : []),
    ...isBeyond(request),
  ]
  const columns = ['session_id', 'start_at', 'end_at', `${number} AS number`, ...keys.map(valueSql)]
  const direction = isUpwards(request) ? 'ASC' : 'DESC'
  return `SELECT lower(hex(session_id)), start_at, end_at, number FROM (
      SELECT ${columns.join(', ')} FROM (${sessionTable(amongSql(search, range), keys)}))
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
    ORDER BY number ${direction}, session_id ${direction} LIMIT ${int(wanted)}`
}

const engineOf = ({ rows }: Reading, search: Search): SessionEngine => ({
  /** By whole days, which the table is ordered by. */
  async extent() {
    const [[count, first, last] = []] = await rows(`SELECT count(), min(day), max(day) FROM events
      WHERE project_id = ${int(search.projectId)}`)
    if (Number(count ?? 0) === 0) return null
    return { from: Number(first) * DAY, to: (Number(last) + 1) * DAY }
  },
  async countWithin(stretch) {
    const range = rangeOf(stretch, search.filter)
    const [[sessions] = []] = await rows(`SELECT uniq(session_id) FROM events
      WHERE ${isInProject(search.projectId)} ${range === null ? '' : `AND ${eventWithin(range)}`}`)
    return Number(sessions ?? 0)
  },
  async beganWithin(stretch, wanted) {
    const isByStart = search.request.order.by === 'start'
    return (await rows(beganSql(search, stretch, wanted))).map(([id, start, end, number]): FoundSession => {
      const startAt = instantOf(start as string)
      const by = isByStart ? startAt : Number(number)
      return { sessionId: formatUuid(id as string), startAt, endAt: instantOf(end as string), by }
    })
  },
})

export async function findSessions(
  reading: Reading,
  projectId: number,
  filter: SessionFilter,
  request: SessionPageRequest,
): Promise<SessionPage> {
  const { sessionsAtOnce } = reading.limits
  if (filter.properties) await checkPatterns(reading, leavesOf(filter.properties))
  const engine = engineOf(reading, { projectId, filter, request })
  return searchSessions(engine, { filter, request, now: systemClock.now(), sessionsAtOnce })
}

/** The times of all events of these sessions. */
const spanOf = (spans: SessionSpan[]): TimeRange => ({
  from: microsOf(Math.min(...spans.map(({ startAt = Number.NEGATIVE_INFINITY }) => startAt))),
  to: microsOf(Math.max(...spans.map(({ endAt = Number.POSITIVE_INFINITY }) => endAt))) + 1n,
})

const KEYS = [...TEXTS.keys()]
const COUNTS = EVENT_COUNTS.map(([key]) => NUMBERS.get(key))

function factsOf([id, start, end, distinctId, texts, ...counts]: Row, lcps: Map<string, number>): Session {
  const sessionId = formatUuid(id as string)
  const facts = {
    sessionId,
    startAt: instantOf(start as string),
    endAt: instantOf(end as string),
    distinctId: distinctId as string,
    texts: texts as string[],
    counts: counts.map(Number),
    lcp: lcps.get(sessionId) ?? null,
  }
  return toSession(facts, KEYS)
}

export async function readSessions({ rows }: Reading, projectId: number, spans: SessionSpan[]): Promise<Session[]> {
  const wanted = spans.filter(({ sessionId }) => isUuid(sessionId))
  if (wanted.length === 0) return []
  const ids = isOneOf(
    'session_id',
    wanted.map(({ sessionId }) => sessionId),
    uuid,
  )
  const where = `${isInProject(projectId)} AND ${ids} AND ${eventWithin(spanOf(wanted))}`
  const columns = [
    'lower(hex(session_id))',
    'start_at',
    'end_at',
    'first_id',
    `[${[...TEXTS.values()].join(', ')}]`,
    ...COUNTS,
  ]
  const found = await rows(
    `SELECT ${columns.join(', ')} FROM (${sessionTable(where, [...KEYS, ...EVENT_COUNTS.map(([key]) => key)], true)})`,
  )
  // By itself, as it reads properties: the table's order knows where the few events are that have it.
  const vitals = await rows(`SELECT lower(hex(session_id)), ${NUMBERS.get(LCP)} FROM (
      SELECT session_id, ${LCP_COLUMNS} FROM events WHERE ${where} AND event = ${text(LCP_EVENT)} GROUP BY session_id)
    WHERE lcps > 0`)
  const lcps = new Map(vitals.map(([id, lcp]) => [formatUuid(id as string), Number(lcp)]))
  const sessions = new Map(found.map((row) => factsOf(row, lcps)).map((session) => [session.sessionId, session]))
  return wanted.flatMap(({ sessionId }) => sessions.get(sessionId) ?? [])
}
