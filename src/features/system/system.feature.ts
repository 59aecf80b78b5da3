/** The state of the process, put together: whether each part of it is well, its metrics, and its own view of itself. */
import { randomBytes } from 'node:crypto'
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
  mail: { trouble(): { since: number } | null; verify(): Promise<string | null> } | null
  registry: Metrics['registry']
  /** Free bytes below which recordings, and events too, are not taken. */
  minFree: { recordings: number; events: number }
  metricsToken: string | null
  version: string
  /** By variable, without secrets. */
  settings: Record<string, unknown>
}

/** What the command line asks a running server for. */
export interface ServerStatus {
  version: string
  pid: number
  started_at: string
  settings: Record<string, unknown>
  /** As on /_ready. */
  checks: Record<string, string>
  /** What is wrong with the mail server, tried just now; null: nothing. Absent without one. */
  mail?: { problem: string | null }
}

/** Why the server is not ready, in words that everyone may read. */
class NotReady extends Error {}

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

/** Each part by name, in words; `fine`: every one answers. */
async function runChecks(
  checks: ReturnType<typeof checksOf>,
): Promise<{ fine: boolean; words: Record<string, string> }> {
  const names = Object.keys(checks)
  const settled = await Promise.allSettled(names.map((name) => checks[name]?.()))
  const words = names.map((name, i) => {
    const outcome = settled[i]
    if (outcome?.status === 'fulfilled') return [name, String(outcome.value ?? 'ok')]
    return [name, outcome?.reason instanceof NotReady ? outcome.reason.message : 'failing']
  })
  return { fine: settled.every(({ status }) => status === 'fulfilled'), words: Object.fromEntries(words) }
}

export function createSystemFeature(parts: SystemParts) {
  const { registry, metricsToken, clock, mail, version, settings } = parts
  const checks = checksOf(parts)
  const started_at = formatInstant(clock.now())
  return {
    ready: () => runChecks(checks),
    /** Opens `status`; new at each start, and known to whoever may read the data folder. */
    statusToken: randomBytes(32).toString('base64url'),
    async status(): Promise<ServerStatus> {
      const tried = mail && { mail: { problem: await mail.verify() } }
      const { words } = await runChecks(checks)
      return { version, pid: process.pid, started_at, settings, checks: words, ...tried }
    },
    metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    metricsToken,
  }
}

export type SystemFeature = ReturnType<typeof createSystemFeature>
