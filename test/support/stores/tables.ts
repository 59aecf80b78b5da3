/** The tables of an app's SQL store, past its port: for what no port shows. Statements have `?` for their values. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { chunks } from '../../../src/lib/lists/lists.ts'
import { rowTypes } from '../../../src/stores/sql/postgres/connections/clients.ts'
import { onPostgres, sqlDatabase } from './stores.ts'

/** Statements have at most 65,535 values. */
const AT_ONCE = 1_000

type Row = Record<string, unknown>

export interface Column {
  name: string
  type: 'text' | 'bytes' | 'number'
  /** A row that does not name it is refused. */
  isNeeded: boolean
}

export interface Tables {
  all(sql: string, ...values: unknown[]): Promise<Row[]>
  /** The only value of the only row. */
  value(sql: string, ...values: unknown[]): Promise<unknown>
  /** An INSERT for each list of values, in one transaction that checks no reference to other tables. */
  each(sql: string, rows: unknown[][]): Promise<void>
  columns(): Promise<Map<string, Column[]>>
  /** The tables that a table refers to so that its rows go with theirs. */
  parentsOf(table: string): Promise<string[]>
  close(): Promise<void>
}

const typeOf = (declared: string): Column['type'] => {
  if (/^(?:bytea|blob)$/i.test(declared)) return 'bytes'
  return /^text$/i.test(declared) ? 'text' : 'number'
}

const onlyValue = (rows: Row[]): unknown => Object.values(rows[0] ?? {})[0]

/** By table, in the order of the rows. */
function byTable(rows: (Column & { table: string })[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>()
  for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  return tables
}

function openFile(dataDir: string): Tables {
  const database = new Database(join(dataDir, 'hedgerow.db'))
  database.pragma('foreign_keys = OFF')
  const all = async (sql: string, ...values: unknown[]) => {
    const statement = database.prepare(sql)
    if (statement.reader) return statement.all(...values) as Row[]
    statement.run(...values)
    return []
  }
  return {
    all,
    value: async (sql, ...values) => onlyValue(await all(sql, ...values)),
    async each(sql, rows) {
      const statement = database.prepare(sql)
      database.transaction(() => {
        for (const row of rows) statement.run(...row)
      })()
    },
    async columns() {
      const rows = await all(`select m.name as "table", c.name, c.type, c."notnull", c.pk
        from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`)
      return byTable(
        rows.map(({ table, name, type, notnull, pk }) => ({
          table: String(table),
          name: String(name),
          type: typeOf(String(type)),
          isNeeded: notnull === 1 || (Number(pk) > 0 && !/^integer$/i.test(String(type))),
        })),
      )
    },
    async parentsOf(table) {
      const rows = await all(`select "table" from pragma_foreign_key_list(?) where on_delete = 'CASCADE'`, table)
      return rows.map((row) => String(row.table))
    },
    async close() {
      database.close()
    },
  }
}

async function openDatabase(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url, types: rowTypes(pg.types) })
  await client.connect()
  const all = async (sql: string, ...values: unknown[]) => {
    let marks = 0
    const { rows } = await client.query<Row>(
      sql.replaceAll('?', () => `$${++marks}`),
      values,
    )
    return rows
  }
  return {
    all,
    value: async (sql, ...values) => onlyValue(await all(sql, ...values)),
    async each(sql, rows) {
      const [insert = '', tuple] = sql.split(/\svalues\s/)
      await all('begin')
      await all('set local session_replication_role = replica')
      for (const part of chunks(rows, AT_ONCE)) {
        await all(`${insert} values ${part.map(() => tuple).join(', ')}`, ...part.flat())
      }
      await all('commit')
    },
    async columns() {
      const rows = await all(`select table_name, column_name, data_type,
          is_nullable = 'NO' and is_identity = 'NO' as is_needed
        from information_schema.columns where table_schema = 'public'
          and not (select relispartition from pg_class where oid = table_name::text::regclass)
        order by table_name, ordinal_position`)
      return byTable(
        rows.map(({ table_name, column_name, data_type, is_needed }) => ({
          table: String(table_name),
          name: String(column_name),
          type: typeOf(String(data_type)),
          isNeeded: is_needed === 1,
        })),
      )
    },
    async parentsOf(table) {
      const rows = await all(
        `select confrelid::regclass::text as parent from pg_constraint
         where contype = 'f' and confdeltype = 'c' and conrelid = ?::regclass`,
        table,
      )
      return rows.map(({ parent }) => String(parent))
    },
    close: () => client.end(),
  }
}

/** All values of all tables. */
export async function bytesOfRows({ all, columns }: Tables): Promise<Buffer> {
  const values: unknown[] = []
  for (const table of (await columns()).keys())
    values.push(...(await all(`select * from ${table}`)).flatMap(Object.values))
  return Buffer.concat(values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`))))
}

export const openTables = async (dataDir: string): Promise<Tables> =>
  onPostgres ? openDatabase((await sqlDatabase(dataDir)).adminUrl) : openFile(dataDir)

/** Opens them for a moment. */
export async function withTables<T>(
  { dataDir }: { dataDir: string },
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  const tables = await openTables(dataDir)
  try {
    return await work(tables)
  } finally {
    await tables.close()
  }
}
