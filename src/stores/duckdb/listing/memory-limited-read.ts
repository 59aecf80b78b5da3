/**
 * Reads whose need of memory depends on the data: JSON is costly to read, and two such reads may meet. What does not
 * fit ends with a sentence for the caller; nothing else is harmed.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { unavailable } from '../../../lib/errors.ts'
import type { Parts } from '../progress.ts'

const SHORTAGE = /^Out of Memory Error/
const RETRY_SECONDS = 5

export async function readWithin<T>(
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
