/**
 * The most frequent values of a person property among the latest persons that have one: first those of the latest
 * persons, by one statement; when too few of them have a value, those of all persons. Values in long texts are read
 * before, into a temporary table.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { PersonValuesQuery } from '../../../model/persons/person-search.ts'
import { MAX_LISTED_TEXT } from '../../property-filter.ts'
import { inSnapshot, readWithinMemory } from '../listing/memory-limited-read.ts'
import { inBatches, rejoinTexts } from '../listing/rejoin-texts.ts'
import type { Parts } from '../progress.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import { containsFolded, listedSql, singleThreaded } from '../properties/property-sql.ts'
import { listedInColumn } from '../properties/property-value.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'
import { current, firstOfLatestPeople, PEOPLE, type Portion, presentPortions } from './current-people.ts'
import { type PeoplePortion, portionSql, portionsFor } from './people-portions.ts'

const TOP_VALUES = 20
const VALUES_FROM_LATEST = 100_000

/** Values of long texts, with `person_id` and `value`. */
const LONG_VALUES = 'temp.long_values'

/** Keeps the values that long texts have under the key. */
async function keepLongValues(
  connection: DuckDBConnection,
  { projectId, key }: PersonValuesQuery,
  { where, sides }: Portion,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE long_values (person_id BIGINT, value VARCHAR)`)
  const owners = current(sides, { projectId, columns: 'row.long_id AS id, row.person_id', where })
  const found = await connection.runAndReadAll(`SELECT id FROM (${owners})`)
  for (const group of await inBatches(
    connection,
    found.getRows().map(([id]) => id as bigint),
  )) {
    const texts = new Texts()
    const value = `left(${listedSql(key, 'properties', texts)}, ${MAX_LISTED_TEXT})`
    const rows = `SELECT person_id, ${value} AS value FROM (${rejoinTexts(group)}) JOIN (${owners}) USING (id)`
    await texts.rows(connection, `INSERT INTO ${LONG_VALUES} FROM ${singleThreaded(rows)}`)
  }
}

/** SQL of `person_id` and `value` of the rows that a source has. */
function valuesSql({ projectId, key }: PersonValuesQuery, portion: PeoplePortion, texts: Texts): string {
  if (portion.isLong) return `FROM ${LONG_VALUES}`
  const [column] = portion.columns ?? []
  const value = column ? listedInColumn(column) : listedSql(key, 'row.properties', texts)
  return portionSql(portion, projectId, `row.person_id, ${value} AS value`)
}

interface Counted {
  /** How many persons have a value. */
  persons: number
  top: { name: string; count: number }[]
}

async function countValues(
  connection: DuckDBConnection,
  query: PersonValuesQuery,
  known: KnownPersonProperties,
  from: bigint,
): Promise<Counted> {
  const portions = portionsFor(`row.person_id >= ${int(from)}`, [query.key], known)
  const present = await presentPortions(connection, query.projectId, portions)
  if (present.length === 0) return { persons: 0, top: [] }
  const long = present.find(({ isLong }) => isLong)
  if (long) await keepLongValues(connection, query, long)
  const texts = new Texts()
  const all = present.map((source) => valuesSql(query, source, texts)).join(' UNION ALL ')
  const searched = query.search === null ? '' : `AND ${containsFolded('value', query.search, texts)}`
  const rows = await texts.rows(
    connection,
    `WITH valued AS MATERIALIZED (
      SELECT person_id, left(value, ${MAX_LISTED_TEXT}) AS name FROM (${all}) WHERE value <> '' ${searched}),
    latest AS (FROM valued ${from === 0n ? `ORDER BY person_id DESC LIMIT ${VALUES_FROM_LATEST}` : ''})
    SELECT name, count(*), (SELECT count(*) FROM valued) FROM latest GROUP BY name
    ORDER BY 2 DESC, name LIMIT ${TOP_VALUES}`,
  )
  // After an error it goes with the snapshot.
  if (long) await connection.run(`DROP TABLE ${LONG_VALUES}`)
  const top = rows.map(([name, count]) => ({ name: name as string, count: Number(count) }))
  return { persons: Number(rows[0]?.[2] ?? 0), top }
}

export async function personValues(parts: Parts, query: PersonValuesQuery): Promise<{ name: string; count: number }[]> {
  const { projectId } = query
  return readWithinMemory(parts, (connection) => {
    const known = { ...parts.personProperties }
    return inSnapshot(connection, async () => {
      const first = await firstOfLatestPeople(connection, projectId, VALUES_FROM_LATEST)
      if (first === null) return []
      const ofLatest = await countValues(connection, query, known, first)
      if (ofLatest.persons >= VALUES_FROM_LATEST) return ofLatest.top
      const earlier = { where: `row.person_id < ${int(first)}`, sides: PEOPLE }
      const hasEarlier = (await presentPortions(connection, projectId, [earlier])).length > 0
      return hasEarlier ? (await countValues(connection, query, known, 0n)).top : ofLatest.top
    })
  })
}
