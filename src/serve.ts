/** `hedgerow serve` alone, statically imported: the build makes one file of it (scripts/bundle.mjs), which starts sooner. */
import type { Worker } from 'node:worker_threads'
import { runProgram } from './cli/run-program.ts'
import { serve } from './cli/serve.ts'
import { endUnused } from './lib/concurrency/worker-thread.ts'

/** `eventsWorker`: has begun to load the event store's thread. */
export async function start(eventsWorker?: Worker): Promise<void> {
  await runProgram({ serve: async () => (args, config) => serve(args, config, eventsWorker) })
  // A start that has failed may have done so before it was used.
  if (process.exitCode && eventsWorker) endUnused(eventsWorker)
}
