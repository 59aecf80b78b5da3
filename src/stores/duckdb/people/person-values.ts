/**
 * The most frequent values of a person property among the latest persons that have one. The latest persons are read
 * first, and further back only while too few of them have a value; what was read is kept in a temporary table, from
 * which the values are counted.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { PersonValuesQuery } from '../../../model/persons/person-search.ts'
import { readWithinMemory } from '../listing/memory-limited-read.ts'
import { containsFolded, listedSql, MAX_LISTED_TEXT, singleThreaded } from '../listing/property-sql.ts'
import { inBatches, rejoinTexts } from '../listing/rejoin-texts.ts'
import type { Parts } from '../progress.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'
import { current, firstOfLatestPeople, PEOPLE, sidesWith } from './current-people.ts'
import { LONG_ROWS, SHORT_ROWS } from './row-widths.ts'

const TOP_VALUES = 20
const VALUES_FROM_LATEST = 100_000

const inRange = ({ from, to }: Range): string => `row.person_id >= ${int(from)} AND row.person_id < ${int(to)}`

interface Range {
  from: bigint
  /** Excluded. */
  to: bigint
}

/** SQL that keeps the values in `source`, which has `person_id` and `value`. */
function keepSql(source: string, search: string | null, texts: Texts): string {
  const searched = search === null ? '' : `AND ${containsFolded('value', search, texts)}`
  return `INSERT INTO temp.valued SELECT person_id, left(value, ${MAX_LISTED_TEXT}) FROM ${source}
    WHERE value <> '' ${searched}`
}

async function keepValues(
  connection: DuckDBConnection,
  { projectId, key, search }: PersonValuesQuery,
  range: Range,
): Promise<void> {
  for (const { where, isWide } of SHORT_ROWS) {
    for (const side of await sidesWith(connection, PEOPLE, projectId, { where: `${inRange(range)} AND ${where}` })) {
      const texts = new Texts()
      const columns = `row.person_id, ${listedSql(key, 'row.properties', texts)} AS value`
      const rows = side.rows({ projectId, columns, where: `${inRange(range)} AND ${where}` })
      await texts.rows(connection, keepSql(isWide ? singleThreaded(rows) : `(${rows})`, search, texts))
    }
  }
  const where = `${inRange(range)} AND ${LONG_ROWS}`
  const long = await connection.runAndReadAll(
    current(PEOPLE, { projectId, columns: 'row.long_id, row.person_id', where }),
  )
  const ids = long.getRows().map(([id]) => id as bigint)
  for (const group of await inBatches(connection, ids)) {
    const texts = new Texts()
    const value = listedSql(key, 'properties', texts)
    const owners = current(PEOPLE, { projectId, columns: 'row.long_id AS id, row.person_id', where })
    const rows = `SELECT person_id, ${value} AS value FROM (${rejoinTexts(group)}) JOIN (${owners}) USING (id)`
    await texts.rows(connection, keepSql(singleThreaded(rows), search, texts))
  }
}

async function countOf(connection: DuckDBConnection): Promise<number> {
  return Number((await connection.runAndReadAll('SELECT count(*) FROM temp.valued')).getRows()[0]?.[0])
}

async function topValues(connection: DuckDBConnection): Promise<{ name: string; count: number }[]> {
  const isMore = (await countOf(connection)) > VALUES_FROM_LATEST
  const latest = isMore ? `(FROM temp.valued ORDER BY person_id DESC LIMIT ${VALUES_FROM_LATEST})` : 'temp.valued'
  const found = await connection.runAndReadAll(
    `SELECT name, count(*) FROM ${latest} GROUP BY name ORDER BY 2 DESC, name LIMIT ${TOP_VALUES}`,
  )
  return found.getRows().map(([name, count]) => ({ name: name as string, count: Number(count) }))
}

export async function personValues(parts: Parts, query: PersonValuesQuery): Promise<{ name: string; count: number }[]> {
  return readWithinMemory(parts, async (connection) => {
    await connection.run('CREATE TEMP TABLE valued (person_id BIGINT, name VARCHAR)')
    try {
      let [to, size] = [BigInt(Number.MAX_SAFE_INTEGER), VALUES_FROM_LATEST]
      while ((await countOf(connection)) < VALUES_FROM_LATEST) {
        const from = await firstOfLatestPeople(connection, { projectId: query.projectId, size, below: to })
        if (from === null) break
        await keepValues(connection, query, { from, to })
        to = from
        // The next ones are few enough when about half of them have a value.
        size *= 2
      }
      return await topValues(connection)
    } finally {
      await connection.run('DROP TABLE temp.valued')
    }
  })
}
