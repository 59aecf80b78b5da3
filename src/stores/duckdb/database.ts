/**
 * One DuckDB database: a writer whose transactions run one after the other, and a few concurrent readers of each kind,
 * each of which sees what was committed when its statement began. The engine may not fetch anything from outside and
 * keeps within the amount of memory it is given; what does not fit is spilled to a folder next to the file.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { createSerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Deadline } from '../../lib/time/deadline.ts'
import { syncFolderNow } from '../fs/durable-files.ts'
import { NO_THREADS, startEngineThreads } from './engine/engine-threads.ts'
import { LARGE_READS, Readers, type ReadKind } from './engine/readers.ts'
import { MemoryReturn } from './return-memory.ts'
import { MAX_TEXT } from './values/long-texts.ts'
import { withinDeadline } from './within-deadline.ts'

export const IN_MEMORY = ':memory:'

const THREADS = Math.min(4, availableParallelism())
export const CATALOG = 'store'

interface ReadOptions {
  /** A list of events unless given. */
  kind?: ReadKind
  deadline?: Deadline | undefined
  /** Whether it waits until no read runs that may take much memory, and such reads wait for it. */
  isAlone?: boolean
}

export interface Database {
  /** The file; null in memory. */
  readonly path: string | null
  /** Whether the memory is enough for all threads and reads to parse the JSON of rows at once, whatever their size. */
  readonly parsesInParallel: boolean
  /**
   * Runs `work` on a connection that no other read uses meanwhile; it waits for reads of its kind only. After the
   * deadline it rejects with the deadline's error: `work` no longer waits for a connection, and its running statement is
   * interrupted.
   */
  read<T>(work: (connection: DuckDBConnection) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * Runs `work` as one transaction after all earlier ones; when it rejects, nothing of it is kept.
   * `committed` is called with its result before the next transaction can begin.
   */
  write<T>(work: (connection: DuckDBConnection) => Promise<T>, committed?: (result: T) => void): Promise<T>
  /**
   * Runs `work` on the writer's connection after all earlier transactions and before later ones, outside a transaction.
   */
  exclusive<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>
  /**
   * As `exclusive`; then the file that `work` returns, complete and not attached anywhere, replaces the store's own. Reads
   * wait only during that exchange. False when `work` returns none. When it rejects, the old file is in place.
   * `exchanged` is called before the next transaction can begin.
   */
  exchange(work: (connection: DuckDBConnection) => Promise<string | null>, exchanged: () => void): Promise<boolean>
  /** Waits for what is running, then releases the file. A second close is no error. */
  close(): Promise<void>
}

/**
 * A checkpoint rewrites the last, partly filled row group, so its size bounds how long a commit can take; and smaller
 * groups let a scan skip more. The engine's default of 122,880 made commits take 6 s where this one takes 1 s.
 */
const ROW_GROUP_ROWS = 30_720

/**
 * The first version with zstd (see schema.ts); by default the engine writes a format that much older versions can read.
 */
const STORAGE_VERSION = 'v1.4.0'

/** Bytes of memory unless given: enough for whatever is not a question about many events. */
const SMALL_MEMORY = 256_000_000

/**
 * Bytes that a thread takes to parse the JSON of rows of the greatest size: 2,048 at once, five times their text. Where
 * every character takes three bytes, it is three times as much: then each read alone has enough.
 */
const PARSING_MEMORY = 5 * 2_048 * MAX_TEXT

const SETTINGS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  ...NO_THREADS,
  // Rows picked by number skip the rows between them; by default only up to 50 numbers (100 took 300 ms instead of 85).
  dynamic_or_filter_threshold: '1000',
  // The default of 16 MB rewrites that row group four times as often.
  checkpoint_threshold: '64MB',
}

/** Creates the file when it is missing. */
export async function attachFile(connection: DuckDBConnection, path: string, name: string): Promise<void> {
  const options = path === IN_MEMORY ? '' : `(ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, STORAGE_VERSION '${STORAGE_VERSION}')`
  await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${name} ${options}`)
}

async function startAndAttach(instance: DuckDBInstance, path: string): Promise<void> {
  const connection = await instance.connect()
  await startEngineThreads(connection, THREADS)
  await attachFile(connection, path, CATALOG)
  connection.closeSync()
}

/** Path of the copy that a rewrite makes of the store. */
export const rewriteOf = (path: string): string => `${path}.rewrite`

/** Removes a copy that was abandoned or cut off by a crash. */
export function removeRewrite(path: string): void {
  for (const file of [rewriteOf(path), `${rewriteOf(path)}.wal`]) rmSync(file, { force: true })
}

/** Replaces the store's own file, which must not be open, with `file`; synced to disk when it returns. */
function moveIntoPlace(file: string, path: string): void {
  // The old file's write-ahead log would be replayed into the new one.
  if (existsSync(`${path}.wal`)) throw new Error('The event store still has a log; the file is not exchanged.')
  renameSync(file, path)
  syncFolderNow(dirname(path))
}

/** Files are attached to an in-memory engine: only then can the row group size be chosen. */
async function openInstance(path: string, memory_limit: string): Promise<DuckDBInstance> {
  // Without a file there is no folder to spill to; the engine would take the current one.
  const temp_directory = path === IN_MEMORY ? '' : `${path}.tmp`
  const instance = await DuckDBInstance.create(IN_MEMORY, { ...SETTINGS, memory_limit, temp_directory })
  try {
    if (path !== IN_MEMORY) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      removeRewrite(path)
    }
    await startAndAttach(instance, path)
    return instance
  } catch (cause) {
    instance.closeSync()
    throw new OperatorError(`The event store ${path} could not be opened: ${(cause as Error).message}`, cause)
  }
}

async function connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  await connection.run(`USE ${CATALOG}`)
  return connection
}

async function inTransaction<T>(
  connection: DuckDBConnection,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  await connection.run('BEGIN')
  try {
    const result = await work(connection)
    await connection.run('COMMIT')
    return result
  } catch (error) {
    // A failed COMMIT has already ended the transaction; the first error is the one that matters.
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** `memory`: bytes that the engine may use; what does not fit is spilled. */
export async function openDatabase(path: string, memory = SMALL_MEMORY): Promise<Database> {
  const memoryLimit = `${memory}B`
  const instance = await openInstance(path, memoryLimit)
  const writer = await connect(instance)
  const readers = await Readers.open(() => connect(instance))
  const maintenance = await instance.connect()
  const memoryReturn = new MemoryReturn(maintenance, memoryLimit)
  const inTurn = createSerialQueue()
  let closed: Promise<void> | undefined

  const assertOpen = () => {
    if (closed) throw new Error('The event store is closed.')
  }

  async function closeAll(): Promise<void> {
    // Whatever came before has ended by its turn.
    await inTurn(async () => {})
    await readers.withoutReads(async () => {
      await memoryReturn.stop()
      for (const connection of [...readers.connections, writer, maintenance]) connection.closeSync()
      instance.closeSync()
    })
  }

  async function putInPlace(file: string): Promise<void> {
    const all = [...readers.connections, writer]
    try {
      await writer.run(`CHECKPOINT ${CATALOG}`)
      for (const connection of all) await connection.run('USE memory')
      await writer.run(`DETACH ${CATALOG}`)
      try {
        moveIntoPlace(file, path)
      } finally {
        await attachFile(writer, path, CATALOG)
      }
    } finally {
      for (const connection of all) await connection.run(`USE ${CATALOG}`)
    }
  }

  return {
    path: path === IN_MEMORY ? null : path,
    parsesInParallel: memory >= THREADS * LARGE_READS * PARSING_MEMORY,
    async read(work, { kind = 'events', deadline, isAlone = false } = {}) {
      assertOpen()
      const run = (connection: DuckDBConnection) =>
        deadline ? withinDeadline(connection, deadline, work) : work(connection)
      return isAlone ? readers.useAlone(kind, run, deadline) : readers.use(kind, run, deadline)
    },
    async write(work, committed) {
      assertOpen()
      return inTurn(async () => {
        const result = await inTransaction(writer, work)
        committed?.(result)
        return result
      })
    },
    async exclusive(work) {
      assertOpen()
      return inTurn(() => work(writer))
    },
    async exchange(work, exchanged) {
      assertOpen()
      return inTurn(async () => {
        const file = await work(writer)
        if (file === null) return false
        await readers.withoutReads(async () => {
          await putInPlace(file)
          exchanged()
        })
        return true
      })
    },
    close() {
      closed ??= closeAll()
      return closed
    },
  }
}
