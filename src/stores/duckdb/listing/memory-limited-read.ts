/**
 * Reads whose memory use depends on the data: parsing JSON takes much memory, and several such reads may run at once. A
 * read that does not fit is made again while no other runs. If it does not fit even then, it is refused with a message
 * for the caller; nothing else is affected.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { memoryShortage } from '../../memory-shortage.ts'
import type { Parts } from '../progress.ts'

const SHORTAGE = /^Out of Memory Error/

const isShortage = (error: unknown): boolean => error instanceof Error && SHORTAGE.test(error.message)

/** `work` may be done twice. */
export async function readWithinMemory<T>(
  { database }: Parts,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  try {
    return await database.read(work)
  } catch (error) {
    if (!isShortage(error)) throw error
  }
  try {
    return await database.read(work, { isAlone: true })
  } catch (cause) {
    if (!isShortage(cause)) throw cause
    throw memoryShortage(cause)
  }
}

/** Runs statements that must see the same rows: as of the first one. */
export async function inSnapshot<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION READ ONLY')
  try {
    const result = await work()
    await connection.run('COMMIT')
    return result
  } catch (error) {
    // After its deadline the connection refuses this, too: see within-deadline.ts.
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
}
