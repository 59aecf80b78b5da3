/** Opens PostgreSQL: a pool of connections, of which each transaction has one of its own. */
import { OperatorError } from '../../../lib/errors.ts'
import { NOBODY_IS_TOLD, type PresenceParts } from '../../presence-parts.ts'
import type { Connection, SqlEngine } from '../connection.ts'
import { AddedWarnings } from '../repositories/added-warnings.ts'
import { RecentBatches } from '../repositories/outbox/recent-batches.ts'
import { type ScanReaders, scansOn } from '../scan-readers.ts'
import { ScanScope } from '../scan-scope.ts'
import { batchReads } from './batched-reads.ts'
import { type Queries, queriesOn, runNamed } from './connections/clients.ts'
import { wordsOf } from './connections/failures.ts'
import { OutboxSignal } from './connections/outbox-signal.ts'
import { Clients, createClient, createPool } from './connections/pool.ts'
import { Presence } from './connections/presence.ts'
import { createProcessTurns } from './connections/process-turns.ts'
import { readPostgresUrl } from './connections/read-url.ts'
import { ServerLock } from './connections/server-lock.ts'
import { checkServer } from './connections/start-checks.ts'
import { postgresDialect } from './dialect.ts'
import { writeRows } from './row-lists.ts'
import { createRunAgain } from './run-again.ts'
import { transactOn } from './transactions.ts'

/** Within which a message to other processes is sent, and a turn asked for. */
const SIGNAL_MS = 5_000

/** While one waits for its answers, or for the server's disk, we compute for the other. */
const AT_ONCE = 2

export interface PostgresEngine extends SqlEngine {
  scans: ScanReaders
  close(): Promise<void>
}

interface Shared {
  recentBatches: RecentBatches
  addedWarnings: Connection['addedWarnings']
}

const noPause = async (): Promise<void> => {}

const outsideTransaction = (): never => {
  throw new Error('Only in a transaction is there a commit to fail.')
}

/** On one connection, or on any of a pool. */
function connectionOn(queries: Queries, { recentBatches, addedWarnings }: Shared): Connection {
  return {
    db: queriesOn(queries),
    dialect: postgresDialect,
    runPrepared: (text, values) => runNamed(queries, text, values),
    sendPrepared: outsideTransaction,
    writeEach: (statement, rows) => writeRows((text, values) => runNamed(queries, text, values), statement, rows),
    recentBatches,
    addedBatches: new Map(),
    addedPersons: new Map(),
    addedWarnings,
    pause: noPause,
  }
}

export interface PostgresOptions {
  url: string
  /** Time limit of a list or a count. */
  scanLimitMs: number
  /** Told when the server stops answering, and when it answers again. */
  presence?: PresenceParts | undefined
  /** Given by a server: called when another, that must be the only one, has taken its place. */
  displaced?: ((words: string) => void) | undefined
  /** Whether other servers may run on the database at the same time. */
  isShared?: boolean | undefined
}

export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { url, scanLimitMs, presence = NOBODY_IS_TOLD, displaced, isShared = false } = options

  const address = readPostgresUrl(url)
  const pool = await createPool(address)
  const told = new Presence(presence)
  const clients = new Clients(pool, told)
  let lock: ServerLock | null = null
  try {
    await checkServer(pool)
    if (displaced !== undefined) {
      const lost = () => clients.cutAll()
      const newClient = () => createClient(address)
      lock = await ServerLock.take({ newClient, presence: told, isShared, lost, displaced })
    }
  } catch (cause) {
    await clients.close()
    if (cause instanceof OperatorError) throw cause
    throw new OperatorError(`PostgreSQL cannot be used: ${wordsOf(cause)}.`, cause)
  }
  const shared: Shared = { recentBatches: new RecentBatches(), addedWarnings: new AddedWarnings() }
  const connections = new WeakMap<Queries, Connection>()
  const connectionOf = (queries: Queries): Connection => {
    const known = connections.get(queries) ?? connectionOn(queries, shared)
    connections.set(queries, known)
    return known
  }
  const reader: Connection = { ...connectionOn(clients.any, shared), runPrepared: batchReads(clients) }
  const scope = new ScanScope()
  const signal = new OutboxSignal(() => createClient(address, SIGNAL_MS))
  const runAgain = createRunAgain()
  return {
    reader,
    outboxSignal: signal,
    transact: (work, kind = 'durable', projectIds = []) =>
      runAgain(async () => {
        lock?.check()
        const borrowed = await clients.borrow(kind === 'migration')
        return transactOn(borrowed, { kind, projectIds }, (send) => {
          // It may have been lost while this waited for the connection.
          lock?.check()
          const sendPrepared: Connection['sendPrepared'] = (text, values) =>
            send((queries) => runNamed(queries, text, values))
          return work({ ...connectionOf(borrowed.queries), sendPrepared })
        })
      }, kind),
    inTurn: createProcessTurns({ newClient: () => createClient(address, SIGNAL_MS), presence: told }),
    // The engine removes what nobody sees any more by itself.
    truncateLog: async () => true,
    transactionsAtOnce: AT_ONCE,
    async bytesElsewhere() {
      const { rows } = await clients.any.query('select pg_database_size(current_database()) as bytes')
      return rows[0].bytes
    },
    scans: scansOn({ ...reader, pause: () => scope.pause() }, scope, scanLimitMs),
    async close() {
      await scope.end()
      await signal.close()
      await clients.close()
      // Last: until then something may be written.
      await lock?.close()
    },
  }
}
