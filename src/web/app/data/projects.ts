/** Projects: their settings, what they hold, and changing them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

export type ProjectPatch = NonNullable<
  operations['projects_partial_update']['requestBody']
>['content']['application/json']
export type Project = operations['projects_retrieve']['responses'][200]['content']['application/json']

const at = (id: number) => ({ params: { path: { project_id: String(id) } } })

export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }): Promise<Project> =>
      answerOf(api.GET('/api/environments/{project_id}/', { ...at(id), signal })),
  })

/** What a project has taken and keeps. */
export type Usage = operations['projects_usage_retrieve']['responses'][200]['content']['application/json']

export const usageQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id, 'usage'],
    queryFn: ({ signal }): Promise<Usage> =>
      answerOf(api.GET('/api/environments/{project_id}/usage/', { ...at(id), signal })),
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
