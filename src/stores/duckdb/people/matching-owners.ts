/** Whose distinct ids match: found first, because a condition on a few persons can be pushed down into a scan. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { foldCase } from '../../../lib/text/case-fold.ts'
import type { WriteSql } from '../listing/latest-properties.ts'
import { containsFolded } from '../listing/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { distinctHash, int } from '../values/literal.ts'
import { current, OWNERS, type Side, sidesWith } from './current-people.ts'

/** More are joined. */
const WRITTEN_IDS = 1_000

/** The table that the condition reads when there are many owners. */
const OWNERS_FOUND = 'owner_found'

/** Who owns an id that contains a text. */
export interface SearchedOwners {
  /** SQL of a condition on `row.person_id`. */
  condition: string
  /** SQL of the table that the condition reads; null: none. */
  definition: ((texts: Texts) => string) | null
}

export const amongIds = (column: string, ids: (bigint | number)[]): string =>
  ids.length === 0 ? 'false' : `${column} IN (${ids.map(int).join(', ')})`

/** Distinct ids that are searched in the same way. */
interface Portion {
  where: WriteSql
  sides: Side[]
}

/** The portions that exist; of the fresh ids those that match are looked for, because they are few. */
async function portionsOf(connection: DuckDBConnection, projectId: number, search: string): Promise<Portion[]> {
  const id = `CASE WHEN row.folded = '' THEN row.distinct_id ELSE row.folded END`
  const known: WriteSql = (texts) => `row.folded IS NOT NULL AND contains(${id}, ${texts.bind(foldCase(search))})`
  // Of an earlier version: folded by the engine, row by row.
  const unknown: WriteSql = (texts) => `row.folded IS NULL AND ${containsFolded('row.distinct_id', search, texts)}`
  const [main, fresh] = OWNERS
  const matching = async (where: WriteSql) => {
    const texts = new Texts()
    return sidesWith(connection, [fresh], projectId, { where: where(texts), texts })
  }
  const earlier = await sidesWith(connection, [main], projectId, { where: 'row.folded IS NULL' })
  const portions = [
    { where: known, sides: [main, ...(await matching(known))] },
    { where: unknown, sides: [...earlier, ...(await matching(unknown))] },
  ]
  return portions.filter(({ sides }) => sides.length > 0)
}

const ownersSql = (projectId: number, portions: Portion[], texts: Texts): string =>
  portions
    .map(({ where, sides }) => {
      // Bound for each side: a statement must use all of its texts.
      return sides
        .map((side) => side.rows({ projectId, columns: 'row.person_id', where: where(texts) }))
        .join(' UNION ALL ')
    })
    .join(' UNION ALL ')

export async function searchOwners(
  connection: DuckDBConnection,
  projectId: number,
  search: string,
): Promise<SearchedOwners> {
  const portions = await portionsOf(connection, projectId, search)
  const texts = new Texts()
  const some = `SELECT DISTINCT person_id FROM (${ownersSql(projectId, portions, texts)}) LIMIT ${WRITTEN_IDS + 1}`
  const ids = (await texts.rows(connection, some)).map(([id]) => id as bigint)
  if (ids.length <= WRITTEN_IDS) return { condition: amongIds('row.person_id', ids), definition: null }
  return {
    condition: `row.person_id IN (SELECT person_id FROM ${OWNERS_FOUND})`,
    definition: (bound) => `${OWNERS_FOUND} AS MATERIALIZED (${ownersSql(projectId, portions, bound)})`,
  }
}

/** The owner of exactly this id; null when it has none. */
export async function ownerOf(
  connection: DuckDBConnection,
  projectId: number,
  distinctId: string,
): Promise<bigint | null> {
  const texts = new Texts()
  const where = `row.distinct_hash = ${int(distinctHash(distinctId))} AND row.distinct_id = ${texts.bind(distinctId)}`
  const [row] = await texts.rows(connection, current(OWNERS, { projectId, columns: 'row.person_id', where }))
  return (row?.[0] as bigint | undefined) ?? null
}
