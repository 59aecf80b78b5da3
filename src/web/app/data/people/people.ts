/** People: their list in pages. */
import { queryOptions } from '@tanstack/react-query'
import { given } from '../address/given.ts'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

type PeoplePage = operations['persons_list']['responses'][200]['content']['application/json']
export type PersonRow = PeoplePage['results'][number]

/** By the API's own names; what is empty is not asked for. */
export interface PeopleFilter {
  search: string
  /** Conditions as JSON. */
  properties: string
  ordering?: PeopleOrdering
}

export type PeopleOrdering = NonNullable<NonNullable<operations['persons_list']['parameters']['query']>['ordering']>

export const PER_PAGE = 200

/** Every list of people of a project. */
export const peopleKey = (projectId: number) => ['project', projectId, 'people'] as const

export const peoplePageQuery = (projectId: number, filter: PeopleFilter, page: number) =>
  queryOptions({
    queryKey: [...peopleKey(projectId), filter, page],
    queryFn: async ({ signal }): Promise<PeoplePage> => {
      const query = { ...given(filter), limit: PER_PAGE, offset: page * PER_PAGE }
      const params = { path: { project_id: String(projectId) }, query }
      return (await answerOf(api.GET('/api/environments/{project_id}/persons/', { params, signal }))) as PeoplePage
    },
  })
