/**
 * Before the tests: two shards of ClickHouse 18.16 for the whole run, where it has been unpacked. After them: on which
 * engines the event store's contracts ran.
 */
import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { CLICKHOUSE } from '../../../scripts/clickhouse.mjs'
import { noChdb } from './chdb.ts'
import { type ClickhouseAccess, startClickhouse } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Or why there is none. */
    clickhouse: ClickhouseAccess | string
  }
}

/** Its servers; or why there are none. */
async function start(): Promise<Awaited<ReturnType<typeof startClickhouse>> | string> {
  if (!existsSync(CLICKHOUSE)) return `no ClickHouse at ${CLICKHOUSE} (run scripts/test-setup.mjs)`
  try {
    return await startClickhouse({ shards: 2 })
  } catch (error) {
    return `ClickHouse did not start: ${(error as Error).message}`
  }
}

/** Of the files with the contracts: the engine, and why it is not there. */
const contracts = (no18: string | null): [file: string, engine: string, missing: string | null][] => [
  ['duckdb/events.test.ts', 'DuckDB', null],
  ['clickhouse/events.test.ts', 'ClickHouse 18.16', no18],
  ['clickhouse/current-server.test.ts', 'ClickHouse 26.5', noChdb],
]

/** A line of the run's summary; null when it had none of the contracts. */
function summary({ vitest }: TestProject, no18: string | null): string | null {
  const files = vitest.state.getFiles().map(({ filepath }) => filepath)
  const had = contracts(no18).filter(([file]) => files.some((path) => path.endsWith(`/stores/${file}`)))
  if (had.length === 0) return null
  const ran = had.flatMap(([, engine, missing]) => (missing === null ? [engine] : []))
  const absent = had.flatMap(([, engine, missing]) => (missing === null ? [] : [`${engine} (${missing})`]))
  const not = absent.length === 0 ? '' : `; not there, so not run: ${absent.join(', ')}`
  return `Event engines (the contracts): ${ran.join(', ')}${not}`
}

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await start()
  if (typeof found === 'string') project.provide('clickhouse', found)
  else {
    const { nodes, cluster, user, password } = found
    project.provide('clickhouse', { nodes: nodes.map(({ host, port }) => ({ host, port })), cluster, user, password })
  }
  return async () => {
    const line = summary(project, typeof found === 'string' ? found : null)
    if (line !== null) console.log(line)
    if (typeof found !== 'string') await found.close()
  }
}
