/** What a question wants of properties that are too long for a row, in a temporary table. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { propertyValuesSql, singleThreaded, type Wanted } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { inBatches, rejoinTexts } from './rejoin-texts.ts'

/** With `id` and `facts`, a few texts at a time. False: there are no such texts, and no table. */
export async function createLongFacts(
  connection: DuckDBConnection,
  table: string,
  ids: bigint[],
  wanted: Wanted,
): Promise<boolean> {
  const groups = ids.length === 0 ? [] : await inBatches(connection, ids)
  for (const [place, group] of groups.entries()) {
    const texts = new Texts()
    const select = `SELECT id, ${propertyValuesSql(wanted, 'properties', texts)} AS facts FROM ${singleThreaded(rejoinTexts(group))}`
    const create = place === 0 ? `CREATE TEMP TABLE ${table} AS ${select}` : `INSERT INTO ${table} ${select}`
    await texts.rows(connection, create)
  }
  return groups.length > 0
}
