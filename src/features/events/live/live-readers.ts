/** Everybody who reads events as they arrive: a number of places in this process, one timer for all while any is taken. */
import type { EventStream } from '../../../http/output/event-stream.ts'
import { AppError, unavailable } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { LiveEvent } from '../../../model/events/live-events.ts'
import type { Stores } from '../../../model/stores.ts'
import { type LiveQuery, readLiveFilter } from '../event-query.ts'
import { viewEvents } from '../event-view.ts'
import { LiveReader, type LiveReaderParts } from './live-reader.ts'

export interface LiveReadersParts {
  stores: Pick<Stores, 'liveEvents' | 'persons'>
  clock: Clock
}

/** Of the request that the stream is the answer to. */
interface Asked extends Pick<LiveReaderParts, 'isStillAdmitted'> {
  signal: AbortSignal
}

export const MAX_READERS = 50
const TICK_MS = 250
const RETRY_SECONDS = 10

const noPlace = (): AppError =>
  new AppError('unavailable', 'unavailable', `At most ${MAX_READERS} clients may read events as they arrive.`, {
    retryAfterSeconds: RETRY_SECONDS,
    reason: 'live_readers',
  })

export function createLiveReaders({ stores: { liveEvents, persons }, clock }: LiveReadersParts) {
  const readers = new Set<LiveReader>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** Readers of the same event share its text. */
  const written = new WeakMap<LiveEvent, Promise<string>>()
  const write = async (project: Project, event: LiveEvent): Promise<string> => {
    const [view] = await viewEvents(persons, project, [{ ...event, properties: JSON.parse(event.properties) }])
    return JSON.stringify(view)
  }
  const textOf = (project: Project, event: LiveEvent): Promise<string> => {
    const text = written.get(event) ?? write(project, event)
    written.set(event, text)
    return text
  }
  function join(reader: LiveReader): void {
    readers.add(reader)
    timer ??= setInterval(() => {
      for (const one of readers) one.tick()
    }, TICK_MS).unref()
  }
  function leave(reader: LiveReader): void {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    count: () => readers.size,

    /** What is committed from when this resolves on, until the client leaves or is no longer admitted. */
    async open(project: Project, query: LiveQuery, { signal, isStillAdmitted }: Asked): Promise<EventStream> {
      const filter = readLiveFilter(query, clock.now())
      if (isClosed) throw unavailable('The server is about to stop.', RETRY_SECONDS)
      if (readers.size >= MAX_READERS) throw noPlace()
      let unfollow = () => {}
      const ended = () => {
        leave(reader)
        unfollow()
      }
      const reader = new LiveReader({ clock, write: (event) => textOf(project, event), isStillAdmitted, ended })
      join(reader)
      try {
        unfollow = await liveEvents.follow(project.id, filter, (part) => reader.take(part))
      } catch (error) {
        reader.end()
        throw error
      }
      if (signal.aborted || isClosed) reader.end()
      if (!readers.has(reader)) unfollow()
      signal.addEventListener('abort', () => reader.end(), { once: true })
      // Headers are sent with the first bytes.
      reader.stream.comment('connected')
      return reader.stream
    },

    /** Ends all of them, and lets nobody in any more. */
    close(): void {
      isClosed = true
      for (const reader of [...readers]) reader.end()
    },
  }
}
