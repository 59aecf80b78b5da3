/** Lists of people: the ids of a page and the number of all, found by one scan. */
import type { PersonCursor, PersonFilter } from '../../../model/persons/person.ts'
import { type FoundPersons, NOBODY, type PersonIdsRequest } from '../../../model/persons/person-search.ts'
import { changesUnknown } from '../../person-filter.ts'
import type { Reading } from '../parts.ts'
import { instant, instantOf, int } from '../values/literal.ts'
import { ofProject } from './current-people.ts'
import { peopleLacking } from './incomplete-people.ts'
import { matchingPeople } from './person-matches.ts'

async function checkComplete({ rows }: Reading, projectId: number): Promise<void> {
  const lacking = await rows(`SELECT person_id FROM (${peopleLacking(ofProject(projectId))}) AS lacking LIMIT 1`)
  if (lacking.length > 0) throw changesUnknown()
}

/** SQL of whether a person comes later in the list. */
const isAfter = ({ createdAt, id }: PersonCursor): string => {
  const made = instant(createdAt)
  return `(made < ${made} OR (made = ${made} AND person_id < ${int(id)}))`
}

const limitSql = (rows: number): string => (rows === Number.POSITIVE_INFINITY ? '' : `LIMIT ${int(rows)}`)

/** Each row: two integers, the id and when the person was created. */
const ROW_BYTES = 16
const HALF = 8

function readPersons(bytes: Buffer): Omit<FoundPersons, 'count'> {
  const rows = bytes.length / ROW_BYTES
  const found = { ids: new Float64Array(rows), createdAt: new Float64Array(rows) }
  for (let row = 0, at = 0; row < rows; row++, at += ROW_BYTES) {
    found.ids[row] = Number(bytes.readBigInt64LE(at))
    found.createdAt[row] = instantOf(bytes.readBigInt64LE(at + HALF))
  }
  return found
}

async function findPage(
  { binary }: Reading,
  people: string,
  { limit, offset = 0, after }: PersonIdsRequest,
): Promise<FoundPersons> {
  const bytes =
    await binary(`SELECT person_id, made FROM (${people}) AS people ${after ? `WHERE ${isAfter(after)}` : ''}
    ORDER BY made DESC, person_id DESC ${limitSql(offset + limit)}`)
  return { ...readPersons(bytes.subarray(offset * ROW_BYTES)), count: null }
}

/** Every person is there twice, once as nobody: nobody's row comes first, and has the number of all. */
async function findPageAndCount(
  { binary }: Reading,
  people: string,
  { limit, offset = 0, after }: PersonIdsRequest,
): Promise<FoundPersons> {
  const nobody = `toInt64(${NOBODY})`
  const both = `[person_id, ${nobody}]`
  const places = after ? `if(${isAfter(after)}, ${both}, [${nobody}])` : both
  const bytes = await binary(`SELECT place, if(place = ${NOBODY}, toInt64(count()), max(made)) AS value
    FROM (SELECT arrayJoin(${places}) AS place, made FROM (${people}) AS people) AS places
    GROUP BY place ORDER BY place = ${NOBODY} DESC, value DESC, place DESC ${limitSql(1 + offset + limit)}`)
  const count = bytes.length === 0 ? 0 : Number(bytes.readBigInt64LE(HALF))
  return { ...readPersons(bytes.subarray((1 + offset) * ROW_BYTES)), count }
}

export async function findPersons(
  reading: Reading,
  projectId: number,
  filter: PersonFilter,
  request: PersonIdsRequest,
): Promise<FoundPersons> {
  if (filter.updatedAfter !== undefined) await checkComplete(reading, projectId)
  const people = await matchingPeople(reading, projectId, filter)
  if (people === null) return { ...readPersons(Buffer.alloc(0)), count: request.withCount ? 0 : null }
  return request.withCount ? findPageAndCount(reading, people, request) : findPage(reading, people, request)
}
