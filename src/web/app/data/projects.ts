/** Projects: their settings, what they hold, and changing them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api, send } from './client.ts'
import type { components, operations } from './schema.d.ts'

export type ProjectPatch = NonNullable<operations['projects_partial_update']['requestBody']>['content']['application/json']
export type Project = operations['projects_retrieve']['responses'][200]['content']['application/json']
export type Warning = components['schemas']['IngestionWarning']

const at = (id: number) => ({ params: { path: { project_id: String(id) } } })

export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }): Promise<Project> =>
      answerOf(api.GET('/api/environments/{project_id}/', { ...at(id), signal })),
  })

/** What a project holds. */
export interface Usage {
  first_event_at: string | null
  last_event_at: string | null
  events: number
  persons: number
  recordings: number
  recordings_bytes: number
  events_last_hour: number
  warnings_last_day: number
}

export const usageQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id, 'usage'],
    queryFn: () => send<Partial<Usage>>('GET', `api/environments/${id}/usage/`),
  })

export function useChangeProject(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ProjectPatch) => answerOf(api.PATCH('/api/environments/{project_id}/', { ...at(id), body })),
    onSuccess: (project) => queries.setQueryData(projectQuery(id).queryKey, project as Project),
  })
}

export function useResetToken(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.POST('/api/environments/{project_id}/reset_token/', at(id))),
    onSuccess: (project) => queries.setQueryData(projectQuery(id).queryKey, project as Project),
  })
}

export const useRemoveProject = (id: number) =>
  useMutation({ mutationFn: () => answerOf(api.DELETE('/api/environments/{project_id}/', at(id))) })
