/** Entry file of the event store's worker thread; see `openEventsThread`. */
import { serveThread } from '../../lib/concurrency/worker-thread.ts'
import { openDuckdbEvents } from './events.ts'
import type { EventsThreadOptions } from './events-thread.ts'
import { LIMITS } from './progress.ts'

serveThread(({ path, readMs = LIMITS.readMs, memory }: EventsThreadOptions) =>
  openDuckdbEvents(path, { ...LIMITS, readMs }, memory),
)
