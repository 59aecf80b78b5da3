/** What PostgreSQL says of its tables. The parts of a table that is split are not tables of their own here. */
import { sql } from 'kysely'
import { type AnyDatabase, type FoundColumn, type FoundReference, type SqlCatalog, shapesOf } from './catalog.ts'

const OURS = sql`relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`

/** The sequence that hands out the ids of a table. */
const SEQUENCES = sql`
  select class.relname::text as name, pg_get_serial_sequence(quote_ident(class.relname), 'id') as sequence
  from pg_class as class join pg_attribute as attribute on attribute.attrelid = class.oid
  where ${OURS} and attribute.attname = 'id' and attribute.attidentity <> ''`

async function lastValue(db: AnyDatabase, sequence: string): Promise<number | null> {
  const { rows } = await sql<{ value: number | null }>`
    select case when is_called then last_value end as value from ${sql.raw(sequence)}`.execute(db)
  return rows[0]?.value ?? null
}

export const postgresCatalog: SqlCatalog = {
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from pg_class where ${OURS} and relname = ${name}`.execute(db)
    return rows.length > 0
  },
  async tables(db) {
    const columns = await sql<FoundColumn>`
      select relname::text as "table", attname::text as "column", format_type(atttypid, atttypmod) as type,
        coalesce(array_position(indkey::int2[], attnum), -1) + 1 as place
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      left join pg_index on indrelid = pg_class.oid and indisprimary
      where ${OURS} order by relname, attnum`.execute(db)
    const references = await sql<FoundReference>`
      select child.relname::text as child, parent.relname::text as parent from pg_constraint
      join pg_class as child on child.oid = conrelid join pg_class as parent on parent.oid = confrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
    return shapesOf(columns.rows, references.rows)
  },
  async insert(connection, { name, columns }, rows) {
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const lists = columns.map(({ type }, place) => `$${place + 1}::${type}[]`).join(', ')
    const values = columns.map((_, place) => rows.map((row) => row[place]))
    await connection.runPrepared(`insert into "${name}" (${names}) select * from unnest(${lists})`, values)
  },
  async handedOut(db) {
    const { rows } = await sql<{ name: string; sequence: string }>`${SEQUENCES}`.execute(db)
    const handedOut: Record<string, number> = {}
    for (const { name, sequence } of rows) {
      const value = await lastValue(db, sequence)
      if (value !== null) handedOut[name] = value
    }
    return handedOut
  },
  async raiseHandedOut(db, table, to) {
    await sql`select setval(sequence::regclass, greatest(${to}::bigint, (select coalesce(max(id), 1) from ${sql.table(table)})))
      from (${SEQUENCES}) as sequences where name = ${table}`.execute(db)
  },
}
