/**
 * `npm run soak`: the tests of kills, of a year of deliveries and of attacks, in full length. `npm run soak -- --rerun`:
 * every test that starts the app in its own process, on a SQL store that rolls each transaction back once and runs it
 * again. `npm run soak -- --replicas`: events on two shards of ClickHouse with two replicas each, some of which are killed;
 * as root on Debian it fetches ZooKeeper, and Java if there is none. Other arguments go to vitest.
 * `npm run soak -- --engines=scale`: see test/soak/scale.ts.
 */
import { spawnSync } from 'node:child_process'
import { fetchZookeeper } from './clickhouse.mjs'

const RUNS = {
  soak: { env: { SOAK: '1' }, args: ['run', 'kill', 'year', 'attack'] },
  rerun: { env: { RERUN: '1' }, args: ['related', 'test/support/rerun-stores.ts', '--run'] },
  replicas: {
    env: { REPLICAS: '1' },
    args: ['run', '--project', 'embedded', 'test/e2e/replicas/', '--no-file-parallelism'],
  },
}

const more = process.argv.slice(2)
const isScale = more.includes('--engines=scale')
const kind = ['rerun', 'replicas'].find((name) => more.includes(`--${name}`)) ?? 'soak'
const { env, args } = RUNS[kind]
const rest = more.filter((arg) => arg !== `--${kind}`)
if (kind === 'replicas') fetchZookeeper()
const [program, given] = isScale
  ? ['tsx', ['test/soak/scale.ts', ...more]]
  : ['vitest', [...args, '--disable-console-intercept', ...rest]]
const { status, error } = spawnSync(program, given, {
  stdio: 'inherit',
  env: isScale ? process.env : { ...process.env, ...env },
})
if (error) throw error
process.exitCode = status ?? 1
