/** Marking recordings as seen, and deleting them: one, or several at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import { recordingsKey } from './recording-list.ts'

const at = (projectId: number, id: string) => ({ params: { path: { project_id: String(projectId), id } } })

/** Lists tell which one has seen. */
export function useMarkViewed(projectId: number) {
  const queries = useQueryClient()
  return useMutation({
    onSuccess: () => queries.invalidateQueries({ queryKey: recordingsKey(projectId) }),
    mutationFn: ({ id, viewed }: { id: string; viewed: boolean }) => {
      const asked = { ...at(projectId, id), body: { viewed } }
      return answerOf(api.PATCH('/api/environments/{project_id}/session_recordings/{id}/', asked))
    },
  })
}

export function useDeleteRecording(projectId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/api/environments/{project_id}/session_recordings/{id}/', at(projectId, id))),
    // What is shown is left: asking for it once more would only tell that it is gone.
    onSuccess: () => queries.invalidateQueries({ queryKey: ['project', projectId], refetchType: 'none' }),
  })
}

/** The most that one request may name. */
export const MOST_AT_ONCE = 100

const ofSeveral = (projectId: number, ids: readonly string[]) => ({
  params: { path: { project_id: String(projectId) } },
  body: { session_recording_ids: ids },
})

export function useMarkSeveral(projectId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      answerOf(api.POST('/api/environments/{project_id}/session_recordings/bulk_viewed/', ofSeveral(projectId, ids))),
    onSuccess: () => queries.invalidateQueries({ queryKey: recordingsKey(projectId) }),
  })
}

export function useDeleteSeveral(projectId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      answerOf(api.POST('/api/environments/{project_id}/session_recordings/bulk_delete/', ofSeveral(projectId, ids))),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}
