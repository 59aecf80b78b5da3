import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CLICKHOUSE } from './scripts/clickhouse.mjs'
import { hasPostgres } from './test/support/postgres/binaries.ts'

/** They take a minute and more each; begun last, they would keep the run waiting for one process. */
const LONGEST = [
  'test/e2e/web/walk.test.ts',
  'test/e2e/serve.test.ts',
  'src/stores/duckdb/events.test.ts',
  'src/stores/duckdb/columns/columns-contract.test.ts',
  'src/stores/sql/postgres/postgres.contract.test.ts',
  'src/stores/clickhouse/current-server.test.ts',
  'src/stores/clickhouse/events.test.ts',
  'src/stores/clickhouse/properties/columns-contract.test.ts',
  'test/e2e/deploy/dockerfile.test.ts',
  'test/e2e/copy.test.ts',
  'test/api/capture/people-in-any-order.test.ts',
  'test/api/operation/installation.test.ts',
  'test/api/subscriptions/deliveries.test.ts',
  'test/api/capture/capture.test.ts',
]

/** Of both projects. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((path) => moduleId.endsWith(path))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Starts the app, or SQL stores, in the test's own process. */
const USES_APP = /from '(?:\.\.\/)+support\/(?:app|command|rerun-stores)\.ts'/

/** Of the files in the data folder: opening those of earlier versions, putting a backup in place, there being none. */
const OF_THE_FILE = ['test/api/operation/data-folders.test.ts', 'test/cli/restore.test.ts', 'test/cli/no-store.test.ts']

/** Backups of PostgreSQL are not ours to make, and the other one has several processes on a server that it kills itself. */
const NO_KILLS = ['test/e2e/kills/backup-kill.test.ts', 'test/e2e/kills/postgres-kill.test.ts']

/** What they are on they choose themselves, or it makes no difference. */
const ANYWHERE = [
  'test/api/operation/processes.test.ts',
  'test/api/capture/intake-cost.test.ts',
  'test/api/http/compression.test.ts',
  'test/e2e/deploy/alerts.test.ts',
  'test/e2e/explorer.test.ts',
  'test/e2e/sub-path.test.ts',
  'test/api/http/app-page.test.ts',
  'test/api/http/home.test.ts',
  'test/api/http/metrics-access.test.ts',
  'test/api/http/openapi.test.ts',
  'test/api/http/openapi-rules.test.ts',
  'test/api/http/page-host.test.ts',
  'test/api/http/request-log.test.ts',
]

const testFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.test.ts'))

const KILLS = testFiles('test/e2e/kills')
const WEB = testFiles('test/e2e/web')

const onApps = (): string[] =>
  testFiles('test')
    .filter((path) => ![...OF_THE_FILE, ...ANYWHERE, ...KILLS, ...WEB].includes(path))
    .filter((path) => USES_APP.test(readFileSync(path, 'utf8')))

const shared = {
  // Native addons want processes, not threads. Each runs file after file: what most of them import is loaded once in it.
  pool: 'forks',
  // Tests make much that is needed for a moment only: a tenth of their time is saved in clearing it away.
  execArgv: ['--max-semi-space-size=64'] as string[],
  isolate: false,
  // The default leaves one core free: of two, half the machine. Tests wait for disks, engines and child processes: three
  // keep two cores busy.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // They only end what hangs. What is waited for comes when it comes: a busy machine takes many times as long.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
} as const

const embedded = { ...shared, name: 'embedded', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] }

/** What is on an app, once more: on PostgreSQL, ClickHouse and S3 (test/support/stores/stores.ts). */
const scale = {
  ...shared,
  name: 'scale',
  include: onApps(),
  env: { TEST_STORES: 'scale' },
  setupFiles: ['test/support/stores/drop-stores.ts'],
}

/** The program is killed, and so is PostgreSQL, before it is started again. */
const killedPostgres = {
  ...scale,
  name: 'killed-postgres',
  include: KILLS.filter((path) => !NO_KILLS.includes(path)),
  env: { TEST_STORES: 'killed-postgres' },
}

// biome-ignore lint/style/noDefaultExport: vitest looks for it
export default defineConfig({
  test: {
    globalSetup: [
      'test/support/run/priority.ts',
      'test/support/run/say-engines.ts',
      'test/support/run/temp-folder.ts',
      'test/support/run/build.ts',
      'test/support/data-folder/empty-stores.ts',
      'test/support/postgres/run.ts',
      'test/support/clickhouse/run.ts',
      'test/support/servers/s3-run.ts',
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      embedded,
      ...(hasPostgres() && existsSync(CLICKHOUSE) ? [scale] : []),
      ...(hasPostgres() ? [killedPostgres] : []),
    ].map((test) => ({ test })),
  },
})
