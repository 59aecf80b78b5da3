/** Prometheus metrics of this process. Labels are route patterns and names of stores, never ids. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { addGauges, type Readings } from './gauges.ts'
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
  /** Counts objects of recordings that were joined into fewer. */
  joined(objects: number, bytes: number): void
  /** Counts what a sweep found of bytes without a block, and of blocks without bytes. */
  swept(found: { orphans: number; orphanBytes: number; missing: number }): void
  /** Counts a request, or a part of one, that was refused. */
  refused(reason: string): void
  /** Counts a message of a report; `retried` ones are tried again later. */
  delivered(kind: DeliveryKind, outcome: DeliveryOutcome): void
  /** Counts jumps of the machine's clock. */
  clockJumped(direction: ClockDirection): void
}

const DELIVERY_KINDS = ['email', 'slack', 'teams', 'webhook'] as const
type DeliveryKind = (typeof DELIVERY_KINDS)[number]
const DELIVERY_OUTCOMES = ['sent', 'failed', 'retried'] as const
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number]
const CLOCK_DIRECTIONS = ['ahead', 'back'] as const
type ClockDirection = (typeof CLOCK_DIRECTIONS)[number]

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

function byteMeters(registry: Registry): Pick<Metrics, 'joined' | 'swept'> {
  const counter = (name: string, help: string) =>
    new Counter({ name: `hedgerow_${name}_total`, help, registers: [registry] })
  const objects = counter('joined_objects', 'Objects with bytes of recordings that were joined into fewer.')
  const bytes = counter('joined_bytes', 'Bytes of these objects.')
  const orphans = counter('sweep_orphans', 'Files or objects removed by the nightly sweep, as no recording named them.')
  const orphanBytes = counter('sweep_orphan_bytes', 'Bytes of these files or objects.')
  const missing = counter(
    'sweep_missing_blocks',
    'Blocks whose bytes the nightly sweep did not find, each night again.',
  )
  return {
    joined(count, size) {
      objects.inc(count)
      bytes.inc(size)
    },
    swept(found) {
      orphans.inc(found.orphans)
      orphanBytes.inc(found.orphanBytes)
      missing.inc(found.missing)
    },
  }
}

/** Refusals, deliveries and jumps of the clock. Series whose labels are known begin at 0, so that a first one shows as an increase. */
function eventCounters(registry: Registry): Pick<Metrics, 'refused' | 'delivered' | 'clockJumped'> {
  const registers = [registry]
  const refusals = new Counter({
    name: 'hedgerow_requests_refused_total',
    help: 'Requests, or the recordings in them, that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const deliveries = new Counter({
    name: 'hedgerow_deliveries_total',
    help: 'Messages of reports by kind of target and outcome; those retried are tried again later.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const jumps = new Counter({
    name: 'hedgerow_clock_jumps_total',
    help: 'Jumps of the clock: a day or more ahead, or more than a minute back.',
    labelNames: ['direction'],
    registers,
  })
  for (const kind of DELIVERY_KINDS) for (const outcome of DELIVERY_OUTCOMES) deliveries.inc({ kind, outcome }, 0)
  for (const direction of CLOCK_DIRECTIONS) jumps.inc({ direction }, 0)
  return {
    refused: (reason) => refusals.inc({ reason }),
    delivered: (kind, outcome) => deliveries.inc({ kind, outcome }),
    clockJumped: (direction) => jumps.inc({ direction }),
  }
}

/** The library's own gauges that are named like counters; the gauges by type beside them have the same sums. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Of the process, whatever is made in it: the library measures from here on, and never stops. */
let ofProcess: Registry | null = null

function measureProcess(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}

function processMetrics(registry: Registry, version: string): void {
  ofProcess ??= measureProcess()
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name)
    if (metric) registry.registerMetric(metric)
  }
  const build = new Gauge({
    name: 'hedgerow_build_info',
    help: 'The running version; always 1.',
    labelNames: ['version'],
    registers: [registry],
  })
  build.set({ version }, 1)
}

export function createMetrics(readings: Readings, version: string): Metrics {
  const registry = new Registry()
  processMetrics(registry, version)
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
  addGauges(registry, readings)
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
    ...byteMeters(registry),
    ...eventCounters(registry),
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
