/** Prometheus metrics of this process. Labels are route patterns and names of stores, never ids. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Histogram, type Series } from './histogram.ts'

export interface Metrics {
  registry: Registry
  /** Counts the requests of one route pattern. */
  requestsOf(route: string): RequestMeter
  /** Runs `work` and records its duration under the names of the store and the operation. */
  timeStore<T>(store: string, operation: string, work: () => Promise<T>): Promise<T>
  /** The steps of the capture pipeline. */
  capture: CaptureMeters
  /** Counts recordings removed because they expired or the project's quota was exceeded. */
  retention(recordings: number, bytes: number): void
}

type RequestMeter = (method: string, status: number, seconds: number) => void

interface CaptureMeters {
  step(step: string, ms: number): void
  dropped(reason: string, count: number): void
  accepted(count: number): void
}

function captureMeters(registry: Registry): CaptureMeters {
  const registers = [registry]
  const steps = new Histogram(
    {
      name: 'hedgerow_capture_step_duration_seconds',
      help: 'Duration of each step of the capture pipeline, per request.',
      buckets: [0.00001, 0.0001, 0.001, 0.01, 0.1, 1],
    },
    registry,
  )
  const drops = new Counter({
    name: 'hedgerow_capture_dropped_events_total',
    help: 'Events not stored, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const taken = new Counter({ name: 'hedgerow_capture_events_total', help: 'Events stored.', registers })
  return {
    step: (step, ms) => steps.series(step, () => ({ step })).observe(ms / 1_000),
    dropped: (reason, count) => drops.inc({ reason }, count),
    accepted: (count) => taken.inc(count),
  }
}

function retentionMeter(registry: Registry): Metrics['retention'] {
  const registers = [registry]
  const name = 'hedgerow_retention'
  const recordings = new Counter({
    name: `${name}_recordings_total`,
    help: 'Recordings removed by age or quota.',
    registers,
  })
  const bytes = new Counter({ name: `${name}_bytes_total`, help: 'Bytes of these recordings.', registers })
  return (count, freed) => {
    recordings.inc(count)
    bytes.inc(freed)
  }
}

interface Backlog {
  length: number
  ageSeconds: number
}

/** Backlogs, read when the metrics are scraped. */
export interface Backlogs {
  outbox: () => Promise<Backlog & { parked: number }>
  jobs: () => Promise<Backlog & { parked: number }>
  deletionsOverdue: () => Promise<number>
  /** 0 while the clock is trusted. */
  clockAheadSeconds: () => number
}

/** Gauges that read their value when scraped: each on its own, because the registry collects all of them at once. */
function addGauges<K extends string>(
  registry: Registry,
  helps: Record<K, string>,
  read: () => Promise<Record<K, number>>,
): void {
  for (const name of Object.keys(helps) as K[]) {
    const collect = async (): Promise<void> => gauge.set((await read())[name])
    const gauge: Gauge = new Gauge({ name, help: helps[name], registers: [registry], collect })
  }
}

function backlogGauges(registry: Registry, { outbox, jobs, deletionsOverdue, clockAheadSeconds }: Backlogs): void {
  const outboxMetrics = {
    hedgerow_outbox_rows: 'Batches waiting for the event store.',
    hedgerow_outbox_age_seconds: 'Age of the oldest outbox row; 0 when none waits.',
    hedgerow_outbox_parked: 'Batches that the event store refuses and that wait for a person.',
  }
  addGauges(registry, outboxMetrics, async () => {
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
  addGauges(registry, jobMetrics, async () => {
    const { length, ageSeconds, parked } = await jobs()
    return { hedgerow_jobs_due: length, hedgerow_jobs_age_seconds: ageSeconds, hedgerow_jobs_parked: parked }
  })
  const deletionMetrics = { hedgerow_deletions_overdue: 'Event deletions that are late by more than an hour.' }
  addGauges(registry, deletionMetrics, async () => ({ hedgerow_deletions_overdue: await deletionsOverdue() }))
  const clockMetrics = {
    hedgerow_clock_held: '1 while the clock has jumped ahead and nothing is removed for its age.',
    hedgerow_clock_ahead_seconds: 'By how much the clock has jumped ahead while that is so; else 0.',
  }
  addGauges(registry, clockMetrics, async () => {
    const ahead = clockAheadSeconds()
    return { hedgerow_clock_held: ahead > 0 ? 1 : 0, hedgerow_clock_ahead_seconds: ahead }
  })
}

export function createMetrics(backlogs: Backlogs): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram(
    {
      name: 'hedgerow_http_request_duration_seconds',
      help: 'Duration of HTTP requests by route pattern, method and status.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    },
    registry,
  )
  const stores = new Histogram(
    {
      name: 'hedgerow_store_duration_seconds',
      help: 'Duration of operations on a store.',
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    },
    registry,
  )
  backlogGauges(registry, backlogs)
  return {
    registry,
    requestsOf(route) {
      // The key of a series is built once per method and status: building it for each request took 5% of the request.
      const byMethod = new Map<string, Map<number, Series>>()
      return (method, status, seconds) => {
        let byStatus = byMethod.get(method)
        if (!byStatus) {
          byStatus = new Map()
          byMethod.set(method, byStatus)
        }
        let series = byStatus.get(status)
        if (!series) {
          const labels = { method, route, status: String(status) }
          series = requests.series(`${status} ${method} ${route}`, () => labels)
          byStatus.set(status, series)
        }
        series.observe(seconds)
      }
    },
    capture: captureMeters(registry),
    retention: retentionMeter(registry),
    async timeStore(store, operation, work) {
      const since = performance.now()
      let outcome = 'error'
      try {
        const result = await work()
        outcome = 'ok'
        return result
      } finally {
        const labels = () => ({ store, operation, outcome })
        stores.series(`${outcome} ${store} ${operation}`, labels).observe((performance.now() - since) / 1_000)
      }
    },
  }
}
