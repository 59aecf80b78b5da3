/** Entry file of a backup's worker thread; see `make-backup.ts`. */
import { serveThread } from '../../lib/concurrency/worker-thread.ts'
import { openStoreFiles } from './store-files.ts'

serveThread(openStoreFiles)
