/** The most frequent values of a property of people. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

export const personValuesQuery = (projectId: number, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'person-values', key, text],
    enabled: key !== '',
    queryFn: async ({ signal }) => {
      const params = {
        path: { project_id: String(projectId) },
        query: { key, ...(text === '' ? {} : { value: text }) },
      }
      const answer = await answerOf(api.GET('/api/environments/{project_id}/persons/values/', { params, signal }))
      return (answer as ValuesAnswer).results
    },
  })

type ValuesAnswer = operations['persons_values_retrieve']['responses'][200]['content']['application/json']
