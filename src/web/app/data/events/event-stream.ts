/** Events of a project as they are stored: that there is one, or each of them. */
import { given } from '../address/given.ts'
import { answerOf, api, openStream } from '../client.ts'
import type { EventPage } from '../events.ts'
import type { LiveParts } from './live-events.ts'

const livePath = (projectId: number): string => `api/environments/${projectId}/events/live/`

/** Calls back when there may be a new event, until it is stopped; `failed` when there is no such stream. */
export function followEvents(projectId: number, arrived: () => void, failed: () => void): () => void {
  const source = openStream(livePath(projectId))
  source.onmessage = arrived
  // Before it was open, or open again, some may have come.
  source.onopen = arrived
  source.onerror = () => {
    // A browser asks again by itself, unless the answer was no stream.
    if (source.readyState === EventSource.CLOSED) failed()
  }
  return () => source.close()
}

interface LiveFilter {
  event: string
  distinct_id: string
}

const POLLED = 50

/** What `followLive` wants for events of a project. */
export function liveParts(projectId: number, filter: LiveFilter): Pick<LiveParts, 'openStream' | 'ask'> {
  const query = new URLSearchParams(given(filter)).toString()
  return {
    openStream: () => openStream(livePath(projectId) + (query && `?${query}`)),
    ask: async (signal) => {
      const params = { path: { project_id: String(projectId) }, query: { ...given(filter), limit: POLLED } }
      const page = await answerOf(api.GET('/api/environments/{project_id}/events/', { params, signal }))
      return (page as EventPage).results
    },
  }
}
