/** Entry file of the scans' worker thread: `scan-worker.ts` as the build has bundled it. */
import type { Bundles } from '../../../lib/bundle.cts'

const { runBundle } = require('../../../lib/bundle.cjs') as Bundles

runBundle('scan-worker')
