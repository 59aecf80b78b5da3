/** Splitting a person: how many events each of its ids has, and doing it. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'
import { type PersonCounts, personKey, usePersonChange } from './person.ts'

type Split = operations['persons_split_create']['responses'][200]['content']['application/json']

const at = (projectId: number, uuid: string) => ({ project_id: String(projectId), id: uuid })

/** The number of events by distinct id. */
export const eventsByIdQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: [...personKey(projectId, uuid), 'counts', 'by-id'],
    // Events of any id may come at any time.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const params = { path: at(projectId, uuid), query: { by_distinct_id: true } }
      const answer = await answerOf(api.GET('/api/environments/{project_id}/persons/{id}/counts/', { params, signal }))
      const { distinct_ids = [] } = answer as PersonCounts
      return new Map(distinct_ids.map(({ distinct_id, events }) => [distinct_id, events]))
    },
  })

export const useSplitPerson = (projectId: number, uuid: string) =>
  usePersonChange(projectId, uuid, async (leaving: string[]) => {
    const asked = { params: { path: at(projectId, uuid) }, body: { distinct_ids_to_split: leaving } }
    return (await answerOf(api.POST('/api/environments/{project_id}/persons/{id}/split/', asked))) as Split
  })
