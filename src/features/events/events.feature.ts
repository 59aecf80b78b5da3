/** Reading events: a page, all of them, one, the values of a property, and new ones as they arrive. Capture writes them. */

import { notFound } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { EventPageRequest, ListedEvent } from '../../model/events/event.ts'
import type { Stores } from '../../model/stores.ts'
import { type Cursor, linkTo, readCursor } from './event-cursor.ts'
import { type EventQuery, readEventFilter } from './event-query.ts'
import { type EventView, viewEvents } from './event-view.ts'
import { createLiveReaders } from './live/live-readers.ts'

export interface EventsParts {
  stores: Pick<Stores, 'events' | 'liveEvents' | 'persons'>
  clock: Clock
}

export interface EventPageQuery extends EventQuery {
  limit?: number
  cursor?: string
}

export interface ValuesQuery {
  key: string
  value?: string
  event?: string
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
/** Events read per page while all are walked. */
const WALK = 1_000
const MAX_VALUES = 20

const readRequest = ({ limit, cursor }: EventPageQuery): EventPageRequest => ({
  limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT),
  ...(cursor ? { from: readCursor(cursor) } : {}),
})

/** In the direction that the page came from there is always an event: the one that its cursor names. */
function linksOf(url: URL, events: ListedEvent[], more: boolean, from: Cursor | undefined) {
  const [first, last] = [events[0], events.at(-1)]
  if (!first || !last) return { next: null, previous: null }
  const hasOlder = from?.direction === 'newer' || more
  const hasNewer = from?.direction === 'newer' ? more : from !== undefined
  return {
    next: hasOlder ? linkTo(url, last, 'older') : null,
    previous: hasNewer ? linkTo(url, first, 'newer') : null,
  }
}

export function createEventsFeature({ stores, clock }: EventsParts) {
  const { events, persons } = stores
  return {
    live: createLiveReaders({ stores, clock }),

    async list(project: Project, query: EventPageQuery, url: URL, signal: AbortSignal) {
      const request = readRequest(query)
      const filter = await readEventFilter(persons, project.id, query, clock.now())
      const page = await events.listEvents(project.id, filter, request, signal)
      return {
        ...linksOf(url, page.events, page.more, request.from),
        results: await viewEvents(persons, project, page.events),
      }
    },

    /** Every event of the list, page by page, each time it is called; filters are read at once. */
    async walk(project: Project, query: EventQuery, signal: AbortSignal): Promise<() => AsyncGenerator<EventView[]>> {
      const filter = await readEventFilter(persons, project.id, query, clock.now())
      return async function* () {
        let from: Cursor | undefined
        do {
          const request: EventPageRequest = { limit: WALK, isWalk: true, ...(from ? { from } : {}) }
          const page = await events.listEvents(project.id, filter, request, signal)
          yield await viewEvents(persons, project, page.events)
          const last = page.events.at(-1)
          from = last && page.more ? { position: last, direction: 'older' } : undefined
        } while (from)
      }
    },

    async retrieve(project: Project, id: string, signal: AbortSignal): Promise<EventView> {
      const uuid = readUuid(id)
      const event = uuid && (await events.findEvent(project.id, uuid, signal))
      const [view] = event ? await viewEvents(persons, project, [event]) : []
      if (!view) throw notFound()
      return view
    },

    values(project: Project, { key, value, event }: ValuesQuery, signal: AbortSignal) {
      const query = { projectId: project.id, key, event: event || null, search: value || null, limit: MAX_VALUES }
      return events.eventValues(query, signal)
    },
  }
}

export type EventsFeature = ReturnType<typeof createEventsFeature>
