/**
 * What recurs becomes jobs: each tick of a cron line (UTC) one, with the key `<name>@<tick>`. Of the ticks that passed
 * unseen, at a first start too, only the newest is made up. A job of an earlier tick that nobody is working on gives
 * way to it: what is done now need not be done again for then.
 */
import { Cron } from 'croner'
import { formatInstant, MINUTE, SECOND } from '../lib/time.ts'
import type { Job, Lease, Worker } from '../model/job.ts'
import type { SqlStores } from '../model/stores.ts'

export interface Recurring {
  name: string
  /** Five fields, UTC. */
  cron: string
  /** `job.runAt` is the tick, or when a failed run is tried again. */
  run: (job: Job, lease: Lease) => Promise<void>
}

const MAX_ATTEMPTS = 5

/** 10 s, 30 s, 90 s, then every 5 minutes. */
const backoff = (attempt: number): number => Math.min(10 * SECOND * 3 ** (attempt - 1), 5 * MINUTE)

/** One run of an entry at a time. */
export const workerOf = ({ name, run }: Recurring): Worker => ({
  kind: name,
  atOnce: 1,
  maxAttempts: MAX_ATTEMPTS,
  backoff,
  run,
})

/** Croner looks strictly before the reference, and at whole seconds only. */
const newestTick = (cron: Cron, now: number): number | undefined =>
  cron.previousRuns(1, new Date(Math.floor(now / SECOND) * SECOND + SECOND))[0]?.getTime()

export class Ticks {
  readonly #stores: Pick<SqlStores, 'transaction'>
  readonly #lines: { name: string; cron: Cron; last: number }[]

  constructor(entries: Recurring[], stores: Pick<SqlStores, 'transaction'>) {
    this.#stores = stores
    this.#lines = entries.map(({ name, cron }) => ({
      name,
      cron: new Cron(cron, { timezone: 'UTC', paused: true }),
      last: Number.NEGATIVE_INFINITY,
    }))
  }

  /** Adds the jobs of the ticks that have come. */
  async add(now: number): Promise<void> {
    for (const line of this.#lines) {
      const tick = newestTick(line.cron, now)
      if (tick === undefined || tick <= line.last) continue
      await this.#addTick(line.name, tick, now)
      line.last = tick
    }
  }

  async #addTick(name: string, tick: number, now: number): Promise<void> {
    await this.#stores.transaction(async (tx) => {
      // Another process may have been first.
      if (!(await tx.jobs.advanceTick(name, tick))) return
      await tx.jobs.supersede(name, tick, now)
      const key = `${name}@${formatInstant(tick)}`
      await tx.jobs.add({ kind: name, key, projectId: null, payload: null, runAt: tick })
    })
  }
}
