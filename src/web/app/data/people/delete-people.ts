/** Deleting several people at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'
import { peopleKey } from './people.ts'

export interface BulkDeletion {
  ids: string[]
  delete_events: boolean
  delete_recordings: boolean
}

type BulkDeletionAnswer = operations['persons_bulk_delete_create']['responses'][202]['content']['application/json']

/** The most that one request may name. */
export const MOST_DELETED = 1_000

export function useDeletePeople(projectId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: BulkDeletion) => {
      const params = { path: { project_id: String(projectId) } }
      return (await answerOf(
        api.POST('/api/environments/{project_id}/persons/bulk_delete/', { params, body }),
      )) as BulkDeletionAnswer
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleKey(projectId) }),
  })
}
