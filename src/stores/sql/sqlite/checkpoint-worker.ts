/** Entry file of the thread that moves the log's pages; see `checkpoint-thread.ts`. */
import Database from 'better-sqlite3'
import { serveThread } from '../../../lib/concurrency/worker-thread.ts'
import type { Checkpoints, LogState } from './checkpoint-thread.ts'

/** A run leaves what was committed meanwhile; after a complete one SQLite begins the log anew. */
const MOST_RUNS = 3

async function openCheckpoints(path: string): Promise<Checkpoints> {
  const database = new Database(path, { fileMustExist: true })
  // The log is synced before its pages are moved, and the file afterwards.
  database.pragma('synchronous = FULL')
  return {
    async move() {
      for (let run = 1; run <= MOST_RUNS; run++) {
        const [state] = database.pragma('wal_checkpoint(PASSIVE)') as LogState[]
        if (state?.checkpointed === state?.log) return true
      }
      return false
    },
    async close() {
      database.close()
    },
  }
}

serveThread(openCheckpoints)
