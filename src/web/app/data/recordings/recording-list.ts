/** Recordings, newest first unless another order is asked for, a page at a time. */
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

type List = operations['session_recordings_list']
type Recordings = List['responses'][200]['content']['application/json']
export type RecordingRow = Recordings['results'][number]

/** By the API's own names. */
export type RecordingFilter = NonNullable<List['parameters']['query']>

const PER_PAGE = 100

/** Every list of recordings of a project. */
export const recordingsKey = (projectId: number) => ['project', projectId, 'recordings'] as const

export const recordingsQuery = (
  projectId: number,
  filter: RecordingFilter,
  queryKey: QueryKey = [...recordingsKey(projectId), filter],
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }): Promise<Recordings> => {
      const params = {
        path: { project_id: String(projectId) },
        query: { ...filter, limit: PER_PAGE, offset: pageParam },
      }
      const path = '/api/environments/{project_id}/session_recordings/'
      return (await answerOf(api.GET(path, { params, signal }))) as Recordings
    },
    getNextPageParam: ({ results, has_next }, all) =>
      has_next && results.length > 0 ? all.reduce((sum, page) => sum + page.results.length, 0) : undefined,
  })
