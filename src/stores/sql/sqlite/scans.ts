/**
 * Serves the scans of ../scan-readers.ts by a connection of its own, in a thread of its own (scan-thread.ts), as a statement of SQLite keeps its thread until it ends. Scans that run at once take turns
 * between their portions; each has its own deadline, but for those that walk everything.
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

/** A method that is called here or in the thread: under one name, with a signal at the end or none. */
export const scanName = (reader: string, method: string): string => `${reader}.${method}`

/** What the thread serves: the methods by their names, and `close`, which waits for the scans in hand. */
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
