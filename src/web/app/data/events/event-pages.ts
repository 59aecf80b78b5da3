/** The events that a filter leaves, newest first, a page after the other. */
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { cursorIn } from '../address/cursor.ts'
import { answerOf, api } from '../client.ts'
import type { EventFilter, EventPage } from '../events.ts'

interface PagesOptions {
  queryKey: QueryKey
  /** How many at a time. */
  limit: number
}

export const eventPagesQuery = (projectId: number, filter: Partial<EventFilter>, { queryKey, limit }: PagesOptions) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }): Promise<EventPage> => {
      const query = { ...filter, limit, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const params = { path: { project_id: String(projectId) }, query }
      return (await answerOf(api.GET('/api/environments/{project_id}/events/', { params, signal }))) as EventPage
    },
    getNextPageParam: ({ next }) => cursorIn(next) || undefined,
  })
