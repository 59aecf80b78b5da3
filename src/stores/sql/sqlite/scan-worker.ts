/** Entry file of the scans' worker thread; see `scan-thread.ts`. */
import { serveThread } from '../../../lib/concurrency/worker-thread.ts'
import { openScans } from './scans.ts'

void serveThread(openScans)
