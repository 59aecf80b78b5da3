/** Making one person of two: what would become of them, and doing it. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'
import { usePersonChange } from './person.ts'

type Merge = operations['persons_merge_create']['responses'][200]['content']['application/json']
export type MergePreview = Merge

async function merge(projectId: number, uuid: string, body: { person: string; preview: boolean }): Promise<Merge> {
  const params = { path: { project_id: String(projectId), id: uuid } }
  return (await answerOf(api.POST('/api/environments/{project_id}/persons/{id}/merge/', { params, body }))) as Merge
}

/** `other`: becomes a part of the person. */
export const mergePreviewQuery = (projectId: number, uuid: string, other: string) =>
  queryOptions({
    // Not below that of the person, who is asked for again when it was done: the other is gone then.
    queryKey: ['project', projectId, 'merge', uuid, other],
    // Events of either may come at any time.
    staleTime: 0,
    queryFn: () => merge(projectId, uuid, { person: other, preview: true }),
  })

export const useMergePerson = (projectId: number, uuid: string) =>
  usePersonChange(projectId, uuid, (other: string) => merge(projectId, uuid, { person: other, preview: false }))
