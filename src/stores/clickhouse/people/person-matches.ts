/**
 * Which people match a filter, as SQL over their newest rows. A search looks at the folded texts; only rows without one are
 * searched in their properties, and where there are none, nothing of them is read.
 */
import { foldCase } from '../../../lib/text/case-fold.ts'
import type { PersonFilter } from '../../../model/persons/person.ts'
import { NEVER_SEEN, type PersonOrder } from '../../../model/persons/person-search.ts'
import { mayBeInUuid, propertiesContain } from '../../person-filter.ts'
import { SEPARATOR } from '../../search-text.ts'
import type { Reading } from '../parts.ts'
import { satisfiesSql, valueUnder, withoutBrokenPatterns } from '../properties/property-sql.ts'
import { NO_INSTANT } from '../rows/people-rows.ts'
import { instant, int, text } from '../values/literal.ts'
import { currentPeople, ofProject, ownerOf } from './current-people.ts'

/** SQL of the time that each order is by. */
const MOMENTS: Record<PersonOrder['by'], string> = {
  createdAt: 'created_at',
  lastSeenAt: `if(last_seen_at = ${int(NO_INSTANT)}, ${instant(NEVER_SEEN)}, last_seen_at)`,
}

/** SQL of whether a column has the part, which is not empty. */
const contains = (column: string, part: string): string => `position(${column}, ${text(part)}) > 0`

/** SQL of who owns an id that contains the text. */
function searchedOwners(projectId: number, folded: string): string {
  // Most ids are folded as they are, and have no other text.
  const isFound = `(${contains('folded', folded)} OR (folded = '' AND ${contains('distinct_id', folded)}))`
  const owners = `SELECT argMax(person_id, seq) AS owner FROM distinct_ids
    WHERE ${ofProject(projectId)} AND ${isFound} GROUP BY id_hash, distinct_id`
  return `SELECT owner FROM (${owners}) AS found_owners WHERE owner != 0`
}

/** SQL of the rows without a search text whose properties contain the text; PREWHERE reads them of no others. */
const searchedProperties = ({ columns }: Reading, projectId: number, search: string): string =>
  `SELECT person_id, seq FROM persons PREWHERE has_search = 0
    WHERE ${ofProject(projectId)} AND ${satisfiesSql(propertiesContain(search), columns.persons)}`

function searchSql(reading: Reading, projectId: number, search: string): string {
  const folded = foldCase(search)
  return [
    ...(folded.includes(SEPARATOR) ? [] : [contains('search', folded)]),
    ...(mayBeInUuid(folded) ? [contains('UUIDNumToString(uuid)', folded)] : []),
    `(person_id, seq) GLOBAL IN (${searchedProperties(reading, projectId, search)})`,
    `person_id GLOBAL IN (${searchedOwners(projectId, folded)})`,
  ].join(' OR ')
}

/** SQL of whether a row has exactly this text as e-mail. */
function emailSql({ columns }: Reading, email: string): string {
  const { hasText, text: value } = valueUnder('email', columns.persons)
  return `${hasText} AND ${value} = ${text(email)}`
}

/** SQL of `person_id` and `moment` of the matching people; null: there can be none. */
export async function matchingPeople(
  reading: Reading,
  projectId: number,
  { search, email, distinctId, updatedAfter, properties }: PersonFilter,
  by: PersonOrder['by'],
): Promise<string | null> {
  const owner = distinctId === undefined ? undefined : await ownerOf(reading, projectId, distinctId)
  if (owner === null) return null
  const asked: string[] = []
  if (updatedAfter !== undefined) asked.push(`updated_at > ${instant(updatedAfter)}`)
  if (search) asked.push(searchSql(reading, projectId, search))
  if (email !== undefined) asked.push(emailSql(reading, email))
  if (properties) asked.push(satisfiesSql(await withoutBrokenPatterns(reading, properties), reading.columns.persons))
  return currentPeople(projectId, {
    moment: MOMENTS[by],
    ...(owner === undefined ? {} : { where: `person_id = ${int(BigInt(owner))}` }),
    ...(asked.length === 0 ? {} : { fits: asked.map((condition) => `(${condition})`).join(' AND ') }),
  })
}
