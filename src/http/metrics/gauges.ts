/** Gauges of /metrics whose values are read when they are scraped. */
import { Gauge, type Registry } from 'prom-client'

interface Backlog {
  length: number
  ageSeconds: number
}

/** What is read when the metrics are scraped. */
export interface Readings {
  outbox: () => Promise<Backlog & { parked: number }>
  jobs: () => Promise<Backlog & { parked: number }>
  deletionsOverdue: () => Promise<number>
  /** 0 while the clock is trusted. */
  clockAheadSeconds: () => number
  /** Free bytes on the disk of the data folder. */
  diskFree: () => number
  /** The newest tick of each recurring thing, by its name. */
  ticks: () => Promise<Map<string, number>>
  /** Bytes on disk of each store, by its name. */
  storeBytes: () => Promise<Map<string, number>>
}

/** Gauges that read their value when scraped: each on its own, because the registry collects all of them at once. */
function addPlain<K extends string>(
  registry: Registry,
  helps: Record<K, string>,
  read: () => Promise<Record<K, number>>,
): void {
  for (const name of Object.keys(helps) as K[]) {
    const collect = async (): Promise<void> => gauge.set((await read())[name])
    const gauge: Gauge = new Gauge({ name, help: helps[name], registers: [registry], collect })
  }
}

interface Labelled {
  name: string
  help: string
  label: string
  read: () => Promise<Map<string, number>>
}

/** One series for each entry of what is read. */
function addLabelled(registry: Registry, { name, help, label, read }: Labelled): void {
  const collect = async (): Promise<void> => {
    const found = await read()
    gauge.reset()
    for (const [value, number] of found) gauge.set({ [label]: value }, number)
  }
  const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [registry], collect })
}

function addBacklogs(registry: Registry, { outbox, jobs, deletionsOverdue }: Readings): void {
  const outboxMetrics = {
    hedgerow_outbox_rows: 'Batches waiting for the event store.',
    hedgerow_outbox_age_seconds: 'Age of the oldest outbox row; 0 when none waits.',
    hedgerow_outbox_parked: 'Batches that the event store refuses and that wait for a person.',
  }
  addPlain(registry, outboxMetrics, async () => {
    const { length, ageSeconds, parked } = await outbox()
    return {
      hedgerow_outbox_rows: length,
      hedgerow_outbox_age_seconds: ageSeconds,
      hedgerow_outbox_parked: parked,
    }
  })
  const jobMetrics = {
    hedgerow_jobs_due: 'Jobs that are due, those being worked on included.',
    hedgerow_jobs_age_seconds: 'How long the oldest of them has been due; 0 when there is none.',
    hedgerow_jobs_parked: 'Jobs that could not be done and wait for a person.',
  }
  addPlain(registry, jobMetrics, async () => {
    const { length, ageSeconds, parked } = await jobs()
    return { hedgerow_jobs_due: length, hedgerow_jobs_age_seconds: ageSeconds, hedgerow_jobs_parked: parked }
  })
  const deletionMetrics = { hedgerow_deletions_overdue: 'Event deletions that are late by more than an hour.' }
  addPlain(registry, deletionMetrics, async () => ({ hedgerow_deletions_overdue: await deletionsOverdue() }))
}

export function addGauges(registry: Registry, readings: Readings): void {
  addBacklogs(registry, readings)
  const clockMetrics = {
    hedgerow_clock_held: '1 while the clock has jumped ahead and nothing is removed for its age.',
    hedgerow_clock_ahead_seconds: 'By how much the clock has jumped ahead while that is so; else 0.',
  }
  addPlain(registry, clockMetrics, async () => {
    const ahead = readings.clockAheadSeconds()
    return { hedgerow_clock_held: ahead > 0 ? 1 : 0, hedgerow_clock_ahead_seconds: ahead }
  })
  const diskMetrics = { hedgerow_disk_free_bytes: 'Free space on the disk of the data folder.' }
  addPlain(registry, diskMetrics, async () => ({ hedgerow_disk_free_bytes: readings.diskFree() }))
  addLabelled(registry, {
    name: 'hedgerow_last_tick_timestamp_seconds',
    help: 'When each recurring thing was last due and was begun.',
    label: 'name',
    read: async () => new Map([...(await readings.ticks())].map(([name, tick]) => [name, tick / 1_000])),
  })
  addLabelled(registry, {
    name: 'hedgerow_store_bytes',
    help: 'Bytes on disk of each store.',
    label: 'store',
    read: readings.storeBytes,
  })
}
