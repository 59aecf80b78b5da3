/** Lists of people: the ids of a page and the number of all, found by one scan. */
import type { PersonCursor, PersonFilter } from '../../../model/persons/person.ts'
import {
  type FoundPersons,
  NEWEST_FIRST,
  NOBODY,
  type PersonIdsRequest,
  type PersonOrder,
} from '../../../model/persons/person-search.ts'
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
const isAfter = ({ time, id }: PersonCursor, { isAscending }: PersonOrder): string => {
  const sign = isAscending ? '>' : '<'
  const moment = instant(time)
  return `(moment ${sign} ${moment} OR (moment = ${moment} AND person_id ${sign} ${int(id)}))`
}

const directionOf = ({ isAscending }: PersonOrder): string => (isAscending ? 'ASC' : 'DESC')

const limitSql = (rows: number): string => (rows === Number.POSITIVE_INFINITY ? '' : `LIMIT ${int(rows)}`)

/** Each row: two integers, the id and the time that the list is ordered by. */
const ROW_BYTES = 16
const HALF = 8

function readPersons(bytes: Buffer): Omit<FoundPersons, 'count'> {
  const rows = bytes.length / ROW_BYTES
  const found = { ids: new Float64Array(rows), times: new Float64Array(rows) }
  for (let row = 0, at = 0; row < rows; row++, at += ROW_BYTES) {
    found.ids[row] = Number(bytes.readBigInt64LE(at))
    found.times[row] = instantOf(bytes.readBigInt64LE(at + HALF))
  }
  return found
}

async function findPage(
  { binary }: Reading,
  people: string,
  { limit, offset = 0, after, order = NEWEST_FIRST }: PersonIdsRequest,
): Promise<FoundPersons> {
  const direction = directionOf(order)
  const bytes =
    await binary(`SELECT person_id, moment FROM (${people}) AS people ${after ? `WHERE ${isAfter(after, order)}` : ''}
    ORDER BY moment ${direction}, person_id ${direction} ${limitSql(offset + limit)}`)
  return { ...readPersons(bytes.subarray(offset * ROW_BYTES)), count: null }
}

/** Every person is there twice, once as nobody: nobody's row comes first, and has the number of all. */
async function findPageAndCount(
  { binary }: Reading,
  people: string,
  { limit, offset = 0, after, order = NEWEST_FIRST }: PersonIdsRequest,
): Promise<FoundPersons> {
  const direction = directionOf(order)
  const nobody = `toInt64(${NOBODY})`
  const both = `[person_id, ${nobody}]`
  const places = after ? `if(${isAfter(after, order)}, ${both}, [${nobody}])` : both
  const bytes = await binary(`SELECT place, if(place = ${NOBODY}, toInt64(count()), max(moment)) AS value
    FROM (SELECT arrayJoin(${places}) AS place, moment FROM (${people}) AS people) AS places
    GROUP BY place ORDER BY place = ${NOBODY} DESC, value ${direction}, place ${direction} ${limitSql(1 + offset + limit)}`)
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
  const people = await matchingPeople(reading, projectId, filter, (request.order ?? NEWEST_FIRST).by)
  if (people === null) return { ...readPersons(Buffer.alloc(0)), count: request.withCount ? 0 : null }
  return request.withCount ? findPageAndCount(reading, people, request) : findPage(reading, people, request)
}
