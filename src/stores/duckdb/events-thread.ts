/**
 * The event store in a worker thread: filling the engine's columns and reading its results takes as much JavaScript
 * time as engine time, a quarter of what capture would otherwise do in the thread that answers requests.
 */
import type { Worker } from 'node:worker_threads'
import { openThread, threadFile } from '../../lib/concurrency/worker-thread.ts'
import type { EmbeddedEventStore } from '../../model/events/store-copy.ts'

const FILE = threadFile(import.meta.url, './events-entry.cjs')

/**
 * An error that ends the thread ends the process, as any uncaught error does: unapplied batches are in the outbox. If
 * the engine is busy at that moment the process aborts, because its native module cannot be unloaded.
 */
function endProcess(error: Error): never {
  throw error
}

export interface EventsThreadOptions {
  path: string
  /** Time limit of a list, a count or a look-up; 10 s unless given. */
  readMs?: number | undefined
  /** Bytes that the engine may use. */
  memory?: number | undefined
}

/** `started`: a worker that has begun to load the thread's file; without it, one is started. */
export const openEventsThread = (options: EventsThreadOptions, started?: Worker): Promise<EmbeddedEventStore> =>
  openThread<EmbeddedEventStore>(started ?? FILE, options, endProcess)
