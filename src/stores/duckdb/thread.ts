/** What runs in the event store's own thread; see `openEventsThread`. */
import { serveThread } from '../../lib/thread.ts'
import { openDuckdbEvents } from './events.ts'

void serveThread((path: string) => openDuckdbEvents(path))
