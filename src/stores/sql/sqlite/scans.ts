/**
 * The reader methods that scan many rows: served by a connection of its own, in a thread of its own (scan-thread.ts),
 * as a statement of SQLite blocks its thread until it ends. Concurrent scans alternate between their portions; each has
 * its own deadline, except complete walks.
 */
import { type Method, scansOn } from '../scan-readers.ts'
import { ScanScope } from '../scan-scope.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqliteReader } from './open-sqlite.ts'

export interface ScanOptions {
  /** The SQLite file. */
  path: string
  limitMs: number
}

/** The name of a method that is called here or in the thread, with a signal as the last argument or none. */
export const scanName = (reader: string, method: string): string => `${reader}.${method}`

/** What the thread serves: the methods by their names, and `close`, which waits for the scans in progress. */
export async function openScans({ path, limitMs }: ScanOptions): Promise<Record<string, Method>> {
  const scope = new ScanScope()
  const register: typeof registerSqliteFunctions = (database) => registerSqliteFunctions(database, () => scope.check())
  const connection = openSqliteReader(path, register, () => scope.pause())
  const served = Object.entries(scansOn(connection, scope, limitMs)).flatMap(([reader, methods]) =>
    Object.entries<Method>(methods).map(([name, method]): [string, Method] => [scanName(reader, name), method]),
  )
  const close = async () => {
    await scope.end()
    await connection.db.destroy()
  }
  return { ...Object.fromEntries(served), close }
}
