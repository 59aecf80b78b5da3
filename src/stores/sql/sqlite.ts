/**
 * Opens SQLite: one connection for all transactions (BEGIN IMMEDIATE, synchronous=FULL, so that a commit
 * is on the disk itself), one read-only for everything else. Both keep their prepared statements.
 */
import Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { OperatorError } from '../../lib/errors.ts'
import type { Connection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Lists with many shapes (filters) must not pile up statements without bound. */
const MAX_KEPT_STATEMENTS = 500

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

function keepStatements(database: Database.Database): (text: string) => Database.Statement {
  const kept = new Map<string, Database.Statement>()
  return (text) => {
    let statement = kept.get(text)
    if (!statement) {
      if (kept.size >= MAX_KEPT_STATEMENTS) kept.delete(kept.keys().next().value as string)
      statement = database.prepare(text)
      kept.set(text, statement)
    }
    return statement
  }
}

interface RawStatement {
  statement: Database.Statement
  names: string[]
}

/** Rows of a raw statement as objects. Made here, they cost a third of those that the driver makes cell by cell. */
function readRows({ statement, names }: RawStatement, values: unknown[]): Record<string, unknown>[] {
  const rows = statement.all(values) as unknown[][]
  return rows.map((cells) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) row[names[i] as string] = cells[i]
    return row
  })
}

function keepRaw(database: Database.Database): (text: string) => RawStatement {
  const kept = new Map<string, RawStatement>()
  return (text) => {
    let raw = kept.get(text)
    if (!raw) {
      const statement = database.prepare(text).raw()
      raw = { statement, names: statement.columns().map(({ name }) => name) }
      kept.set(text, raw)
    }
    return raw
  }
}

function connect(database: Database.Database): Connection {
  const prepare = keepStatements(database)
  const prepareRaw = keepRaw(database)
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateDriver({ database: { prepare, close: () => database.close() } as never }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return {
    db: new Kysely<Tables>({ dialect }),
    dialect: sqliteDialect,
    runPrepared: <Row>(text: string, values: unknown[]) => readRows(prepareRaw(text), values) as Row[],
    async unsynced(work) {
      // Never as a kept statement: this one does its work while it is being prepared.
      database.pragma('synchronous = NORMAL')
      try {
        return await work()
      } finally {
        database.pragma('synchronous = FULL')
      }
    },
  }
}

/** What `prepare` does is part of opening: a file that is no database shows only at the first statement. */
function openFile(
  path: string,
  options: Database.Options,
  prepare: (database: Database.Database) => void,
): Database.Database {
  let database: Database.Database | undefined
  try {
    database = new Database(path, options)
    prepare(database)
    return database
  } catch (cause) {
    database?.close()
    throw new OperatorError(`The SQLite file ${path} cannot be opened: ${(cause as Error).message}.`, cause)
  }
}

function checkDurability(database: Database.Database): void {
  const synchronous = database.pragma('synchronous', { simple: true })
  if (synchronous !== 2) throw new OperatorError('SQLite does not run with synchronous=FULL; refusing to start.')
}

export interface SqliteConnections {
  writer: Connection
  reader: Connection
  close(): Promise<void>
}

/** `register` adds the functions our SQL uses to each connection before its first statement. */
export function openSqlite(path: string, register: (database: Database.Database) => void): SqliteConnections {
  const write = openFile(path, { timeout: 10_000 }, (database) => {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
  })
  checkDurability(write)
  const read = openFile(path, { readonly: true, timeout: 10_000 }, (database) => {
    database.pragma('mmap_size = 268435456')
  })
  for (const database of [write, read]) {
    database.pragma('cache_size = -16384')
    register(database)
  }
  const writer = connect(write)
  const reader = connect(read)
  return {
    writer,
    reader,
    async close() {
      await reader.db.destroy()
      await writer.db.destroy()
    },
  }
}
