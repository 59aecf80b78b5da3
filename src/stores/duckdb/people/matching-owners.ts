/** Whose distinct ids match: found first, because a condition on a few persons can be pushed down into a scan. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { foldCase } from '../../../lib/text/case-fold.ts'
import type { WriteSql } from '../listing/latest-properties.ts'
import { containsFolded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { distinctHash, int } from '../values/literal.ts'
import { current, OWNERS, presentPortions, type Side } from './current-people.ts'

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

/** SQL of whether an id contains the text. */
function containsSql(search: string): { known: WriteSql; unknown: WriteSql } {
  const id = `CASE WHEN row.folded = '' THEN row.distinct_id ELSE row.folded END`
  return {
    known: (texts) => `row.folded IS NOT NULL AND contains(${id}, ${texts.bind(foldCase(search))})`,
    // Of an earlier version: folded by the engine, row by row.
    unknown: (texts) => `row.folded IS NULL AND ${containsFolded('row.distinct_id', search, texts)}`,
  }
}

/** Where to look: of the fresh ids those that match are looked for at once, because they are few. */
async function findSides(
  connection: DuckDBConnection,
  projectId: number,
  { known, unknown }: ReturnType<typeof containsSql>,
): Promise<{ side: Side; where: WriteSql }[]> {
  const [main, fresh] = OWNERS
  const texts = new Texts()
  const present = await presentPortions(
    connection,
    projectId,
    [
      { where: 'row.folded IS NULL', sides: [main], contains: unknown },
      { where: known(texts), sides: [fresh], contains: known },
      { where: unknown(texts), sides: [fresh], contains: unknown },
    ],
    texts,
  )
  const others = present.flatMap(({ sides, contains }) => sides.map((side) => ({ side, where: contains })))
  return [{ side: main, where: known }, ...others]
}

export async function searchOwners(
  connection: DuckDBConnection,
  projectId: number,
  search: string,
): Promise<SearchedOwners> {
  const sides = await findSides(connection, projectId, containsSql(search))
  // Bound for each side: a statement must use all of its texts.
  const ownersSql: WriteSql = (texts) =>
    sides
      .map(({ side, where }) => side.rows({ projectId, columns: 'row.person_id', where: where(texts) }))
      .join(' UNION ALL ')
  const texts = new Texts()
  const some = `SELECT DISTINCT person_id FROM (${ownersSql(texts)}) LIMIT ${WRITTEN_IDS + 1}`
  const ids = (await texts.rows(connection, some)).map(([id]) => id as bigint)
  if (ids.length <= WRITTEN_IDS) return { condition: amongIds('row.person_id', ids), definition: null }
  return {
    condition: `row.person_id IN (SELECT person_id FROM ${OWNERS_FOUND})`,
    definition: (bound) => `${OWNERS_FOUND} AS MATERIALIZED (${ownersSql(bound)})`,
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
