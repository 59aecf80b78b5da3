/** The most frequent values of a person property among the latest persons that have one. */
import type { PersonValuesQuery } from '../../../model/persons/person-search.ts'
import { MAX_LISTED_TEXT } from '../../property-filter.ts'
import type { Reading } from '../parts.ts'
import { containsFolded, cutSql, listedText } from '../properties/property-sql.ts'
import { int } from '../values/literal.ts'
import { currentPeople, ofProject } from './current-people.ts'

const TOP_VALUES = 20
const VALUES_FROM_LATEST = 100_000
/** How many times as many ids are looked at when there are too few values among the latest. */
const WIDENING = 8n

/** SQL of whether a row has a value that is listed. */
function hasValue({ columns }: Reading, { key, search }: PersonValuesQuery): string {
  const value = listedText(key, columns.persons)
  return `${value} != '' ${search === null ? '' : `AND ${containsFolded(value, search)}`}`
}

/** The lowest id of the latest persons with a value; null when there are none. Texts of all people would not fit into memory. */
async function firstWithValue(reading: Reading, query: PersonValuesQuery): Promise<bigint | null> {
  const { rows } = reading
  const { projectId } = query
  const [ends] = await rows(`SELECT min(person_id), max(person_id) FROM persons WHERE ${ofProject(projectId)}`)
  const [lowest, highest] = (ends as string[]).map(BigInt) as [bigint, bigint]
  let first: bigint | null = null
  let missing = VALUES_FROM_LATEST
  let to = highest
  for (let span = BigInt(VALUES_FROM_LATEST); missing > 0 && to >= lowest; span *= WIDENING) {
    const where = `person_id > ${int(to - span)} AND person_id <= ${int(to)}`
    const valued = currentPeople(projectId, { where, fits: hasValue(reading, query) })
    const latest = `SELECT person_id FROM (${valued}) AS valued ORDER BY person_id DESC LIMIT ${int(missing)}`
    const [[count, lowestOf] = []] = await rows(`SELECT count(), min(person_id) FROM (${latest}) AS latest`)
    if (count !== '0') first = BigInt(lowestOf as string)
    missing -= Number(count)
    to -= span
  }
  return first
}

export async function personValues(
  reading: Reading,
  query: PersonValuesQuery,
): Promise<{ name: string; count: number }[]> {
  const first = await firstWithValue(reading, query)
  if (first === null) return []
  const listed = cutSql(listedText(query.key, reading.columns.persons), MAX_LISTED_TEXT)
  const values = `SELECT argMax(if(deleted = 0 AND ${hasValue(reading, query)}, ${listed}, ''), seq) AS name FROM persons
    WHERE ${ofProject(query.projectId)} AND person_id >= ${int(first)} GROUP BY person_id HAVING name != ''`
  const rows = await reading.rows(`SELECT name, count() AS persons FROM (${values}) AS named
    GROUP BY name ORDER BY persons DESC, name LIMIT ${TOP_VALUES}`)
  return (rows as [string, string][]).map(([name, count]) => ({ name, count: Number(count) }))
}
