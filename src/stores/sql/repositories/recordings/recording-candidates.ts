/** Recordings that may be in a list: their positions, their persons, and what else the list has to know of each. */
import { type RawBuilder, sql } from 'kysely'
import { NOBODY } from '../../../../model/persons/person-search.ts'
import {
  CANDIDATES_AT_ONCE,
  type CandidateQuestions,
  type RecordingCandidates,
  type RecordingPlace,
} from '../../../../model/recordings/recording.ts'
import type { Connection } from '../../connection.ts'
import { PORTION } from '../../queries/keyset-ranges.ts'
import { conditionSql, ORDERS, ownerId, position } from './recording-filter.ts'
import { type existing, isNarrow, ranges, type Search, whole, within } from './recording-scan.ts'

/** After so many no further portion is read. */
const ENOUGH = CANDIDATES_AT_ONCE - PORTION

interface Row extends RecordingPlace {
  by: number
  owner?: number
  [test: `test${number}`]: number
}

function rowsOf(
  connection: Connection,
  { filter: { sessionIds, order } }: Search,
  { tests, withOwners }: CandidateQuestions,
  query: ReturnType<typeof existing>,
): Promise<Row[]> {
  const by: RawBuilder<number> = sessionIds?.length ? position(sessionIds) : ORDERS[order.by]
  const results = tests.map((test, n) => sql<number>`(${conditionSql(connection, test)})`.as(`test${n}`))
  return query
    .select(['start_at as startAt', 'session_id as sessionId', by.as('by')])
    .select(withOwners ? [sql<number>`coalesce(${ownerId}, ${NOBODY})`.as('owner')] : [])
    .select(results)
    .execute() as Promise<Row[]>
}

function inColumns(
  rows: Row[],
  { tests, withOwners }: CandidateQuestions,
  next: RecordingPlace | null,
): RecordingCandidates {
  return {
    sessionIds: rows.map((row) => row.sessionId),
    startAt: Float64Array.from(rows, (row) => row.startAt),
    by: Float64Array.from(rows, (row) => row.by),
    owners: withOwners ? Float64Array.from(rows, (row) => row.owner ?? NOBODY) : new Float64Array(),
    holds: Uint8Array.from(rows.flatMap((row) => tests.map((_, n) => (row[`test${n}`] === 1 ? 1 : 0)))),
    next,
  }
}

function wholeUnforced(connection: Connection, { filter, ...rest }: Search) {
  const { forced, ...unforced } = filter
  const query = whole(connection, { ...rest, filter: unforced })
  return forced === undefined ? query : query.where('session_id', '<>', forced)
}

export async function recordingCandidates(
  connection: Connection,
  search: Search,
  questions: CandidateQuestions,
  from: RecordingPlace | null,
): Promise<RecordingCandidates> {
  if (from === null && (await isNarrow(connection, search))) {
    return inColumns(await rowsOf(connection, search, questions, wholeUnforced(connection, search)), questions, null)
  }
  let rows: Row[] = []
  for await (const range of ranges(connection, search, from)) {
    rows = rows.concat(await rowsOf(connection, search, questions, within(connection, search, range)))
    if (rows.length >= ENOUGH) return inColumns(rows, questions, range.upTo)
  }
  return inColumns(rows, questions, null)
}
