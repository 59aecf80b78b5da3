/**
 * Where the store stands: how many events were ever appended, how far the index by distinct id reaches, and
 * how many projection rows wait to be folded in. Read once when the store opens; changed only by committed
 * transactions of the one writer.
 */
import type { Database } from './open.ts'

export interface Progress {
  /** The `ord` of the last event appended; 0 when there is none. */
  lastOrd: number
  /** Events up to this `ord` are in `moments`, later ones are not. */
  indexedOrd: number
  freshPersons: number
  freshDistinctIds: number
}

export async function readProgress(database: Database): Promise<Progress> {
  return database.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT (SELECT max(ord) FROM events), (SELECT max(ord) FROM moments),
        (SELECT count(*) FROM fresh_persons), (SELECT count(*) FROM fresh_distinct_ids)`,
    )
    const [lastOrd, indexedOrd, freshPersons, freshDistinctIds] = found.getRows()[0]?.map((n) => Number(n ?? 0)) ?? []
    return {
      lastOrd: Math.max(lastOrd ?? 0, indexedOrd ?? 0),
      indexedOrd: indexedOrd ?? 0,
      freshPersons: freshPersons ?? 0,
      freshDistinctIds: freshDistinctIds ?? 0,
    }
  })
}
