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

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(CLICKHOUSE)) {
    project.provide('clickhouse', `no ClickHouse at ${CLICKHOUSE} (run scripts/test-setup.mjs)`)
    return async () => {}
  }
  try {
    const { nodes, cluster, user, password, close } = await startClickhouse({ shards: 2 })
    project.provide('clickhouse', { nodes: nodes.map(({ host, port }) => ({ host, port })), cluster, user, password })
    return close
  } catch (error) {
    project.provide('clickhouse', `ClickHouse did not start: ${(error as Error).message}`)
    return async () => {}
  }
}
