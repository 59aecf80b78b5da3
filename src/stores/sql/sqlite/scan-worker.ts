/** Entry file of the scans' worker thread; see `scan-thread.ts`. Scans give way to capture. */
import { lowerPriority } from '../../../lib/concurrency/thread-priority.ts'
import { serveThread } from '../../../lib/concurrency/worker-thread.ts'
import { openScans } from './scans.ts'

lowerPriority()
serveThread(openScans)
