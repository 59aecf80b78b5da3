/**
 * Config → Stores; the only file that selects the engines. Opens what the three URLs name, migrates the SQL store to
 * the newest schema, checks that the stores belong together, starts the drainer, and makes every read of events wait
 * for earlier commits.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { READ_LIMIT_MS } from '../lib/time/deadline.ts'
import type { BackupMaker } from '../model/backup.ts'
import type { BlobStore } from '../model/blob.ts'
import type { EventStore } from '../model/events/event.ts'
import type { SqlStores, Stores } from '../model/stores.ts'
import { createBackups } from './backup/make-backup.ts'
import { finishRestore, refuseHalfRestored } from './backup/put-in-place.ts'
import { checkInstallation, type LossAccepted } from './check-installation.ts'
import { lockFolder, prepareFolder, STORE_NAMES } from './data-folder.ts'
import { openFileBlobs } from './fs/blobs.ts'
import { LiveFeed, type LiveSource } from './live/live-feed.ts'
import { polledOutbox } from './live/outbox-poll.ts'
import { openEvents } from './open-events.ts'
import { Drainer } from './outbox/drainer.ts'
import type { OutboxRows } from './outbox/outbox-rows.ts'
import { type OnDropped, removeParkedToo } from './outbox/parked-removal.ts'
import { waitForOutbox } from './outbox/wait-for-outbox.ts'
import type { PresenceParts } from './presence-parts.ts'
import { type NoteFailure, reportDiskFull } from './report-disk-full.ts'
import { openS3Blobs } from './s3/blobs.ts'
import type { SqlEngine } from './sql/connection.ts'
import { refuseHalfCopied } from './sql/copy/copy-tables.ts'
import { migrate } from './sql/migrate.ts'
import { inspectPostgres, type PostgresReport } from './sql/postgres/connections/inspect.ts'
import { openPostgres } from './sql/postgres/open-postgres.ts'
import type { ScanReaders } from './sql/scan-readers.ts'
import { sqlStores } from './sql/sql-stores.ts'
import { registerSqliteFunctions } from './sql/sqlite/functions.ts'
import { openSqlite } from './sql/sqlite/open-sqlite.ts'
import { ScanThread } from './sql/sqlite/scan-thread.ts'

type StoreConfig = Pick<Config, 'dataDir' | 'sqlUrl' | 'eventsUrl' | 'blobsUrl'>
export type AllStoresConfig = StoreConfig & Pick<Config, 'minFreeForRecordings' | 'eventsMemory'>

export interface OpenSql {
  stores: SqlStores
  /**
   * Called after each local commit, with the number of characters known to wait in the outbox; and with 0 when another
   * process has told of a commit.
   */
  onCommit(listener: (waiting: number) => void): void
  /** Called with the texts of the batches that each local commit has added to the outbox; until the result is called. */
  onAdded(listener: (texts: string[]) => void): () => void
  migrated: string[]
  close(): Promise<void>
}

const sqlFile = (dataDir: string): string => join(dataDir, STORE_NAMES.sql)

export type SqlReport = PostgresReport

/** A look at the server that the URL names; null when the store is embedded. Changes nothing. */
export const inspectSql = async ({ sqlUrl }: StoreConfig): Promise<SqlReport | null> =>
  sqlUrl === null ? null : inspectPostgres(sqlUrl)

/** Whether nothing is kept in the data folder, so that any number of servers may run on the same stores. */
export const areAllElsewhere = ({ sqlUrl, eventsUrl, blobsUrl }: StoreConfig): boolean =>
  sqlUrl !== null && eventsUrl !== null && blobsUrl !== null

/** Whether a SQL store exists already. */
export const hasSql = async (config: StoreConfig): Promise<boolean> =>
  (await inspectSql(config))?.hasStore ?? existsSync(sqlFile(config.dataDir))

/** Throws when backups are made in another way. */
export function refuseBackups({ sqlUrl, eventsUrl, blobsUrl }: StoreConfig): void {
  const names = [
    ...(sqlUrl === null ? [] : ['HEDGEROW_SQL_URL']),
    ...(eventsUrl === null ? [] : ['HEDGEROW_EVENTS_URL']),
    ...(blobsUrl === null ? [] : ['HEDGEROW_BLOBS_URL']),
  ]
  const [name] = names
  if (name === undefined) return
  const parts = [
    ...(sqlUrl === null ? [] : ['a dump of the database']),
    ...(names.length === 3 ? [] : ['a copy of the data folder']),
    ...(eventsUrl === null ? [] : ['a backup of the database on ClickHouse']),
    ...(blobsUrl === null ? [] : ['a copy of the bucket']),
  ]
  throw new OperatorError(
    `With ${name} a backup is ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}, made while the server is stopped; docs/operations.md says how, and how to restore it.`,
  )
}

export interface OpenEngine extends SqlEngine {
  scans: ScanReaders
  close(): Promise<void>
}

function openEmbedded(path: string, limitMs: number): OpenEngine {
  const sqlite = openSqlite(path, registerSqliteFunctions)
  const scans = new ScanThread({ path, limitMs })
  return {
    ...sqlite,
    scans: scans.readers,
    async close() {
      await scans.close()
      await sqlite.close()
    },
  }
}

interface SqlOptions {
  scanLimitMs?: number | undefined
  presence?: PresenceParts | undefined
  displaced?: ((words: string) => void) | undefined
  isShared?: boolean
}

/** Without a look at what is in it. */
export async function openEngine({ dataDir, sqlUrl }: StoreConfig, options: SqlOptions): Promise<OpenEngine> {
  const { scanLimitMs = READ_LIMIT_MS, ...more } = options
  return sqlUrl === null
    ? openEmbedded(sqlFile(dataDir), scanLimitMs)
    : openPostgres({ url: sqlUrl, scanLimitMs, ...more })
}

/** The SQL store only, migrated: all that the command line needs, also while a server runs. */
export async function openSql(config: StoreConfig, options: SqlOptions = {}): Promise<OpenSql> {
  prepareFolder(config.dataDir)
  refuseHalfRestored(config.dataDir)
  const engine = await openEngine(config, options)
  let listener = (_waiting: number) => {}
  const followers = new Set<(texts: string[]) => void>()
  const added = (batches: Map<string, string>) => {
    for (const follower of followers) follower([...batches.values()])
  }
  try {
    await refuseHalfCopied(engine)
    const migrated = await migrate(engine)
    const stores = sqlStores({ engine, scans: engine.scans, committed: (waiting) => listener(waiting), added })
    return {
      stores,
      onCommit: (next) => {
        listener = next
        engine.outboxSignal?.listen(() => next(0))
      },
      onAdded: (follower) => {
        followers.add(follower)
        return () => void followers.delete(follower)
      },
      migrated,
      close: () => engine.close(),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

export interface OpenParts {
  clock: Clock
  /** Called when a store fails; true when that is for lack of disk space. */
  noteFailure: NoteFailure
  /** Called when the event store could not apply a batch; it is retried. */
  drainFailed: (error: unknown) => void
  /** Called when the event store refuses this many batches, the first with this error; they wait for an operator. */
  batchesParked: (batches: number, error: string) => void
  parkedDropped: OnDropped
  /** Called when events could not be read as they were committed, and the time before they could; it is tried again. */
  liveFailed?: ((error: unknown) => void) | undefined
  /** Told when a SQL store on another machine stops answering, and when it answers again. */
  sqlPresence?: PresenceParts
  /** The same of events. */
  eventsPresence?: PresenceParts
  /** The same of recordings. */
  blobsPresence?: PresenceParts
  /** Called when another server has taken this one's place on such a store: nothing is written any more. */
  displaced?: ((words: string) => void) | undefined
  /** See check-installation.ts. */
  lossAccepted: LossAccepted | null
  /** Time limit of a list or a count; 10 s unless given. */
  scanLimitMs?: number | undefined
  /** Has begun to load the event store's thread; without it, one is started. */
  eventsWorker?: Worker | undefined
  /** Replaces the SQL store that was opened; for tests. */
  wrapSql?: ((stores: SqlStores) => SqlStores) | undefined
}

interface DrainedStores {
  sql: SqlStores
  events: EventStore
  rows: OutboxRows
}

function createDrainer(
  { sql, events, rows }: DrainedStores,
  { clock, drainFailed, batchesParked }: OpenParts,
): Drainer {
  return new Drainer({
    rows,
    pending: () => sql.outbox.pending(),
    change: (work) => sql.transaction((tx) => work(tx.outbox)),
    events,
    clock,
    failed: drainFailed,
    parked: batchesParked,
  })
}

/** Where others may commit too, they are read from the outbox; else a process knows its own. */
const liveSource = (
  config: StoreConfig,
  { stores, onAdded }: OpenSql,
  { liveFailed = () => {} }: OpenParts,
): LiveSource =>
  areAllElsewhere(config)
    ? polledOutbox({ outbox: stores.outbox, failed: liveFailed })
    : async (take) => onAdded((texts) => take(texts, true))

/** Those of embedded stores, or a refusal. */
const backupsOf = (config: StoreConfig, embedded: BackupMaker | null): BackupMaker =>
  embedded !== null && config.sqlUrl === null && config.blobsUrl === null
    ? embedded
    : { backUp: async () => refuseBackups(config) as never }

export const openBlobs = async (
  { dataDir, blobsUrl }: StoreConfig,
  presence?: PresenceParts | undefined,
): Promise<BlobStore> =>
  blobsUrl === null ? openFileBlobs(join(dataDir, STORE_NAMES.blobs)) : openS3Blobs(blobsUrl, presence)

export async function openStores(config: AllStoresConfig, parts: OpenParts): Promise<Stores> {
  prepareFolder(config.dataDir)
  const unlock = lockFolder(config.dataDir)
  const opened: (() => Promise<void> | void)[] = [unlock]
  let closing: Promise<void> | undefined
  const closeEach = async () => {
    for (const close of opened.reverse()) await close()
  }
  const closeAll = () => {
    closing ??= closeEach()
    return closing
  }
  try {
    finishRestore(config.dataDir)
    const { scanLimitMs: readMs, eventsWorker, wrapSql = (stores) => stores } = parts
    const { sqlPresence: presence, displaced = () => {} } = parts
    const isShared = areAllElsewhere(config)
    const embedded = await openSql(config, { scanLimitMs: readMs, presence, displaced, isShared })
    opened.push(embedded.close)
    const sql = { ...embedded, stores: wrapSql(embedded.stores) }
    const { clock, eventsPresence } = parts
    const ofEvents = { clock, readMs, worker: eventsWorker, presence: eventsPresence }
    // Of servers that start at the same time each finds what the one before has made.
    const { events, rows, copying, blobs } = await sql.stores.inTurn('start', async () => {
      const found = await openEvents(config, sql.stores, ofEvents)
      opened.push(() => found.events.close())
      const blobs = await openBlobs(config, parts.blobsPresence)
      await checkInstallation({ sql: sql.stores, events: found.events, blobs }, parts.lossAccepted)
      await found.rows.checkRestarts()
      return { ...found, blobs }
    })
    const drainer = createDrainer({ sql: sql.stores, events, rows }, parts)
    sql.onCommit((waiting) => drainer.wake(waiting))
    drainer.start()
    opened.push(() => drainer.stop())
    const { dataDir, minFreeForRecordings: reserve } = config
    const stores = {
      ...sql.stores,
      ...backupsOf(config, copying && createBackups({ dataDir, events: copying, clock, reserve })),
      events: removeParkedToo(
        waitForOutbox(events, () => drainer.caughtUp()),
        sql.stores,
        parts.parkedDropped,
      ),
      liveEvents: new LiveFeed(liveSource(config, sql, parts)),
      blobs,
      close: closeAll,
    }
    return reportDiskFull(stores, parts.noteFailure)
  } catch (error) {
    await closeAll()
    throw error
  }
}
