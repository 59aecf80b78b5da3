/** /events/: reading events. */
import { EVENT_STREAM, streamAnswer } from '../../http/output/event-stream.ts'
import { isWhole, wholeCsv } from '../../http/output/output-format.ts'
import { type Route, route } from '../../http/route.ts'
import type { EventsFeature } from './events.feature.ts'
import {
  EVENT_COLUMNS,
  EVENT_EXAMPLE,
  EventBody,
  EventPageBody,
  EventParams,
  EventsQuery,
  LIVE_EXAMPLE,
  LiveEventsBody,
  LiveEventsQuery,
  ValuesBody,
  ValuesQuery,
} from './events.schema.ts'

const SCOPE = ['query:read', 'person:read']
const csv = { fileName: 'events', columns: EVENT_COLUMNS, rows: (body: { results: unknown[] }) => body.results }
const base = { level: 'project', tag: 'events', method: 'GET', readsEvents: true } as const

const LIVE_DESCRIPTION = [
  'Server-sent events of what is stored from now on, whichever process took it: each event is a message with the same JSON',
  'as in the list. At most 20 a second; how many more have matched is told once a second by an event named `left_out`, with',
  '`count` and, when some were not even looked at, `more`. A comment every 15 seconds shows that the connection is alive.',
  'It ends with the key or sign-in, when access to the project is lost, and when the server stops; what was missed meanwhile',
  'is in the list. At most 50 clients for each process, others get 503. One that takes nothing for a minute is cut off.',
].join(' ')

export const eventRoutes = (events: EventsFeature): Route[] => [
  route({
    ...base,
    scope: SCOPE,
    path: '/events/',
    summary: 'List events',
    description:
      'Newest first. All filters must hold. Pages are exact: events that arrive meanwhile neither shift nor repeat any. As CSV the whole result is sent unless limit or cursor is given.',
    query: EventsQuery,
    response: EventPageBody,
    example: { next: null, previous: null, results: [EVENT_EXAMPLE] },
    csv,
    handler: async ({ project, query, url, format, signal }) => {
      if (isWhole(format, query.limit, query.cursor || undefined)) {
        return wholeCsv(csv, await events.walk(project, query, signal))
      }
      return events.list(project, query, url, signal)
    },
  }),
  route({
    ...base,
    scope: SCOPE,
    path: '/events/values/',
    summary: 'The most frequent values of an event property',
    query: ValuesQuery,
    response: ValuesBody,
    example: { results: [{ name: 'Firefox', count: 12 }], refreshing: false },
    handler: async ({ project, query, signal }) => ({
      results: await events.values(project, query, signal),
      refreshing: false,
    }),
  }),
  route({
    level: 'project',
    tag: 'events',
    method: 'GET',
    goesOn: true,
    scope: SCOPE,
    path: '/events/live/',
    summary: 'New events as they arrive',
    description: LIVE_DESCRIPTION,
    query: LiveEventsQuery,
    response: LiveEventsBody,
    contentType: EVENT_STREAM,
    example: LIVE_EXAMPLE,
    errors: {
      503: 'All places are taken, a store is away, or the server is about to stop. Try again after Retry-After.',
    },
    handler: async ({ project, query, signal, isStillAdmitted }) =>
      streamAnswer(await events.live.open(project, query, { signal, isStillAdmitted })),
  }),
  route({
    ...base,
    scope: SCOPE,
    path: '/events/:id/',
    summary: 'Read an event',
    params: EventParams,
    response: EventBody,
    example: EVENT_EXAMPLE,
    handler: ({ project, params, signal }) => events.retrieve(project, params.id, signal),
  }),
]
