/** The most frequent values of a property of events, to choose from. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

type Answer = operations['events_values_retrieve']['responses'][200]['content']['application/json']

export const eventValuesQuery = (projectId: number, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'event-values', key, text],
    enabled: key !== '',
    queryFn: async ({ signal }): Promise<Answer['results']> => {
      const query = { key, ...(text === '' ? {} : { value: text }) }
      const params = { path: { project_id: String(projectId) }, query }
      const path = '/api/environments/{project_id}/events/values/'
      return ((await answerOf(api.GET(path, { params, signal }))) as Answer).results
    },
  })
