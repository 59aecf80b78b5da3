/** What SQLite says of its tables. */
import { sql } from 'kysely'
import { type FoundColumn, type FoundReference, type SqlCatalog, shapesOf } from './catalog.ts'

const TABLES = sql`(select name from sqlite_master where type = 'table' and name not like 'sqlite%') as tables`

export const sqliteCatalog: SqlCatalog = {
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
  async tables(db) {
    const columns = await sql<FoundColumn>`
      select tables.name as "table", info.name as "column", info.type as type, info.pk as place
      from ${TABLES}, pragma_table_info(tables.name) as info`.execute(db)
    const references = await sql<FoundReference>`select tables.name as child, info."table" as parent
      from ${TABLES}, pragma_foreign_key_list(tables.name) as info`.execute(db)
    return shapesOf(columns.rows, references.rows)
  },
  async insert(connection, { name, columns }, rows) {
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const text = `insert into "${name}" (${names}) values (${columns.map(() => '?').join(', ')})`
    for (const row of rows) await connection.runPrepared(text, row)
  },
  async handedOut(db) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  },
  async raiseHandedOut(db, table, to) {
    const { rows } = await sql`
      update sqlite_sequence set seq = max(seq, ${to}) where name = ${table} returning name`.execute(db)
    if (rows.length === 0) await sql`insert into sqlite_sequence (name, seq) values (${table}, ${to})`.execute(db)
  },
}
