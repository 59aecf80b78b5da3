/** Opens PostgreSQL: a pool of connections, of which each transaction has one of its own. */
import pg from 'pg'
import { OperatorError } from '../../../lib/errors.ts'
import type { Connection, SqlEngine, TransactionKind } from '../connection.ts'
import { RecentBatches } from '../repositories/outbox/recent-batches.ts'
import { type ScanReaders, scansOn } from '../scan-readers.ts'
import { ScanScope } from '../scan-scope.ts'
import { queriesOn, ROW_TYPES, runNamed } from './clients.ts'
import { postgresDialect } from './dialect.ts'
import { runAgain } from './run-again.ts'

/** Connections of one process. */
const CONNECTIONS = 10

const BEGIN: Record<TransactionKind, string> = {
  durable: 'begin isolation level serializable',
  relaxed: 'begin isolation level serializable; set local synchronous_commit = off',
  migration: 'begin isolation level read committed',
}

export interface PostgresEngine extends SqlEngine {
  scans: ScanReaders
  close(): Promise<void>
}

interface Shared {
  recentBatches: RecentBatches
  addedWarnings: Connection['addedWarnings']
}

const noPause = async (): Promise<void> => {}

/** On one connection, or on any of a pool. */
function connectionOn(client: pg.ClientBase | pg.Pool, { recentBatches, addedWarnings }: Shared): Connection {
  const queries = client as pg.ClientBase
  return {
    db: queriesOn(queries),
    dialect: postgresDialect,
    runPrepared: (text, values) => runNamed(queries, text, values),
    async insertEach(text, rows) {
      const ids: (number | null)[] = []
      for (const row of rows) {
        const [stored] = await runNamed<{ id: number }>(queries, `${text} returning id`, row)
        ids.push(stored?.id ?? null)
      }
      return ids
    },
    recentBatches,
    addedBatches: new Map(),
    addedPersons: new Map(),
    addedWarnings,
    pause: noPause,
  }
}

/** A transaction on a connection of its own; one that cannot even be rolled back is closed. */
async function transactOn<T>(client: pg.PoolClient, begin: string, work: () => Promise<T>): Promise<T> {
  let isUsable = true
  try {
    await client.query(begin)
    const result = await work()
    const { command } = await client.query('commit')
    // After a statement that failed, whoever caught its error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction has failed; nothing of it is stored.')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isUsable = false
    })
    throw error
  } finally {
    client.release(!isUsable)
  }
}

export interface PostgresOptions {
  url: string
  /** Time limit of a list or a count. */
  scanLimitMs: number
}

export async function openPostgres({ url, scanLimitMs }: PostgresOptions): Promise<PostgresEngine> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, types: ROW_TYPES })
  // A connection that ended: what uses it fails, and the next use opens another.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (cause) {
    await pool.end()
    throw new OperatorError(`PostgreSQL cannot be used: ${(cause as Error).message}.`, cause)
  }
  const shared: Shared = { recentBatches: new RecentBatches(), addedWarnings: new Map() }
  const connections = new WeakMap<pg.PoolClient, Connection>()
  const connectionOf = (client: pg.PoolClient): Connection => {
    const known = connections.get(client) ?? connectionOn(client, shared)
    connections.set(client, known)
    return known
  }
  const reader = connectionOn(pool, shared)
  const scope = new ScanScope()
  return {
    reader,
    transact: (work, kind = 'durable') =>
      runAgain(async () => {
        const client = await pool.connect()
        return transactOn(client, BEGIN[kind], () => work(connectionOf(client)))
      }),
    // The engine removes what nobody sees any more by itself.
    truncateLog: async () => true,
    scans: scansOn({ ...reader, pause: () => scope.pause() }, scope, scanLimitMs),
    async close() {
      await scope.end()
      await pool.end()
    },
  }
}
