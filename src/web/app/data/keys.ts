/** The keys of the user who is signed in. The secret of a new one is in the answer to making it, and nowhere else. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

export type Key = operations['personal_api_keys_create']['responses'][201]['content']['application/json']
export type NewKey = operations['personal_api_keys_create']['requestBody']['content']['application/json']

const MOST = 100

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }): Promise<Key[]> =>
    (await answerOf(api.GET('/api/personal_api_keys/', { params: { query: { limit: MOST } }, signal }))).results,
})

/** Nothing of the answer stays in the cache. */
function useKeyChange<Input, Output>(run: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: run, gcTime: 0, onSuccess: () => queries.invalidateQueries(keysQuery) })
}

export const useMakeKey = () =>
  useKeyChange((body: NewKey): Promise<Key> => answerOf(api.POST('/api/personal_api_keys/', { body })))

const at = (id: string) => ({ params: { path: { id } } })

export const useRollKey = () =>
  useKeyChange((id: string): Promise<Key> => answerOf(api.POST('/api/personal_api_keys/{id}/roll/', at(id))))

export const useRemoveKey = () =>
  useKeyChange((id: string) => answerOf(api.DELETE('/api/personal_api_keys/{id}/', at(id))))
