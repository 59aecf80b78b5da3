/**
 * The newest state of people as SQL, for everything that lists them: of several rows for one key the highest `seq`
 * counts, in whichever table it is. Rows are compared by anti-joins on their keys: main rows that no fresh row
 * supersedes, and fresh rows that no other row does. Merging them by arg_max took a copy of every text, and did not fit
 * into memory with 500,000 people.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'

interface Rows {
  /** Null: all projects. */
  projectId: number | null
  /** SQL of columns, with their names. The table is `row`. */
  columns: string
  /** SQL of a condition on a row. */
  where?: string
}

/** One of the two tables. */
export interface Side {
  table: string
  /** SQL of its current rows. */
  rows(asked: Rows): string
}

function sidesOf(table: string, key: string[], living: string): [main: Side, fresh: Side] {
  const fresh = `fresh_${table}`
  const side = (from: string, superseding: { by: string; seq: string }[]): Side => ({
    table: from,
    rows({ projectId, columns, where = 'true' }) {
      const project = projectId === null ? 'row.project_id' : int(projectId)
      const joins = superseding.map(({ by, seq }) => {
        const isSame = key.map((column) => `${by}.${column} = row.${column}`).join(' AND ')
        return `ANTI JOIN ${by} ON ${by}.project_id = ${project} AND ${isSame} AND ${by}.seq ${seq} row.seq`
      })
      return `SELECT ${columns} FROM ${from} AS row ${joins.join(' ')}
        WHERE row.project_id = ${project} AND ${living} AND (${where})`
    },
  })
  const newer = { by: fresh, seq: '>' }
  return [side(table, [newer]), side(fresh, [newer, { by: table, seq: '>=' }])]
}

/** Persons that are not deleted. */
export const PEOPLE = sidesOf('persons', ['person_id'], 'NOT row.deleted')

/** Distinct ids that belong to somebody; the person may be deleted. */
export const OWNERS = sidesOf('distinct_ids', ['distinct_hash', 'distinct_id'], 'row.person_id IS NOT NULL')

/** SQL of the rows of both sides. */
export const current = (sides: Side[], rows: Rows): string => sides.map((side) => side.rows(rows)).join(' UNION ALL ')

/** Rows of some sides under a condition. */
export interface Portion {
  /** SQL of a condition on a row. */
  where: string
  sides: Side[]
}

/**
 * The same portions, each with those of its sides that have any such row of the project, current or not; without those
 * that have none. Most conditions are answered by the statistics of row groups, while reading a side that has no row
 * takes a join with all of the other.
 */
export async function presentPortions<P extends Portion>(
  connection: DuckDBConnection,
  projectId: number,
  portions: P[],
  texts = new Texts(),
): Promise<P[]> {
  const checks = portions.flatMap(({ where, sides }) =>
    sides.map(
      ({ table }) => `EXISTS (SELECT 1 FROM ${table} AS row WHERE row.project_id = ${int(projectId)} AND ${where})`,
    ),
  )
  if (checks.length === 0) return []
  const [found = []] = await texts.rows(connection, `SELECT ${checks.join(', ')}`)
  const isFound = found[Symbol.iterator]()
  return portions
    .map((portion) => ({ ...portion, sides: portion.sides.filter(() => isFound.next().value === true) }))
    .filter(({ sides }) => sides.length > 0)
}

/** How many times as many ids are looked at when there are too few persons among the latest. */
const WIDENING = 8

/**
 * The lowest id of the latest `size` persons; null when there are none. Looked for among the highest ids first: sorting
 * those of a million persons takes longer than all that is asked of the latest.
 */
export async function firstOfLatestPeople(
  connection: DuckDBConnection,
  projectId: number,
  size: number,
): Promise<bigint | null> {
  const highest = 'SELECT greatest((SELECT max(person_id) FROM persons), (SELECT max(person_id) FROM fresh_persons))'
  const [[last] = []] = (await connection.runAndReadAll(highest)).getRows() as [bigint | null][]
  for (let span = BigInt(size); ; span *= BigInt(WIDENING)) {
    const from = (last ?? 0n) - span + 1n
    const rows = current(PEOPLE, { projectId, columns: 'row.person_id', where: `row.person_id >= ${int(from)}` })
    // Among as many ids there are no more persons, and nothing to sort.
    const latest = span > size ? `ORDER BY person_id DESC LIMIT ${int(size)}` : ''
    const sql = `SELECT count(*), min(person_id) FROM (FROM (${rows}) ${latest})`
    const [[count, first] = []] = (await connection.runAndReadAll(sql)).getRows() as [bigint, bigint | null][]
    if (Number(count) >= size || from <= 1n) return first ?? null
  }
}
