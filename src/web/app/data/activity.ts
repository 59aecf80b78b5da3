/** The activity log: who did what to which thing, and what it changed. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type BootProject, mayUse } from './boot.ts'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

type ActivityPage = operations['activity_log_list']['responses'][200]['content']['application/json']
export type Activity = ActivityPage['results'][number]

export const ACTIVITIES_PER_PAGE = 50

interface ActivityChoice {
  scope: string
  item_id: string
  user: string
  offset: number
}

export const activityQuery = (projectId: number, { offset, ...filters }: ActivityChoice) =>
  queryOptions({
    queryKey: ['project', projectId, 'activity', { ...filters, offset }],
    queryFn: async ({ signal }): Promise<ActivityPage> => {
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
      const params = {
        path: { project_id: String(projectId) },
        query: { ...given, limit: ACTIVITIES_PER_PAGE, offset },
      }
      return (await answerOf(
        api.GET('/api/environments/{project_id}/activity_log/', { params, signal }),
      )) as ActivityPage
    },
    placeholderData: keepPreviousData,
  })

const UNDO_SCOPE = 'person:write'

/** Of each entry, what is needed to undo it; undefined for those that cannot be. */
export function useUndo({ id: projectId, scopes }: BootProject, undone: () => void, failed?: (error: Error) => void) {
  const queries = useQueryClient()
  const undo = useMutation({
    mutationFn: (id: string) => {
      const params = { path: { project_id: String(projectId), id } }
      return answerOf(api.POST('/api/environments/{project_id}/activity_log/{id}/undo/', { params }))
    },
    onSuccess: undone,
    ...(failed && { onError: failed }),
    // It may have changed any person and what lists say of them; and one that failed, what is shown.
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', projectId] }),
  })
  return ({ id, can_undo }: Pick<Activity, 'id' | 'can_undo'>) => {
    const isAsked = undo.variables === id
    if (!can_undo && !(isAsked && undo.error)) return undefined
    return {
      isBusy: isAsked && undo.isPending,
      error: isAsked ? undo.error : null,
      reason: mayUse(scopes, UNDO_SCOPE) ? undefined : `It needs the scope ${UNDO_SCOPE}.`,
      run: () => undo.mutate(id),
    }
  }
}
