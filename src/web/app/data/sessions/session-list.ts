/** Sessions: the visits of a project, newest first unless another order is asked for, a page after the other. */
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { cursorIn } from '../address/cursor.ts'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

type List = operations['sessions_list']
type Sessions = List['responses'][200]['content']['application/json']
export type SessionRow = Sessions['results'][number]

/** By the API's own names. */
export type SessionFilter = NonNullable<List['parameters']['query']>

const PER_PAGE = 100

export const sessionsQuery = (
  projectId: number,
  filter: SessionFilter,
  queryKey: QueryKey = ['project', projectId, 'sessions', filter],
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }): Promise<Sessions> => {
      const query = { ...filter, limit: PER_PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const params = { path: { project_id: String(projectId) }, query }
      return (await answerOf(api.GET('/api/environments/{project_id}/sessions/', { params, signal }))) as Sessions
    },
    getNextPageParam: ({ next }) => cursorIn(next) || undefined,
  })
