/** Opens the file of an event store that no process uses, without changing it, for a look at whether it can be read. */
import { existsSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { EventStore } from '../../model/events/event.ts'
import { CATALOG, IN_MEMORY } from './database.ts'
import { highestSeq, readStamp } from './store-stamp.ts'

export type InspectedEvents = Pick<EventStore, 'stamp' | 'highestSeq' | 'close'>

/** Null when it is of a version that did not note which installation it belongs to: the next start migrates it. */
export async function inspectEvents(path: string): Promise<InspectedEvents | null> {
  if (!existsSync(path)) return { stamp: async () => null, highestSeq: async () => 0, close: async () => {} }
  const instance = await DuckDBInstance.create(IN_MEMORY)
  const connection = await instance.connect()
  const close = async () => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${CATALOG} (READ_ONLY)`)
    await connection.run(`USE ${CATALOG}`)
    // The whole column, so that a file with a hole in it shows.
    await connection.run('SELECT count(ts) FROM events')
    const tables =
      "SELECT 1 FROM duckdb_tables() WHERE table_name = 'installation' AND database_name = current_database()"
    const isStamped = (await connection.runAndReadAll(tables)).getRows().length > 0
    if (!isStamped) {
      await close()
      return null
    }
    const database = { read: <T>(work: (one: DuckDBConnection) => Promise<T>) => work(connection) }
    return { stamp: () => readStamp({ database }), highestSeq: () => highestSeq({ database }), close }
  } catch (error) {
    await close()
    throw error
  }
}
