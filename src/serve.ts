/** `hedgerow serve` alone, statically imported: the build makes one file of it (scripts/bundle.mjs), which starts sooner. */
import type { Worker } from 'node:worker_threads'
import { runProgram } from './cli/run-program.ts'
import { serve } from './cli/serve.ts'

/** `eventsWorker`: has begun to load the event store's thread. */
export const start = (eventsWorker: Worker): Promise<void> =>
  runProgram({ serve: async () => (args, config) => serve(args, config, eventsWorker) })
