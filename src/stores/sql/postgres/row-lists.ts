/** Rows are written by one statement, which has a list of values for each column: one round trip, however many they are. */
import { type RawBuilder, sql } from 'kysely'
import { arg, type Compiled, type NewIds } from '../connection.ts'
import type { CellTypes, GivenRows, InsertedRows, SqlDialect } from '../dialect.ts'

/** What the cells of a list are here. */
export const CELL_TYPES: Record<keyof CellTypes, RawBuilder<unknown>> = {
  text: sql`text`,
  integer: sql`bigint`,
  bigint: sql`bigint`,
  instant: sql`double precision`,
}

/** Characters of the rows that one statement gets: each is held several times while it runs. */
const LONGEST = 1_000_000
/** Rows that one statement gets. */
const MOST_ROWS = 5_000

const namesIn = (columns: object): RawBuilder<unknown> => sql.join(Object.keys(columns).map((name) => sql.ref(name)))

/** The rows, with their `place` in the list. */
function given(columns: GivenRows['columns']): RawBuilder<unknown> {
  const lists = Object.values(columns as Record<string, keyof CellTypes>).map(
    (type, place) => sql`${arg<unknown[]>(place)}::${CELL_TYPES[type]}[]`,
  )
  return sql`unnest(${sql.join(lists)}) with ordinality as given (${namesIn({ ...columns, place: null })})`
}

const storing = ({ table, columns, always = {}, unlessTaken }: InsertedRows, from: RawBuilder<unknown>) => {
  const values = [namesIn(columns), ...Object.values(always).map((value) => sql.lit(value))]
  const taken = unlessTaken?.map((name) => sql.ref(name))
  return sql`insert into ${sql.table(table)} (${namesIn({ ...columns, ...always })})
    select ${sql.join(values)} from ${from} order by place
    ${taken ? sql`on conflict (${sql.join(taken)}) do nothing` : sql``}`
}

/** The ids are taken first, so that those of rows which were left alone can be told. */
function storingNamed(rows: InsertedRows): RawBuilder<unknown> {
  const { table, columns } = rows
  const ids = sql`(select pg_get_serial_sequence(${sql.lit(table)}, 'id')::regclass)`
  const all = { ...rows, columns: { ...columns, id: 'integer' } as InsertedRows['columns'] }
  return sql`with numbered as (select *, nextval(${ids}) as id from ${given(columns)}),
    stored as (${storing(all, sql`numbered`)} returning id)
    select stored.id from numbered left join stored on stored.id = numbered.id order by place`
}

export const rowLists: SqlDialect['rows'] = {
  insert(db, rows) {
    const statement = 'id' in rows.columns ? storing(rows, given(rows.columns)) : storingNamed(rows)
    return { compile: () => statement.compile(db) }
  },
  update(db, { table, columns }) {
    const [key, ...names] = Object.keys(columns) as [string]
    const values = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`)
    const statement = sql`update ${sql.table(table)} set ${sql.join(values)} from ${given(columns)}
      where ${sql.ref(`${table}.${key}`)} = ${sql.ref(`given.${key}`)}`
    return { compile: () => statement.compile(db) }
  },
}

const lengthOf = (row: unknown[]): number => {
  let length = 0
  for (const value of row) length += typeof value === 'string' ? value.length : 0
  return length
}

/** In order; one row is never divided. */
function* portions(rows: unknown[][]): Generator<unknown[][]> {
  let start = 0
  let length = 0
  for (const [place, row] of rows.entries()) {
    length += lengthOf(row)
    if (place > start && (length > LONGEST || place - start >= MOST_ROWS)) {
      yield rows.slice(start, place)
      start = place
      length = lengthOf(row)
    }
  }
  if (rows.length > 0) yield rows.slice(start)
}

type RunNamed = (text: string, values: unknown[]) => Promise<{ id: number | null }[]>

export async function writeRows(run: RunNamed, { text, bind }: Compiled, rows: unknown[][]): Promise<NewIds> {
  const ids: NewIds = []
  for (const some of portions(rows)) {
    const lists = (some[0] as unknown[]).map((_, column) => some.map((row) => row[column]))
    for (const { id } of await run(text, bind(lists))) ids.push(id)
  }
  return ids
}
