/** /events/: reading events. */
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
  ValuesBody,
  ValuesQuery,
} from './events.schema.ts'

const SCOPE = ['query:read', 'person:read']
const csv = { fileName: 'events', columns: EVENT_COLUMNS, rows: (body: { results: unknown[] }) => body.results }
const base = { level: 'project', tag: 'events', method: 'GET', readsEvents: true } as const

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
