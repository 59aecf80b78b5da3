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

/**
 * Which of the sides have any row of the project under the condition, current or not. Most conditions are answered by
 * the statistics of row groups, while reading a side that has no row takes a join with all of the other.
 */
export async function sidesWith(
  connection: DuckDBConnection,
  sides: Side[],
  projectId: number,
  { where, texts = new Texts() }: { where: string; texts?: Texts },
): Promise<Side[]> {
  const found = (table: string) =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${table} AS row WHERE row.project_id = ${int(projectId)} AND ${where} LIMIT 1))`
  const [counts = []] = await texts.rows(connection, `SELECT ${sides.map(({ table }) => found(table)).join(', ')}`)
  return sides.filter((_, place) => Number(counts[place]) > 0)
}

/** The lowest id of the latest `size` persons with an id below `below`; null when there are none. */
export async function firstOfLatestPeople(
  connection: DuckDBConnection,
  { projectId, size, below }: { projectId: number; size: number; below?: bigint },
): Promise<bigint | null> {
  const where = below === undefined ? 'true' : `row.person_id < ${int(below)}`
  const rows = `FROM (${current(PEOPLE, { projectId, columns: 'row.person_id', where })})`
  const sql = `SELECT min(person_id) FROM (${rows} ORDER BY person_id DESC LIMIT ${int(size)})`
  return ((await connection.runAndReadAll(sql)).getRows()[0]?.[0] as bigint | null | undefined) ?? null
}
