/**
 * Recurring work as jobs: each tick of a cron expression (UTC) becomes one, with the key `<name>@<tick>`. Of several
 * missed ticks, also at the first start, only the newest becomes a job. It replaces a job of an earlier tick that is not
 * running: running once is enough for both. A stored tick in the future was set before the clock went back: it is reset,
 * and ticks continue from now.
 */
import { Cron } from 'croner'
import { jobBackoff } from '../lib/concurrency/backoff.ts'
import { formatInstant, MINUTE, SECOND } from '../lib/time/time.ts'
import type { Job, Lease, Worker } from '../model/job.ts'
import type { SqlStores } from '../model/stores.ts'

export interface Recurring {
  name: string
  /** Five fields, UTC. */
  cron: string
  /** It removes expired data: does not run while the clock is not trusted (lib/time/clock-trust.ts). */
  destructive: boolean
  /** `job.runAt` is the tick, or the time of the retry after a failed run. */
  run: (job: Job, lease: Lease) => Promise<void>
}

const MAX_ATTEMPTS = 5
/** A smaller correction of the clock does not count as going back: the next tick comes soon. */
const SLACK = MINUTE

/** One run of an entry at a time. */
export const workerOf = ({ name, destructive, run }: Recurring): Worker => ({
  kind: name,
  destructive,
  atOnce: 1,
  maxAttempts: MAX_ATTEMPTS,
  backoff: jobBackoff,
  run,
})

/** Croner searches strictly before the reference, and in whole seconds only. */
const newestTick = (cron: Cron, now: number): number | undefined =>
  cron.previousRuns(1, new Date(Math.floor(now / SECOND) * SECOND + SECOND))[0]?.getTime()

export class Ticks {
  readonly #stores: Pick<SqlStores, 'queueTransaction'>
  readonly #lines: { name: string; cron: Cron; last: number }[]

  constructor(entries: Recurring[], stores: Pick<SqlStores, 'queueTransaction'>) {
    this.#stores = stores
    this.#lines = entries.map(({ name, cron }) => ({
      name,
      // Not by the name of a time zone: for that the library asks for calendars, which takes 30 ms at the start.
      cron: new Cron(cron, { utcOffset: 0, paused: true }),
      last: Number.NEGATIVE_INFINITY,
    }))
  }

  /** Adds the jobs of the ticks that have come. */
  async add(now: number): Promise<void> {
    for (const line of this.#lines) {
      const tick = newestTick(line.cron, now)
      if (tick === undefined || (tick <= line.last && line.last <= now + SLACK)) continue
      await this.#addTick(line.name, tick, now)
      line.last = tick
    }
  }

  async #addTick(name: string, tick: number, now: number): Promise<void> {
    await this.#stores.queueTransaction(async ({ jobs }) => {
      // Another process may have claimed the tick already.
      if (!(await jobs.advanceTick(name, tick, now + SLACK))) return
      await jobs.supersede(name, tick, now)
      const key = `${name}@${formatInstant(tick)}`
      await jobs.add({ kind: name, key, projectId: null, payload: null, runAt: tick })
    })
  }
}
