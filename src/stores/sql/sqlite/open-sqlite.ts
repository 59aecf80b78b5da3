/**
 * Opens SQLite: one connection for all transactions (BEGIN IMMEDIATE, synchronous=FULL, so that a commit
 * is on the disk itself), one read-only for everything else. Both keep their prepared statements. What is deleted is
 * overwritten (secure_delete=ON; FAST would leave the pages that long values lie in).
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
import { OperatorError } from '../../../lib/errors.ts'
import type { Connection } from '../connection.ts'
import { RecentBatches } from '../repositories/outbox/recent-batches.ts'
import type { Tables } from '../tables.ts'
import { batchReads, type Read } from './batched-reads.ts'
import { sqliteDialect } from './dialect.ts'

/** Lists with many shapes (filters) must not pile up statements without bound. */
const MAX_KEPT_STATEMENTS = 500
/** So long a statement waits for what another process holds. */
const BUSY_MS = 10_000

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

type Cells = unknown[]

/**
 * Turns cells into a row with these names. Written out as code, so that all rows of a statement have one known shape;
 * rows that a loop or the driver fills name by name cost more, and so does reading them.
 */
const rowOf = (names: string[]): ((cells: Cells) => unknown) =>
  new Function('cells', `return {${names.map((name, i) => `${JSON.stringify(name)}: cells[${i}]`)}}`) as never

/** Runs SQL as a statement that is prepared once. */
function keepRaw(database: Database.Database): Read {
  const kept = new Map<string, { statement: Database.Statement; toRow: (cells: Cells) => unknown }>()
  return (text, values) => {
    let found = kept.get(text)
    if (!found) {
      const statement = database.prepare(text).raw()
      found = { statement, toRow: rowOf(statement.columns().map(({ name }) => name)) }
      kept.set(text, found)
    }
    return (found.statement.all(values) as Cells[]).map(found.toRow)
  }
}

type RunPrepared = (text: string, values: unknown[]) => unknown[] | Promise<unknown[]>

interface ConnectParts {
  runPrepared: RunPrepared
  recentBatches: RecentBatches
  pause: () => Promise<void>
}

function connect(database: Database.Database, { runPrepared, recentBatches, pause }: ConnectParts): Connection {
  const prepare = keepStatements(database)
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateDriver({ database: { prepare, close: () => database.close() } as never }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return {
    db: new Kysely<Tables>({ dialect }),
    dialect: sqliteDialect,
    runPrepared: runPrepared as Connection['runPrepared'],
    recentBatches,
    addedBatches: new Map(),
    addedWarnings: new Map(),
    pause,
    truncateLog: () => truncateLog(database),
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

/** So much of the file is read as memory, which makes look-ups quicker. */
const MAPPED_BYTES = 268_435_456

type Register = (database: Database.Database) => void

function openReader(path: string, register: Register, mappedBytes: number): Database.Database {
  return openFile(path, { readonly: true, timeout: BUSY_MS }, (database) => {
    database.pragma(`mmap_size = ${mappedBytes}`)
    database.pragma('cache_size = -16384')
    register(database)
  })
}

/** In a transaction nobody else has a turn. */
const noPause = async (): Promise<void> => {}

/** One more reader, of a file that is open for writing: for scans, in a thread of their own. */
export function openSqliteReader(path: string, register: Register, pause: () => Promise<void>): Connection {
  // Not mapped: a scan would have the whole file in memory, and once more than the reader of look-ups has.
  const database = openReader(path, register, 0)
  return connect(database, { runPrepared: keepRaw(database), recentBatches: new RecentBatches(), pause })
}

/** `user_version` of a file in which nothing is left of what was deleted before deleted rows were overwritten. */
const OVERWRITTEN = 1

/**
 * Writes a file of an earlier version anew, once; cut off, the next start does it. It comes before the migrations, so
 * that where there is no room for it the version before can still be started.
 */
function writeAnewOnce(database: Database.Database): void {
  if ((database.pragma('user_version', { simple: true }) as number) >= OVERWRITTEN) return
  try {
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(
      `it has to be written anew once, so that nothing deleted is left in it, which takes as much room again beside it and in the folder for temporary files (SQLITE_TMPDIR): ${message}`,
      { cause },
    )
  }
  database.pragma(`user_version = ${OVERWRITTEN}`)
}

/** Moves the log into the file and empties it; false when a reader still needs it. */
function truncateLog(database: Database.Database): boolean {
  // No waiting here, which would hold up everything: whoever wants it comes back.
  database.pragma('busy_timeout = 0')
  try {
    const [row] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return row?.busy === 0
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false
    throw error
  } finally {
    database.pragma(`busy_timeout = ${BUSY_MS}`)
  }
}

export interface SqliteConnections {
  writer: Connection
  reader: Connection
  close(): Promise<void>
}

/** `register` adds the functions our SQL uses to each connection before its first statement. */
export function openSqlite(path: string, register: Register): SqliteConnections {
  const write = openFile(path, { timeout: BUSY_MS }, (database) => {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON')
    // SQLite opens a file that it may only read without a word, and refuses the first write: so there is one.
    database.exec(
      `begin immediate; pragma user_version = ${database.pragma('user_version', { simple: true })}; rollback`,
    )
    writeAnewOnce(database)
  })
  checkDurability(write)
  const read = openReader(path, register, MAPPED_BYTES)
  write.pragma('cache_size = -16384')
  register(write)
  const recentBatches = new RecentBatches()
  const pause = noPause
  const writer = connect(write, { runPrepared: keepRaw(write), recentBatches, pause })
  const reader = connect(read, { runPrepared: batchReads(read, keepRaw(read)), recentBatches, pause })
  return {
    writer,
    reader,
    async close() {
      await reader.db.destroy()
      await writer.db.destroy()
    },
  }
}
