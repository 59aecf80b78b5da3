/**
 * Opens SQLite: one connection for all transactions (BEGIN IMMEDIATE, synchronous=FULL, so that a commit is synced to
 * disk), one read-only for everything else. Both cache their prepared statements. Deleted data is overwritten
 * (secure_delete=ON; FAST would leave the overflow pages of long values).
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
import { createKeyedSerialQueue } from '../../../lib/concurrency/serial-queue.ts'
import { OperatorError } from '../../../lib/errors.ts'
import type { Connection, SqlEngine } from '../connection.ts'
import { AddedWarnings } from '../repositories/added-warnings.ts'
import { RecentBatches } from '../repositories/outbox/recent-batches.ts'
import type { Tables } from '../tables.ts'
import { batchReads, type Read } from './batched-reads.ts'
import { CheckpointThread, type LogState } from './checkpoint-thread.ts'
import { sqliteDialect } from './dialect.ts'
import { writeRows } from './single-rows.ts'

/** Lists with many shapes (filters) must not accumulate statements without limit. */
const MAX_CACHED_STATEMENTS = 500
/** How long a statement waits for a lock of another process. */
const BUSY_MS = 10_000

type Prepare = (text: string) => Database.Statement

interface DriverParts {
  prepare: Prepare
  committed: () => void
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: Database.Database
  readonly #committed: () => void

  constructor(database: Database.Database, { prepare, committed }: DriverParts) {
    super({ database: { prepare, close: () => database.close() } as never })
    this.#database = database
    this.#committed = committed
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#committed()
  }

  /** A full disk ends the transaction by itself; a second rollback would fail and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

function cacheStatements(database: Database.Database): Prepare {
  const cache = new Map<string, Database.Statement>()
  return (text) => {
    let statement = cache.get(text)
    if (!statement) {
      if (cache.size >= MAX_CACHED_STATEMENTS) cache.delete(cache.keys().next().value as string)
      statement = database.prepare(text)
      cache.set(text, statement)
    }
    return statement
  }
}

type Cells = unknown[]

/**
 * Turns cells into a row with these names. Generated as code, so that all rows of a statement have one hidden class;
 * rows that a loop or the driver fills name by name cost more to build and to read.
 */
const rowOf = (names: string[]): ((cells: Cells) => unknown) =>
  new Function('cells', `return {${names.map((name, i) => `${JSON.stringify(name)}: cells[${i}]`)}}`) as never

/** Runs SQL as a statement that is prepared once. */
function prepareRaw(database: Database.Database): Read {
  const cache = new Map<string, (values: unknown[]) => unknown[]>()
  const prepare = (text: string): ((values: unknown[]) => unknown[]) => {
    const statement = database.prepare(text)
    if (!statement.reader) {
      return (values) => {
        statement.run(values)
        return []
      }
    }
    const rows = statement.raw()
    const toRow = rowOf(rows.columns().map(({ name }) => name))
    return (values) => (rows.all(values) as Cells[]).map(toRow)
  }
  return (text, values) => {
    let run = cache.get(text)
    if (!run) {
      run = prepare(text)
      cache.set(text, run)
    }
    return run(values)
  }
}

type RunPrepared = (text: string, values: unknown[]) => unknown[] | Promise<unknown[]>

interface ConnectParts {
  runPrepared: RunPrepared
  recentBatches: RecentBatches
  pause: () => Promise<void>
  /** Called after each commit. */
  committed?: () => void
}

function connect(database: Database.Database, parts: ConnectParts): Connection {
  const { runPrepared, recentBatches, pause, committed = () => {} } = parts
  const prepare = cacheStatements(database)
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateDriver(database, { prepare, committed }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return {
    db: new Kysely<Tables>({ dialect }),
    dialect: sqliteDialect,
    runPrepared: runPrepared as Connection['runPrepared'],
    sendPrepared: (text, values) => void runPrepared(text, values),
    writeEach: writeRows(prepare),
    recentBatches,
    addedBatches: new Map(),
    addedPersons: new Map(),
    addedWarnings: new AddedWarnings(),
    pause,
  }
}

/** Commits within `work` do not wait for the disk. Nothing else may use the connection meanwhile. */
async function unsynced<T>(database: Database.Database, work: () => Promise<T>): Promise<T> {
  // Never as a cached statement: this pragma takes effect while it is being prepared.
  database.pragma('synchronous = NORMAL')
  try {
    return await work()
  } finally {
    database.pragma('synchronous = FULL')
  }
}

/** `prepare` is part of opening: a file that is not a database is detected only at the first statement. */
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

/** How much of the file is memory-mapped, which makes look-ups faster. */
const MAPPED_BYTES = 268_435_456

/**
 * How many pages the log has before a commit moves them itself. A thread moves them much earlier; this is for when it
 * cannot keep up, or when readers keep the log from being begun anew.
 */
const MOST_LOGGED_PAGES = 16_000

const CACHED_KILOBYTES = 16_384
/** A scan reads each page once: a larger cache would only hold pages that nobody reads again. */
const SCAN_CACHED_KILOBYTES = 4_096

type Register = (database: Database.Database) => void

interface ReaderMemory {
  mappedBytes: number
  cachedKilobytes: number
}

function openReader(path: string, register: Register, memory: ReaderMemory): Database.Database {
  return openFile(path, { readonly: true, timeout: BUSY_MS }, (database) => {
    database.pragma(`mmap_size = ${memory.mappedBytes}`)
    database.pragma(`cache_size = -${memory.cachedKilobytes}`)
    register(database)
  })
}

/** Within a transaction no other work runs. */
const noPause = async (): Promise<void> => {}

/** One more reader, of a file that is open for writing: for scans, in a thread of their own. */
export function openSqliteReader(path: string, register: Register, pause: () => Promise<void>): Connection {
  // Not memory-mapped: a scan would load the whole file into memory, in addition to the reader of look-ups.
  const database = openReader(path, register, { mappedBytes: 0, cachedKilobytes: SCAN_CACHED_KILOBYTES })
  return connect(database, { runPrepared: prepareRaw(database), recentBatches: new RecentBatches(), pause })
}

/** `user_version` of a file without remains of data that was deleted before deleted rows were overwritten. */
const SECURE_DELETE_VERSION = 1

/**
 * Rewrites a file of an earlier version, once; after an interruption, the next start does it. It runs before the
 * migrations, so that without enough disk space the previous version can still be started.
 */
function vacuumOnce(database: Database.Database): void {
  if ((database.pragma('user_version', { simple: true }) as number) >= SECURE_DELETE_VERSION) return
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
  database.pragma(`user_version = ${SECURE_DELETE_VERSION}`)
}

/** Moves the log into the file and truncates it; false when a reader still needs it. */
function truncateLog(database: Database.Database): boolean {
  // No waiting here, which would block everything: the caller retries.
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

export interface SqliteConnections extends SqlEngine {
  writer: Connection
  close(): Promise<void>
}

/** `register` adds the functions our SQL uses to each connection before its first statement. */
export function openSqlite(path: string, register: Register): SqliteConnections {
  const write = openFile(path, { timeout: BUSY_MS }, (database) => {
    database.pragma('journal_mode = WAL')
    database.pragma(`wal_autocheckpoint = ${MOST_LOGGED_PAGES}`)
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON')
    // SQLite opens a read-only file without an error and refuses only the first write: so write once.
    database.exec(
      `begin immediate; pragma user_version = ${database.pragma('user_version', { simple: true })}; rollback`,
    )
    vacuumOnce(database)
  })
  checkDurability(write)
  const read = openReader(path, register, { mappedBytes: MAPPED_BYTES, cachedKilobytes: CACHED_KILOBYTES })
  write.pragma(`cache_size = -${CACHED_KILOBYTES}`)
  register(write)
  const recentBatches = new RecentBatches()
  const pause = noPause
  const logState = read.prepare('pragma wal_checkpoint(NOOP)')
  const checkpoints = new CheckpointThread(path, () => logState.get() as LogState)
  const committed = () => checkpoints.committed()
  const writer = connect(write, { runPrepared: prepareRaw(write), recentBatches, pause, committed })
  const reader = connect(read, { runPrepared: batchReads(read, prepareRaw(read)), recentBatches, pause })
  const turns = createKeyedSerialQueue()
  const inTransaction = <T>(db: Kysely<Tables>, work: (connection: Connection) => Promise<T>) =>
    db.transaction().execute((trx) => work({ ...writer, db: trx }))
  return {
    writer,
    reader,
    transact: (work, kind = 'durable') =>
      kind === 'relaxed'
        ? writer.db.connection().execute((db) => unsynced(write, () => inTransaction(db, work)))
        : inTransaction(writer.db, work),
    // Whoever takes turns has the data folder to himself (data-folder.ts).
    inTurn: (name, work, signal = new AbortController().signal) =>
      turns(name, async () => {
        signal.throwIfAborted()
        return work(signal)
      }),
    truncateLog: () => writer.db.connection().execute(async () => truncateLog(write)),
    bytesElsewhere: async () => 0,
    transactionsAtOnce: 1,
    async close() {
      await checkpoints.close()
      await reader.db.destroy()
      await writer.db.destroy()
    },
  }
}
