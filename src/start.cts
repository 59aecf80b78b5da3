#!/usr/bin/env node
/**
 * What has to be set before anything is loaded, then the program: `serve` as the build has bundled it, everything else
 * file by file. The event store's thread loads its part beside the rest.
 *
 * Files and compression are worked on by threads whose number is fixed at their first use: recordings wait for the
 * disk there, and four threads, the default, would make everything else wait with them.
 *
 * Every request makes objects for process.nextTick. When none of them is alive during the collections of the start,
 * the engine forgets their shape and makes them several times slower ever after. So one is kept.
 */
import type { Bundles } from './lib/bundle.cts'

process.env.UV_THREADPOOL_SIZE ??= '16'

/** Exported, so that nothing takes it for garbage. */
const kept: object[] = []
module.exports = { kept }
const hook = process.getBuiltinModule('node:async_hooks').createHook({
  init(_id, type, _trigger, resource) {
    if (type === 'TickObject') kept.push(resource)
  },
})
hook.enable()
process.nextTick(() => {})
hook.disable()

/** As every thread has it: see lib/concurrency/worker-thread.ts. */
const YOUNG_MB = 12

function serve(): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  // Not where events are elsewhere.
  const eventsWorker = process.env.HEDGEROW_EVENTS_URL
    ? undefined
    : new Worker(`${__dirname}/stores/duckdb/events-entry.cjs`, {
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      })
  const { runBundle } = require('./lib/bundle.cjs') as Bundles
  const { start } = runBundle('serve') as typeof import('./serve.ts')
  void start(eventsWorker)
}

const [command, ...args] = process.argv.slice(2)
if (command === 'serve' && !args.some((word) => ['--help', '-h'].includes(word))) serve()
else void import('./main.ts')
