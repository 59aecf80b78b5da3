/** Events, and what was dropped of them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cursorIn } from './address/cursor.ts'
import { given } from './address/given.ts'
import { type BootProject, mayUse } from './boot.ts'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'

export type EventRow = components['schemas']['Event']
export type Warning = components['schemas']['IngestionWarning']

/** Either will do. */
export const EVENT_SCOPES = ['query:read', 'person:read'] as const

export const mayReadEvents = ({ scopes }: Pick<BootProject, 'scopes'>): boolean => mayUse(scopes, EVENT_SCOPES)

const at = (id: number) => ({ project_id: String(id) })

export interface EventPage {
  next: string | null
  previous: string | null
  results: EventRow[]
}

/** The newest event of a project; null without any. */
export const latestEventQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'latest-event'],
    queryFn: async ({ signal }): Promise<EventRow | null> => {
      const params = { path: at(projectId), query: { limit: 1 } }
      const page = await answerOf(api.GET('/api/environments/{project_id}/events/', { params, signal }))
      return (page as EventPage).results[0] ?? null
    },
  })

const FEW = 5

export const warningsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'warnings'],
    queryFn: async ({ signal }): Promise<Warning[]> => {
      const params = { path: at(projectId), query: { limit: FEW } }
      return (await answerOf(api.GET('/api/environments/{project_id}/ingestion_warnings/', { params, signal }))).results
    },
  })

/** The filters of the list, as the API names them; empty ones are none. */
export interface EventFilter {
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  after: string
  before: string
  properties: string
}

export interface ListedEvents {
  events: EventRow[]
  /** Where the pages beside it begin; empty where there is none. */
  newer: string
  older: string
}

const EVENTS_PER_PAGE = 50

export const eventsQuery = (projectId: number, filter: EventFilter, cursor: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'events', filter, cursor],
    queryFn: async ({ signal }): Promise<ListedEvents> => {
      const query = { ...given({ ...filter, cursor }), limit: EVENTS_PER_PAGE }
      const params = { path: at(projectId), query }
      const page = await answerOf(api.GET('/api/environments/{project_id}/events/', { params, signal }))
      const { results, next, previous } = page as EventPage
      return { events: results, newer: cursorIn(previous), older: cursorIn(next) }
    },
    placeholderData: keepPreviousData,
  })

export const eventQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'event', uuid],
    queryFn: async ({ signal }): Promise<EventRow> => {
      const params = { path: { ...at(projectId), id: uuid } }
      return answerOf(api.GET('/api/environments/{project_id}/events/{id}/', { params, signal }))
    },
  })

const MOST_NAMES = 200

/** Names of events that were taken, to choose from. */
export const eventNamesQuery = ({ id, scopes }: BootProject) =>
  queryOptions({
    queryKey: ['project', id, 'event-names'],
    queryFn: async ({ signal }): Promise<string[]> => {
      const params = { path: at(id), query: { limit: MOST_NAMES } }
      const page = await answerOf(api.GET('/api/environments/{project_id}/event_definitions/', { params, signal }))
      return page.results.map(({ name }) => name)
    },
    enabled: mayUse(scopes, 'event_definition:read'),
  })
