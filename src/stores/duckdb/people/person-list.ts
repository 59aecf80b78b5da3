/** Lists of people: the ids of a page and the number of all, found by one scan. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { PersonFilter } from '../../../model/persons/person.ts'
import {
  type FoundPersons,
  NEVER_SEEN,
  NEWEST_FIRST,
  type PersonIdsRequest,
  type PersonOrder,
} from '../../../model/persons/person-search.ts'
import { changesUnknown } from '../../person-filter.ts'
import { inSnapshot, readWithinMemory } from '../listing/memory-limited-read.ts'
import type { Parts } from '../progress.ts'
import { withoutBrokenPatterns } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { instant, int } from '../values/literal.ts'
import { current, PEOPLE } from './current-people.ts'
import { PersonMatches } from './person-matches.ts'

async function checkComplete(connection: DuckDBConnection, projectId: number): Promise<void> {
  const sql = `${current(PEOPLE, { projectId, columns: '1', where: 'row.updated_at IS NULL' })} LIMIT 1`
  if ((await connection.runAndReadAll(sql)).getRows().length === 0) return
  throw changesUnknown()
}

/** The column of the time that each order is by. */
const TIMES: Record<PersonOrder['by'], string> = { createdAt: 'created_at', lastSeenAt: 'last_seen_at' }

function pageSql(matches: PersonMatches, request: PersonIdsRequest, texts: Texts): string {
  const { limit, offset = 0, after, withCount, order = NEWEST_FIRST } = request
  const column = TIMES[order.by]
  const [direction, sign] = order.isAscending ? ['ASC', '>'] : ['DESC', '<']
  const ordered = `ORDER BY moment ${direction}, person_id ${direction}`
  const isAfter = after && `(moment, person_id) ${sign} (${instant(after.time)}, ${int(after.id)})`
  const rows = matches.rows([column, 'person_id'], texts)
  const found = `SELECT coalesce(${column}, ${NEVER_SEEN}) AS moment, person_id FROM (${rows})`
  const bounds = `${limit === Number.POSITIVE_INFINITY ? '' : `LIMIT ${int(limit)}`} OFFSET ${int(offset)}`
  const columns = 'person_id::DOUBLE AS person_id, moment'
  const page = `SELECT ${columns} FROM found ${isAfter ? `WHERE ${isAfter}` : ''} ${ordered} ${bounds}`
  const definitions = [...matches.definitions(texts), `found AS ${withCount ? 'MATERIALIZED' : ''} (${found})`]
  if (!withCount) return `WITH ${definitions.join(', ')} ${page}`
  // A row without a person when the page is empty.
  return `WITH ${definitions.join(', ')}
    SELECT page.*, (SELECT count(*) FROM found)::DOUBLE FROM (SELECT 1) LEFT JOIN (${page}) AS page ON true ${ordered}`
}

function joined(blocks: Float64Array[]): Float64Array {
  const all = new Float64Array(blocks.reduce((total, block) => total + block.length, 0))
  let place = 0
  for (const block of blocks) {
    all.set(block, place)
    place += block.length
  }
  return all
}

/** Read in blocks: as rows, a million ids would take ten times the memory. */
async function readIds(connection: DuckDBConnection, sql: string, texts: Texts) {
  const blocks: { ids: Float64Array[]; times: Float64Array[] } = { ids: [], times: [] }
  let count = 0
  for await (const [ids, times, counts] of texts.columns(connection, sql)) {
    count = (counts?.[0] as number | undefined) ?? 0
    // The one row of an empty page has no id.
    if (ids?.[0] === null || ids === undefined || times === undefined) continue
    blocks.ids.push(Float64Array.from(ids as number[]))
    blocks.times.push(Float64Array.from(times as number[]))
  }
  return { ids: joined(blocks.ids), times: joined(blocks.times), count }
}

export async function findPersons(
  parts: Parts,
  projectId: number,
  filter: PersonFilter,
  request: PersonIdsRequest,
): Promise<FoundPersons> {
  return readWithinMemory(parts, async (connection) => {
    // Before the snapshot, which would end with the error of a pattern, and which must have these columns.
    const known = { ...parts.personProperties }
    const { properties } = filter
    const sound = properties ? { ...filter, properties: await withoutBrokenPatterns(connection, properties) } : filter
    return inSnapshot(connection, async () => {
      if (filter.updatedAfter !== undefined) await checkComplete(connection, projectId)
      const matches = await PersonMatches.prepare(connection, projectId, sound, known)
      const texts = new Texts()
      const { count, ...found } = await readIds(connection, pageSql(matches, request, texts), texts)
      return { ...found, count: request.withCount ? count : null }
    })
  })
}
