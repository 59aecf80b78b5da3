/**
 * Returns the disk space of removed rows, which the engine never does by itself, so that nothing is left of them: live
 * rows are copied into a new file next to the old one, which then replaces it by rename.
 *
 * Most rows are copied while the store goes on working, the rest while writes wait (and the outbox holds what arrives;
 * see copy/copy-rows.ts). If rows are removed meanwhile, the copy is discarded and started again. A kill leaves the old
 * file or the new one complete; the remains of a copy are removed when the store is opened (see
 * stores/duckdb/database.ts).
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { SECOND } from '../../../lib/time/time.ts'
import type { Compaction } from '../../../model/events/erasure.ts'
import { dropUnusedColumns } from '../columns/columns-pass.ts'
import { closeCopy, copyMost, copyRest, detachCopy, interruptible } from '../copy/copy-rows.ts'
import { copied } from '../copy/without-removals.ts'
import { CATALOG, removeRewrite, rewriteOf } from '../database.ts'
import type { Parts } from '../progress.ts'
import { keptColumns } from '../properties/property-columns.ts'

/** Share of wasted space that is worth a rewrite when no rows were removed: rows that were folded or replaced. */
const MIN_WASTED = 0.25
/** Bytes that are: a new file has a few free blocks. */
const MIN_WASTED_BYTES = 16_000_000

/** How often a checkpoint is tried, and how long it is waited in between. */
const TRIES = 120
const PAUSE_MS = SECOND / 4

/** False while a read lasts that began before the last change: the engine keeps what that read sees. */
async function tryCheckpoint(connection: DuckDBConnection): Promise<boolean> {
  try {
    await connection.run(`CHECKPOINT ${CATALOG}`)
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('Cannot CHECKPOINT')) return false
    throw error
  }
}

/**
 * Of free blocks, and of the share of removed events in the others: the engine rewrites a row group only when most of it
 * is gone. Null: not known now.
 */
async function wastesMuch(connection: DuckDBConnection): Promise<boolean | null> {
  // Only a checkpoint shows what is free.
  if (!(await tryCheckpoint(connection))) return null
  const sql = `SELECT free_blocks + used_blocks * (1 - live / greatest(kept, live, 1)), total_blocks, block_size
    FROM pragma_database_size(), (SELECT count(*) AS live FROM events), (
      SELECT estimated_size AS kept FROM duckdb_tables() WHERE database_name = '${CATALOG}' AND table_name = 'events')
    WHERE pragma_database_size.database_name = '${CATALOG}'`
  const [row] = (await connection.runAndReadAll(sql)).getRows()
  const [wasted, total, size] = (row ?? []).map(Number) as [number, number, number]
  return wasted >= total * MIN_WASTED && wasted * size >= MIN_WASTED_BYTES
}

async function hasRemovals(connection: DuckDBConnection): Promise<boolean> {
  return (await connection.runAndReadAll('SELECT 1 FROM removals LIMIT 1')).getRows().length > 0
}

async function rewrite(parts: Parts, path: string, signal: AbortSignal | undefined): Promise<Compaction | null> {
  const { database, properties, personProperties } = parts
  const file = rewriteOf(path)
  const before = statSync(path).size
  const { removals } = parts
  try {
    const bounds = await interruptible(database, signal, (connection) => copyMost(connection, file, parts))
    signal?.throwIfAborted()
    const exchanged = await database.exchange(
      async (connection) => {
        if (parts.removals !== removals) return null
        await copyRest(connection, bounds)
        await closeCopy(connection, file)
        return file
      },
      () => {
        for (const known of [properties, personProperties]) known.inTable = keptColumns(known)
      },
    )
    return exchanged ? { before, after: statSync(path).size } : null
  } finally {
    await database.read(detachCopy)
    removeRewrite(path)
  }
}

/** False also when reads hold it up for too long: the next run looks again. */
async function isWasteful({ database, copies }: Parts, signal: AbortSignal | undefined): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    // Not while columns are being filled: the engine refuses a checkpoint beside another write.
    const wastes = await copies(() => database.exclusive(wastesMuch))
    if (wastes !== null || tries === TRIES) return wastes === true
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {})
  }
}

export async function compact(parts: Parts, signal?: AbortSignal): Promise<Compaction | null> {
  const { path, read } = parts.database
  if (path === null) return null
  // What was removed goes whatever else is wasted.
  if (!(await read(hasRemovals)) && !(await isWasteful(parts, signal))) return null
  return parts.copies(() =>
    copied(parts, async () => {
      await dropUnusedColumns(parts)
      return rewrite(parts, path, signal)
    }),
  )
}
