/** Events as they come in, and what was dropped of them. */
import { queryOptions } from '@tanstack/react-query'
import { type BootProject, mayUse } from './boot.ts'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'
import { base } from './session.ts'

export type EventRow = components['schemas']['Event']
export type Warning = components['schemas']['IngestionWarning']

/** Either of two scopes will do. */
export const mayReadEvents = ({ scopes }: Pick<BootProject, 'scopes'>): boolean =>
  mayUse(scopes, 'query:read') || mayUse(scopes, 'person:read')

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

/** Calls back when there may be a new event, until it is stopped; `failed` when there is no such stream. */
export function followEvents(projectId: number, arrived: () => void, failed: () => void): () => void {
  const source = new EventSource(new URL(`api/environments/${projectId}/events/live/`, base))
  source.onmessage = arrived
  // Before it was open, or open again, some may have come.
  source.onopen = arrived
  source.onerror = () => {
    // A browser asks again by itself, unless the answer was no stream.
    if (source.readyState === EventSource.CLOSED) failed()
  }
  return () => source.close()
}

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
