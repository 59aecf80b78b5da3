/**
 * A copy of the store as of one moment, in a file of its own. Most rows are copied first. Then the writer is held for
 * as long as the caller needs to fix the same moment elsewhere; a read transaction that begins before writes go on sees
 * that moment for as long as the rest takes, so that writes never wait for the copy itself.
 */
import { rmSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { SerialQueue } from '../../../lib/concurrency/serial-queue.ts'
import type { Copying, RowCounts } from '../../../model/events/store-copy.ts'
import { CATALOG, type Database } from '../database.ts'
import type { Parts } from '../progress.ts'
import { type CopiedMost, closeCopy, copyMost, copyRest, countCopied, detachCopy, interruptible } from './copy-rows.ts'
import { copied } from './without-removals.ts'

/** Waits for its turn in a queue and keeps it until the returned function is called. */
const takeTurn = (queue: SerialQueue): Promise<() => void> =>
  new Promise((resolve, reject) => {
    queue(() => new Promise<void>((release) => resolve(release))).catch(reject)
  })

interface CopyOrder {
  file: string
  signal: AbortSignal | undefined
  /** Called while nothing is written; the copy is of this moment. When it rejects, so does the copy. */
  held: () => Promise<void>
}

async function abandon({ read }: Database, file: string): Promise<void> {
  await read(detachCopy)
  for (const path of [file, `${file}.wal`]) rmSync(path, { force: true })
}

/** Sees the store as it is when the writer goes on. */
async function copyAtHold(
  { database: { exclusive } }: Parts,
  connection: DuckDBConnection,
  { file, held }: CopyOrder,
  bounds: () => CopiedMost | null,
): Promise<RowCounts | null> {
  const goOn = await takeTurn(exclusive)
  let most: CopiedMost | null
  try {
    most = bounds()
    if (most === null) return null
    await held()
    await connection.run('BEGIN')
    // The transaction sees what was committed when it first reads.
    await connection.run(`SELECT 1 FROM ${CATALOG}.batches LIMIT 1`)
  } finally {
    goOn()
  }
  try {
    await copyRest(connection, most)
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
  const counts = await countCopied(connection)
  await closeCopy(connection, file)
  return counts
}

/** Null when rows were removed meanwhile. */
async function attempt(parts: Parts, order: CopyOrder): Promise<RowCounts | null> {
  const { database, removals } = parts
  let counts: RowCounts | null = null
  try {
    const most = await interruptible(database, order.signal, (connection) => copyMost(connection, order.file, parts))
    const bounds = () => (parts.removals === removals ? most : null)
    // The connection is taken before the writer is held: a long read must not make writes wait.
    counts = await interruptible(database, order.signal, (connection) => copyAtHold(parts, connection, order, bounds))
    return counts
  } finally {
    if (counts === null) await abandon(database, order.file)
  }
}

const copyStore = (parts: Parts, order: CopyOrder): Promise<RowCounts> =>
  parts.copies(() => copied(parts, () => attempt(parts, order)))

interface Held {
  proceed: () => void
  drop: () => void
  done: Promise<RowCounts>
}

/** The copy in steps that a caller in another thread can take. */
export function createCopying(parts: Parts): Copying {
  let current: Held | null = null
  const take = (): Held | null => {
    const held = current
    current = null
    return held
  }
  return {
    beginCopy: (file, signal) =>
      new Promise((resolve, reject) => {
        const held = () =>
          new Promise<void>((proceed, refuse) => {
            current = { proceed, drop: () => refuse(new Error('The copy was abandoned.')), done }
            resolve()
          })
        const done = copyStore(parts, { file, signal, held })
        done.catch(reject)
      }),
    async finishCopy() {
      const held = take()
      if (!held) throw new Error('No copy of the event store was begun.')
      held.proceed()
      return held.done
    },
    async dropCopy() {
      const held = take()
      held?.drop()
      await held?.done.catch(() => undefined)
    },
  }
}
