/**
 * What looks through many rows, by the names of reader and method: served by a connection of its own, in a thread of
 * its own (scan-thread.ts), as a statement of SQLite keeps its thread until it ends. Scans that run at once take turns
 * between their portions; each has its own deadline, but for those that walk everything.
 */
import type { SqlReaders } from '../../../model/stores.ts'
import type { Connection } from '../connection.ts'
import { activityReader } from '../repositories/activity.ts'
import { dashboardReader } from '../repositories/dashboards.ts'
import { deletionReader } from '../repositories/deletions.ts'
import { deliveryReader } from '../repositories/deliveries.ts'
import { insightReader } from '../repositories/insights.ts'
import { intakeReader } from '../repositories/intake.ts'
import { type PersonSearch, personSearch } from '../repositories/persons/person-search.ts'
import { recordingSearch } from '../repositories/recordings/recording-search.ts'
import { subscriptionReader } from '../repositories/subscriptions.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqliteReader } from './open-sqlite.ts'
import { ScanScope } from './scan-scope.ts'

type Of<R extends keyof SqlReaders, M extends keyof SqlReaders[R]> = Pick<SqlReaders[R], M>

/** The methods of the readers that are served here. */
export interface ScanReaders {
  persons: PersonSearch
  recordings: Of<'recordings', 'list' | 'count'>
  activity: Of<'activity', 'page' | 'pageAfter'>
  deletions: Of<'deletions', 'list' | 'listAfter'>
  deliveries: Of<'deliveries', 'list'>
  intake: Of<'intake', 'warnings'>
  insights: Of<'insights', 'list'>
  dashboards: Of<'dashboards', 'list'>
  subscriptions: Of<'subscriptions', 'list'>
}

/** Each with whether it has a deadline: what is walked as a whole, page by page, has none. */
export const SCANS: { [R in keyof ScanReaders]: Record<keyof ScanReaders[R], boolean> } = {
  persons: { list: true, listAfter: false, count: true, topValues: true },
  recordings: { list: true, count: true },
  activity: { page: true, pageAfter: false },
  deletions: { list: true, listAfter: false },
  deliveries: { list: true },
  intake: { warnings: true },
  insights: { list: true },
  dashboards: { list: true },
  subscriptions: { list: true },
}

/** On one connection. */
export const readersOn = (connection: Connection): ScanReaders => ({
  persons: personSearch(connection),
  recordings: recordingSearch(connection),
  activity: activityReader(connection),
  deletions: deletionReader(connection),
  deliveries: deliveryReader(connection),
  intake: intakeReader(connection),
  insights: insightReader(connection),
  dashboards: dashboardReader(connection),
  subscriptions: subscriptionReader(connection),
})

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
