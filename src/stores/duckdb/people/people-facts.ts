/** What a question wants of the properties of people, as SQL with `person_id` and `owner_facts`. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { WriteSql } from '../listing/latest-properties.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import { factsStruct, keysOf, propertyValuesSql, type Wanted } from '../properties/property-sql.ts'
import { columnValues } from '../properties/property-value.ts'
import { current, presentPortions } from './current-people.ts'
import { type PeoplePortion, portionSql, portionsFor } from './people-portions.ts'

/** SQL of no person at all. */
const NO_PEOPLE = `SELECT 0::BIGINT AS person_id,
  {'fits': []::BOOLEAN[], 'number': NULL::DOUBLE, 'text': NULL::VARCHAR} AS owner_facts WHERE false`

/** SQL of a table with `id` and `facts` of these long texts; null when there are none. */
export type ReadLong = (ids: bigint[], wanted: Wanted) => Promise<string | null>

interface Asked {
  connection: DuckDBConnection
  projectId: number
  known: KnownPersonProperties
  wanted: Wanted
  readLong: ReadLong
}

/** SQL of persons whose properties are read in the same way. */
async function portionRows(
  { connection, projectId, wanted, readLong }: Asked,
  portion: PeoplePortion,
): Promise<WriteSql | null> {
  const { sides, where, columns } = portion
  if (!portion.isLong) {
    return (texts) => {
      const facts = columns
        ? factsStruct(wanted, columnValues(columns), texts)
        : propertyValuesSql(wanted, 'row.properties', texts)
      return portionSql(portion, projectId, `row.person_id, ${facts} AS owner_facts`)
    }
  }
  const found = await connection.runAndReadAll(current(sides, { projectId, columns: 'row.long_id', where }))
  const long = await readLong(
    found.getRows().map(([id]) => id as bigint),
    wanted,
  )
  if (long === null) return null
  const ids = current(sides, { projectId, columns: 'row.person_id, row.long_id', where })
  return () => `SELECT person_id, facts AS owner_facts FROM (${ids}) JOIN ${long} ON id = long_id`
}

/** In a snapshot that lasts until the SQL has run: rows move from portion to portion. */
export async function peopleFacts(asked: Asked): Promise<WriteSql> {
  const { connection, projectId, known, wanted } = asked
  const rows: WriteSql[] = []
  for (const portion of await presentPortions(connection, projectId, portionsFor('true', keysOf(wanted), known))) {
    const write = await portionRows(asked, portion)
    if (write) rows.push(write)
  }
  return (texts) => (rows.length === 0 ? NO_PEOPLE : rows.map((write) => write(texts)).join(' UNION ALL '))
}
