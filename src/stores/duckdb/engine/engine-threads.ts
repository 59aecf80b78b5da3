/**
 * The engine's own threads, at a low priority where the system has one for each thread (Linux): what they compute gives
 * way to capture, which runs in the thread that answers requests, in that of the event store's JavaScript and in
 * libuv's. Those keep theirs, so applying the outbox does too.
 */
import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { hasThreadPriorities, lowerPriority } from '../../../lib/concurrency/thread-priority.ts'

const TASKS = '/proc/self/task'
const ATTEMPTS = 10

const threadIds = (): number[] => readdirSync(TASKS).map(Number)

/** How the engine has to be opened: with no thread of its own. */
export const NO_THREADS = {
  threads: '1',
  external_threads: '1',
  // A thread turns to another statement after a portion of one; otherwise a list would wait for a whole insight.
  scheduler_process_partial: 'true',
}

async function start(connection: DuckDBConnection, count: number): Promise<void> {
  await connection.run(`SET threads = ${count}`)
  // Statements of readers are computed by these threads alone; see background-statements.ts.
  await connection.run('SET external_threads = 0')
}

async function end(connection: DuckDBConnection): Promise<void> {
  await connection.run('SET external_threads = 1')
  await connection.run('SET threads = 1')
}

/**
 * Starts this many threads of the engine. Whichever threads of the process appear meanwhile are the engine's if they are
 * as many; if another part of the process has started one at that moment, they are ended and started anew.
 */
export async function startEngineThreads(connection: DuckDBConnection, count: number): Promise<void> {
  if (!hasThreadPriorities) return start(connection, count)
  // At its first use libuv starts all of its threads.
  await stat(TASKS)
  for (let attempt = 1; ; attempt++) {
    const before = new Set(threadIds())
    await start(connection, count)
    const appeared = threadIds().filter((id) => !before.has(id))
    if (appeared.length === count) {
      for (const id of appeared) lowerPriority(id)
      return
    }
    if (attempt === ATTEMPTS) throw new Error(`The engine has started ${appeared.length} threads instead of ${count}.`)
    await end(connection)
  }
}
