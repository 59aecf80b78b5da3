/** Requests to delete the events of people: what waits, and what the run does. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

type DeletionSummary = operations['persons_deletion_summary_retrieve']['responses'][200]['content']['application/json']
const RUNNING_MS = 2_000
const IDLE_MS = 30_000

/** Asked again while it is looked at, often while a run is under way. */
const everyWhile = (summary: DeletionSummary | undefined): number =>
  summary !== undefined && summary.phase !== 'idle' ? RUNNING_MS : IDLE_MS

export const deletionSummaryQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'deletion-summary'],
    queryFn: async ({ signal }): Promise<DeletionSummary> => {
      const params = { path: { project_id: String(projectId) } }
      return answerOf(api.GET('/api/environments/{project_id}/persons/deletion_summary/', { params, signal }))
    },
    refetchInterval: ({ state }) => everyWhile(state.data),
  })
