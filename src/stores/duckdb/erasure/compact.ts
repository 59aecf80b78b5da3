/**
 * Returns the disk space of removed rows, which the engine never does by itself, so that nothing is left of them: live
 * rows are copied into a new file next to the old one, which then replaces it by rename.
 *
 * Most rows are copied while the store goes on working: rows of the large tables are only ever added, under increasing
 * numbers, so rows added meanwhile are found by their number. The rest is copied while writes wait (and the outbox
 * holds what arrives). If rows are removed meanwhile, the copy is discarded and started again. A kill leaves the old
 * file or the new one complete; the remains of a copy are removed when the store is opened (see
 * stores/duckdb/database.ts).
 */
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Compaction } from '../../../model/events/erasure.ts'
import { attachFile, CATALOG, type Database, removeRewrite, rewriteOf } from '../database.ts'
import type { Parts } from '../progress.ts'
import { createSchema } from '../schema.ts'
import { int } from '../values/literal.ts'

const FRESH = 'fresh'
/** Share of wasted space that is worth a rewrite when no rows were removed: rows that were folded or replaced. */
const MIN_WASTED = 0.25
/** Removals are rare, and a copy takes minutes at most. */
const ATTEMPTS = 5

/**
 * Tables whose rows are only ever added, with the number that increases; the other tables are copied whole at the end.
 */
const GROWING = { events: 'ord', moments: 'ord', long_texts: 'id' } as const
const WHOLE = [
  'recent_moments',
  'persons',
  'fresh_persons',
  'distinct_ids',
  'fresh_distinct_ids',
  'batches',
  'erasures',
  'installation',
] as const

type Bounds = Record<keyof typeof GROWING, bigint>

/**
 * Free blocks, and the share of removed events in the others: the engine rewrites a row group only when most of it is
 * gone.
 */
async function wastedShare(connection: DuckDBConnection): Promise<number> {
  // Only a checkpoint shows what is free.
  await connection.run(`CHECKPOINT ${CATALOG}`)
  const sql = `SELECT (free_blocks + used_blocks * (1 - live / greatest(kept, live, 1))) / greatest(total_blocks, 1)
    FROM pragma_database_size(), (SELECT count(*) AS live FROM events), (
      SELECT estimated_size AS kept FROM duckdb_tables() WHERE database_name = '${CATALOG}' AND table_name = 'events')
    WHERE pragma_database_size.database_name = '${CATALOG}'`
  return (await connection.runAndReadAll(sql)).getRows()[0]?.[0] as number
}

async function hasRemovals(connection: DuckDBConnection): Promise<boolean> {
  return (await connection.runAndReadAll('SELECT 1 FROM removals LIMIT 1')).getRows().length > 0
}

async function inFresh<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run(`USE ${FRESH}`)
  try {
    return await work()
  } finally {
    await connection.run(`USE ${CATALOG}`)
  }
}

const insert = (table: string, condition = 'true') =>
  `INSERT INTO ${FRESH}.${table} SELECT * FROM ${CATALOG}.${table} WHERE ${condition}`

async function boundsOf(connection: DuckDBConnection): Promise<Bounds> {
  const columns = Object.entries(GROWING).map(
    ([table, by]) => `(SELECT coalesce(max(${by}), 0) FROM ${table}) AS ${table}`,
  )
  const [row] = (await connection.runAndReadAll(`SELECT ${columns.join(', ')}`)).getRowObjects()
  return row as unknown as Bounds
}

/** Copies the current rows of the large tables; returns up to which number. */
async function copyMost(connection: DuckDBConnection, file: string): Promise<Bounds> {
  await attachFile(connection, file, FRESH)
  await inFresh(connection, () => createSchema(connection))
  const bounds = await boundsOf(connection)
  for (const [table, by] of Object.entries(GROWING)) {
    await connection.run(insert(table, `${by} <= ${int(bounds[table as keyof Bounds])}`))
  }
  return bounds
}

async function copyRest(connection: DuckDBConnection, bounds: Bounds): Promise<void> {
  for (const [table, by] of Object.entries(GROWING)) {
    await connection.run(insert(table, `${by} > ${int(bounds[table as keyof Bounds])}`))
  }
  for (const table of WHOLE) await connection.run(insert(table))
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

async function detachFresh(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DETACH DATABASE IF EXISTS ${FRESH}`)
}

/** Runs `work` on a connection; when `signal` is aborted, the running statement ends with an error. */
async function interruptible<T>(
  database: Database,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  return database.read(async (connection) => {
    const interrupt = () => connection.interrupt()
    signal?.throwIfAborted()
    signal?.addEventListener('abort', interrupt)
    try {
      return await work(connection)
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  })
}

async function rewrite(parts: Parts, path: string, signal: AbortSignal | undefined): Promise<Compaction | null> {
  const { database } = parts
  const file = rewriteOf(path)
  const before = statSync(path).size
  const { removals } = parts
  try {
    const bounds = await interruptible(database, signal, (connection) => copyMost(connection, file))
    signal?.throwIfAborted()
    const exchanged = await database.exchange(async (connection) => {
      if (parts.removals !== removals) return null
      await copyRest(connection, bounds)
      await connection.run(`CHECKPOINT ${FRESH}`)
      await detachFresh(connection)
      sync(file)
      return file
    })
    return exchanged ? { before, after: statSync(path).size } : null
  } finally {
    await database.read(detachFresh)
    removeRewrite(path)
  }
}

export async function compact(parts: Parts, signal?: AbortSignal): Promise<Compaction | null> {
  const { path, exclusive, read } = parts.database
  if (path === null) return null
  const wasted = await exclusive(wastedShare)
  if (wasted < MIN_WASTED && !(await read(hasRemovals))) return null
  for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
    const sizes = await rewrite(parts, path, signal)
    if (sizes) return sizes
  }
  throw new Error('The event store could not be written anew: rows were removed again and again.')
}
