import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They take a minute and more each; begun last, they would keep the run waiting for one process. */
const LONGEST = [
  'test/e2e/serve.test.ts',
  'src/stores/duckdb/events.test.ts',
  'src/stores/duckdb/columns/columns-contract.test.ts',
  'src/stores/sql/postgres/postgres.contract.test.ts',
  'test/api/operation/installation.test.ts',
  'test/api/subscriptions/deliveries.test.ts',
  'test/api/capture/capture.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((path) => moduleId.endsWith(path))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// biome-ignore lint/style/noDefaultExport: vitest looks for it
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/postgres/run.ts'],
    // Native addons want a process each.
    pool: 'forks',
    // The default leaves one core free: of two, half the machine. Tests wait for disks and child processes anyway.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when it comes: one second, the default, is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
