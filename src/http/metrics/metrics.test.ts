import { createRequire } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { createMetrics } from './metrics.ts'

/** As the library loads it. */
const hooks: typeof import('node:perf_hooks') = createRequire(import.meta.url)('node:perf_hooks')

const readings = {
  outbox: async () => ({ length: 0, ageSeconds: 0, parked: 0 }),
  jobs: async () => ({ length: 0, ageSeconds: 0, parked: 0 }),
  deletionsOverdue: async () => 0,
  clockAheadSeconds: () => 0,
  diskFree: () => 0,
  ticks: async () => new Map<string, number>(),
  storeBytes: async () => new Map<string, number>(),
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('measures the process once, however often metrics are made', async () => {
  const first = createMetrics(readings, '1')
  const measured = vi.spyOn(hooks, 'monitorEventLoopDelay')
  const second = createMetrics(readings, '2')
  expect(measured).not.toHaveBeenCalled()
  first.refused('first')
  const [one, two] = [await first.registry.metrics(), await second.registry.metrics()]
  for (const text of [one, two]) {
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).not.toMatch(/^nodejs_active_handles_total/m)
  }
  expect(one).toContain('reason="first"')
  expect(two).not.toContain('reason="first"')
  expect(two).toContain('hedgerow_build_info{version="2"} 1')
})
