/**
 * A current ClickHouse: chdb-wasm, which takes some seconds to start and more than a gigabyte of memory. It has one node,
 * no cluster, and accepts any user.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHDB, NODE_OF_CHDB } from '../../../scripts/clickhouse.mjs'
import { type ClickhouseAccess, createDatabase } from './server.ts'

const PROGRAM = join(import.meta.dirname, 'chdb-process.mjs')

/** Why there is none here, or null. With CI=true a missing one is not accepted: the tests then fail. */
export const noChdb: string | null =
  existsSync(NODE_OF_CHDB) || process.env.CI === 'true' ? null : `no ${NODE_OF_CHDB} (run scripts/test-setup.mjs)`

export interface ChdbServer extends ClickhouseAccess {
  /** A new one; its name. */
  createDatabase(): Promise<string>
  close(): Promise<void>
}

/** To make its code fast takes longer than to run what tests ask, once. */
const FLAGS = ['--liftoff-only']

/** Ends with this process. */
export async function startChdb(): Promise<ChdbServer> {
  const server = spawn(NODE_OF_CHDB, [...FLAGS, PROGRAM, CHDB], { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  const ended = once(server, 'exit')
  const [said] = await Promise.race([once(server.stdout, 'data'), ended])
  if (!Buffer.isBuffer(said)) throw new Error(`ClickHouse has ended with ${said}.`)
  const access = {
    nodes: [{ host: '127.0.0.1', port: Number(said) }],
    cluster: null,
    user: 'hedgerow',
    password: 'any',
  }
  return {
    ...access,
    createDatabase: () => createDatabase(access),
    async close() {
      server.stdin.end()
      await ended
    },
  }
}
