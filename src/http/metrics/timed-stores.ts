/** Wraps the stores so that the duration of each operation is recorded under the names of store and operation. */
import type { Stores } from '../../model/stores.ts'
import type { Metrics } from './metrics.ts'

function timed<T extends object>(metrics: Metrics, store: string, target: T): T {
  const entries = Object.entries(target).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      metrics.timeStore(store, name, () => (method as (...a: unknown[]) => Promise<unknown>)(...args)),
  ])
  return Object.fromEntries(entries) as T
}

export const timedStores = (stores: Stores, metrics: Metrics): Stores => ({
  ...stores,
  transaction: (work) => metrics.timeStore('sql', 'transaction', () => stores.transaction(work)),
  peopleTransaction: (projectIds, work) =>
    metrics.timeStore('sql', 'transaction', () => stores.peopleTransaction(projectIds, work)),
  exclusiveTransaction: (projectIds, work) =>
    metrics.timeStore('sql', 'transaction', () => stores.exclusiveTransaction(projectIds, work)),
  queueTransaction: (work) => metrics.timeStore('sql', 'transaction', () => stores.queueTransaction(work)),
  ping: () => metrics.timeStore('sql', 'ping', () => stores.ping()),
  events: timed(metrics, 'events', stores.events),
  blobs: timed(metrics, 'blobs', stores.blobs),
})
