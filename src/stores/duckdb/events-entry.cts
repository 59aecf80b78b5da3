/** Entry file of the event store's worker thread: `events-worker.ts` as the build has bundled it. */
import type { Bundles } from '../../lib/bundle.cts'

const { runBundle } = require('../../lib/bundle.cjs') as Bundles

runBundle('events-worker')
