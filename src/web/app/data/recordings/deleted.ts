/** Whether a recording that is not there was deleted: its blocks are refused in another way than those of one that never was. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import { ApiProblem } from '../requests/api-problem.ts'

const GONE = 410

export const wasDeletedQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'deleted', id],
    queryFn: async ({ signal }): Promise<boolean> => {
      const params = { path: { project_id: String(projectId), id } }
      const path = '/api/environments/{project_id}/session_recordings/{id}/snapshots/'
      const asked = answerOf(api.GET(path, { params, signal }))
      return asked.then(
        () => false,
        (error: unknown) => error instanceof ApiProblem && error.status === GONE,
      )
    },
  })
