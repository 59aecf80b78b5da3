/**
 * The reader methods that scan many rows: served by a connection of its own, in a thread of its own (scan-thread.ts),
 * as a statement of SQLite blocks its thread until it ends. Concurrent scans alternate between their portions; each has
 * its own deadline, except complete walks.
 */
import { readersOn, SCANS } from '../scan-readers.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqliteReader } from './open-sqlite.ts'
import { ScanScope } from './scan-scope.ts'

export interface ScanOptions {
  /** The SQLite file. */
  path: string
  limitMs: number
}

export type Method = (...args: unknown[]) => Promise<unknown>

/** The name of a method that is called here or in the thread, with a signal as the last argument or none. */
export const scanName = (reader: string, method: string): string => `${reader}.${method}`

/** What the thread serves: the methods by their names, and `close`, which waits for the scans in progress. */
export async function openScans({ path, limitMs }: ScanOptions): Promise<Record<string, Method>> {
  const scope = new ScanScope()
  const register: typeof registerSqliteFunctions = (database) => registerSqliteFunctions(database, () => scope.check())
  const connection = openSqliteReader(path, register, () => scope.pause())
  const readers = readersOn(connection)
  const methodOf = (reader: string, method: string) => Reflect.get(Reflect.get(readers, reader), method) as Method
  const served = Object.entries(SCANS).flatMap(([reader, methods]) =>
    Object.entries(methods).map(([method, isTimed]): [string, Method] => [
      scanName(reader, method),
      (...args) => {
        const last = args.at(-1)
        const signal = last instanceof AbortSignal ? last : null
        const asked = signal ? args.slice(0, -1) : args
        const scan = { limitMs: isTimed ? limitMs : Number.POSITIVE_INFINITY, signal }
        return scope.run(scan, () => methodOf(reader, method)(...asked))
      },
    ]),
  )
  const close = async () => {
    await scope.end()
    await connection.db.destroy()
  }
  return { ...Object.fromEntries(served), close }
}
