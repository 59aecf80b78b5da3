/**
 * Scans an index in portions: what all its rows have in common, and the columns it is ordered by. Lists add their
 * conditions to each portion, so that no statement reads more rows than one portion.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Connection } from '../connection.ts'
import type { Tables } from '../tables.ts'
import { portions, type Range } from './keyset-ranges.ts'

type Value = number | string

/** The values of the columns of one row of the index. */
export type Place = Value[]

export interface Index {
  table: keyof Tables
  /** The condition on its first columns. */
  of: RawBuilder<SqlBool>
  /** The columns it is ordered by after these; unique per row. */
  by: RawBuilder<Value>[]
  /** Greater than any value of the last of them, which is a number unless this is given. */
  last?: Value
  descending: boolean
}

const tuple = (parts: readonly unknown[]): RawBuilder<unknown> => sql`(${sql.join(parts)})`

const compared = ({ by }: Index, sign: string, place: Place): RawBuilder<SqlBool> =>
  sql`${tuple(by)} ${sql.raw(sign)} ${tuple(place)}`

/** The condition under which rows lie in a portion. */
export function within(index: Index, { after, upTo }: Range<Place>): RawBuilder<SqlBool> {
  const [onwards, upToSign] = index.descending ? ['<', '>='] : ['>', '<=']
  const bounds = [
    ...(after ? [compared(index, onwards, after)] : []),
    ...(upTo ? [compared(index, upToSign, upTo)] : []),
  ]
  return sql`${sql.join([index.of, ...bounds], sql` and `)}`
}

/** Read from the index only. */
async function placeAfter({ db }: Connection, index: Index, after: Place | null, count: number): Promise<Place | null> {
  const columns = index.by.map((column, n) => sql`${column} as ${sql.ref(`c${n}`)}`)
  const order = index.by.map((column) => (index.descending ? sql`${column} desc` : column))
  const { rows } = await sql<Record<string, Value>>`
    select ${sql.join(columns)} from ${sql.table(index.table)} where ${within(index, { after, upTo: null })}
    order by ${sql.join(order)} limit 1 offset ${count - 1}`.execute(db)
  const [row] = rows
  return row ? index.by.map((_, n) => row[`c${n}`] as Value) : null
}

export const portionsOf = (connection: Connection, index: Index, from: Place | null = null) =>
  portions<Place>(connection, from, (after, count) => placeAfter(connection, index, after, count))

/** The number of rows; `countIn` counts those of one portion. */
export async function countAlong(
  connection: Connection,
  index: Index,
  countIn: (range: Range<Place>) => Promise<number>,
): Promise<number> {
  let total = 0
  for await (const range of portionsOf(connection, index)) total += await countIn(range)
  return total
}
