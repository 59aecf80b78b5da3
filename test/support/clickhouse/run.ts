/** Before the tests: two shards of ClickHouse 18.16 for the whole run, where it has been unpacked. */
import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { CLICKHOUSE } from '../../../scripts/clickhouse.mjs'
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

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await start()
  if (typeof found === 'string') project.provide('clickhouse', found)
  else {
    const { nodes, cluster, user, password } = found
    project.provide('clickhouse', { nodes: nodes.map(({ host, port }) => ({ host, port })), cluster, user, password })
  }
  return async () => {
    if (typeof found !== 'string') await found.close()
  }
}
