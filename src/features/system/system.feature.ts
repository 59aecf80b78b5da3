/** The state of the process, put together: whether each part of it is well, and its metrics. */
import type { Metrics } from '../../http/metrics/metrics.ts'
import type { DiskWatch } from '../../lib/disk-space.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { describeHold, type Hold } from '../../lib/time/clock-trust.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Stores } from '../../model/stores.ts'
import { OVERDUE_AFTER } from '../../rules/erasure/deletion-schedule.ts'

export interface SystemParts {
  stores: Pick<Stores, 'ping' | 'events' | 'blobs' | 'outbox' | 'jobs' | 'deletions'>
  clock: Clock
  disk: Pick<DiskWatch, 'free' | 'isFull'>
  /** Why the clock is not believed; null while it is. */
  hold: () => Hold | null
  /** Null without a mail server. */
  mail: { trouble(): { since: number } | null } | null
  registry: Metrics['registry']
  /** Free bytes below which recordings, and events too, are not taken. */
  minFree: { recordings: number; events: number }
  metricsToken: string | null
}

/** Why the server is not ready, in words that everyone may read. */
export class NotReady extends Error {}

/** The stores, and the room that is left for what comes. */
function checksOf({ stores, clock, disk, hold, mail, minFree }: SystemParts): Record<string, () => Promise<unknown>> {
  return {
    sql: () => stores.ping(),
    events: () => stores.events.ping(),
    blobs: () => stores.blobs.ping(),
    disk: async () => {
      if (disk.isFull()) throw new NotReady('full: nothing can be stored')
      if (disk.free() < minFree.events) throw new NotReady('full: neither events nor recordings are taken')
      return disk.free() < minFree.recordings ? 'low: recordings are not taken' : undefined
    },
    outbox: async () => {
      const parked = await stores.outbox.parkedCount()
      return parked > 0 ? `${parked} parked: "hedgerow outbox list" shows them` : undefined
    },
    jobs: async () => {
      const { parked } = await stores.jobs.backlog(clock.now())
      return parked > 0 ? `${parked} parked: "hedgerow jobs list" shows them` : undefined
    },
    deletions: async () => {
      const overdue = await stores.deletions.overdue(clock.now() - OVERDUE_AFTER)
      return overdue > 0 ? `${overdue} late by more than an hour: the log says why` : undefined
    },
    clock: async () => {
      const held = hold()
      return held === null ? undefined : describeHold(held)
    },
    mail: async () => {
      const trouble = mail?.trouble()
      return trouble ? `cannot be sent since ${formatInstant(trouble.since)}: the log says why` : undefined
    },
  }
}

export function createSystemFeature(parts: SystemParts) {
  const { registry, metricsToken } = parts
  return {
    /** Each part by name: rejects when it does not answer, may say in words what is not as it should be. */
    checks: checksOf(parts),
    metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    metricsToken,
  }
}

export type SystemFeature = ReturnType<typeof createSystemFeature>
