/**
 * Reads whose memory use depends on the data: parsing JSON takes much memory, and two such reads may run at once. A
 * read that does not fit is refused with a message for the caller; nothing else is affected.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { unavailable } from '../../../lib/errors.ts'
import type { Parts } from '../progress.ts'

const SHORTAGE = /^Out of Memory Error/
const RETRY_SECONDS = 5

export async function readWithinMemory<T>(
  { database }: Parts,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  try {
    return await database.read(work)
  } catch (cause) {
    if (!(cause instanceof Error) || !SHORTAGE.test(cause.message)) throw cause
    throw unavailable(
      'The events take more memory than there is now. Narrow the request or try again.',
      RETRY_SECONDS,
      cause,
    )
  }
}
