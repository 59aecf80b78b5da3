/**
 * The event store in a thread of its own: filling the engine's columns and reading its answers is work of JavaScript
 * as much as of the engine, and a quarter of what capture would otherwise do in the thread that answers requests.
 */
import { openThread } from '../../lib/concurrency/worker-thread.ts'
import type { EventStore } from '../../model/events/event.ts'
import { LIMITS } from './progress.ts'

/** A thread runs built code only: seen from the sources, as in the tests, it lies in the built program. */
const isBuilt = import.meta.url.endsWith('.js')
const FILE = new URL(isBuilt ? './events-worker.js' : '../../../dist/stores/duckdb/events-worker.js', import.meta.url)

/**
 * A fault that kills the thread ends the process, as one that nobody caught here does: what waits is in the outbox.
 * Should the engine be at work at that moment the process aborts, for its module cannot be taken from under it.
 */
function endProcess(error: Error): never {
  throw error
}

export interface EventsThreadOptions {
  path: string
  /** How long a list, a count or a look-up may take. */
  readMs: number
}

export const openEventsThread = (path: string, readMs = LIMITS.readMs): Promise<EventStore> =>
  openThread<EventStore>(FILE, { path, readMs } satisfies EventsThreadOptions, endProcess)
