/** What a person was like, and what was done: properties over time, events, recordings. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import { eventPagesQuery } from '../events/event-pages.ts'
import type { EventPage, EventRow } from '../events.ts'
import { recordingsQuery } from '../recordings/recording-list.ts'
import type { operations } from '../schema.d.ts'
import { sessionsQuery } from '../sessions/session-list.ts'

type Timeline = operations['persons_properties_timeline_retrieve']['responses'][200]['content']['application/json']
export type TimelinePoint = Timeline['points'][number]

/** By the API's own names. */
export interface TimelineFilter {
  /** Conditions as JSON: their properties are those whose changes count. */
  properties: string
  date_from: string
  date_to: string
}

const keyOf = (projectId: number, uuid: string, what: string) => ['project', projectId, 'person', uuid, what] as const
const at = (projectId: number, uuid: string) => ({ project_id: String(projectId), id: uuid })

export const timelineQuery = (projectId: number, uuid: string, { properties, date_from, date_to }: TimelineFilter) =>
  queryOptions({
    queryKey: [...keyOf(projectId, uuid, 'timeline'), properties, date_from, date_to],
    queryFn: async ({ signal }): Promise<Timeline> => {
      const query = { properties, date_from, ...(date_to === '' ? {} : { date_to }) }
      const params = { path: at(projectId, uuid), query }
      const path = '/api/environments/{project_id}/persons/{id}/properties_timeline/'
      return (await answerOf(api.GET(path, { params, signal }))) as Timeline
    },
  })

type AtTime = operations['persons_properties_at_time_retrieve']['responses'][200]['content']['application/json']

export const propertiesAtQuery = (projectId: number, uuid: string, timestamp: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, uuid, 'at'), timestamp],
    enabled: timestamp !== '',
    queryFn: async ({ signal }): Promise<AtTime['properties']> => {
      const query = { person_id: uuid, timestamp, include_set_once: true }
      const params = { path: { project_id: String(projectId) }, query }
      const path = '/api/environments/{project_id}/persons/properties_at_time/'
      return ((await answerOf(api.GET(path, { params, signal }))) as AtTime).properties
    },
  })

const EVENTS = 100

export const personEventsQuery = (projectId: number, uuid: string) =>
  eventPagesQuery(projectId, { person_id: uuid }, { queryKey: keyOf(projectId, uuid, 'events'), limit: EVENTS })

/** As the API writes it, a moment earlier or later: its answers have microseconds, which a Date has not. */
function beside(instant: string, by: -1 | 1): string {
  const [, whole = '', fraction = '', zone = 'Z'] = /^(.*?)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(instant) ?? []
  const micros = Math.round(Number(`0${fraction || '.0'}`) * 1_000_000) + by
  const shifted = new Date(Date.parse(whole + zone) + Math.floor(micros / 1_000_000) * 1_000)
  const rest = String(((micros % 1_000_000) + 1_000_000) % 1_000_000).padStart(6, '0')
  return shifted.toISOString().replace(/\.\d+Z$/, `.${rest}Z`)
}

/** The events of a person at one instant. */
export const eventsAtQuery = (projectId: number, uuid: string, instant: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, uuid, 'events-at'), instant],
    enabled: instant !== '',
    queryFn: async ({ signal }): Promise<EventRow[]> => {
      const query = { person_id: uuid, after: beside(instant, -1), before: beside(instant, 1), limit: 10 }
      const params = { path: { project_id: String(projectId) }, query }
      return ((await answerOf(api.GET('/api/environments/{project_id}/events/', { params, signal }))) as EventPage)
        .results
    },
  })

export const personSessionsQuery = (projectId: number, uuid: string) =>
  sessionsQuery(projectId, { person_id: uuid }, keyOf(projectId, uuid, 'sessions'))

/** All that are kept. */
export const personRecordingsQuery = (projectId: number, uuid: string) =>
  recordingsQuery(projectId, { person_uuid: uuid, date_from: 'all' }, keyOf(projectId, uuid, 'recordings'))
