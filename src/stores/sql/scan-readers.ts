/**
 * The methods of the readers that look through many rows, by the names of reader and method, and which of them have a
 * deadline. How an engine serves them apart from the look-ups is its own affair (sqlite/scans.ts).
 */
import type { SqlReaders } from '../../model/stores.ts'
import type { Connection } from './connection.ts'
import { activityReader } from './repositories/activity.ts'
import { dashboardReader } from './repositories/dashboards.ts'
import { deletionReader } from './repositories/deletions.ts'
import { deliveryReader } from './repositories/deliveries.ts'
import { insightReader } from './repositories/insights.ts'
import { intakeReader } from './repositories/intake.ts'
import { type PersonLists, personLists } from './repositories/persons/person-lists.ts'
import { recordingSearch } from './repositories/recordings/recording-search.ts'
import { subscriptionReader } from './repositories/subscriptions.ts'
import type { ScanScope } from './scan-scope.ts'

type Of<R extends keyof SqlReaders, M extends keyof SqlReaders[R]> = Pick<SqlReaders[R], M>

/** The methods of the readers that are served as scans. */
export interface ScanReaders {
  persons: PersonLists
  recordings: Of<'recordings', 'list' | 'count' | 'totalsOf' | 'candidates'>
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
  persons: { list: true, listAfter: false, listByIds: false, count: true },
  recordings: { list: true, count: true, totalsOf: true, candidates: true },
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
  persons: personLists(connection),
  recordings: recordingSearch(connection),
  activity: activityReader(connection),
  deletions: deletionReader(connection),
  deliveries: deliveryReader(connection),
  intake: intakeReader(connection),
  insights: insightReader(connection),
  dashboards: dashboardReader(connection),
  subscriptions: subscriptionReader(connection),
})

export type Method = (...args: unknown[]) => Promise<unknown>

/** The same readers, with each call a scan of this scope; a signal may be the last argument. */
export function scansOn(connection: Connection, scope: ScanScope, limitMs: number): ScanReaders {
  const scanned = Object.entries(readersOn(connection)).map(([reader, methods]) => {
    const timed = Object.entries(SCANS[reader as keyof ScanReaders])
    const served = timed.map(([name, isTimed]): [string, Method] => [
      name,
      (...args) => {
        const last = args.at(-1)
        const signal = last instanceof AbortSignal ? last : null
        const asked = signal ? args.slice(0, -1) : args
        const scan = { limitMs: isTimed ? limitMs : Number.POSITIVE_INFINITY, signal }
        return scope.run(scan, () => (Reflect.get(methods, name) as Method)(...asked))
      },
    ])
    return [reader, Object.fromEntries(served)]
  })
  return Object.fromEntries(scanned) as ScanReaders
}
