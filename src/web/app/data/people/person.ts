/** One person: what is known, how much there is of them, and what is done to them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import { ApiProblem } from '../requests/api-problem.ts'
import type { operations } from '../schema.d.ts'
import { type PersonRow, peopleKey } from './people.ts'

type Answer<Name extends keyof operations> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

export type Person = Answer<'persons_retrieve'>
export type PersonCounts = Answer<'persons_counts_retrieve'>
export type DeletionRow = Answer<'persons_deletion_status_retrieve'>['results'][number]

export const personKey = (projectId: number, uuid: string) => ['project', projectId, 'person', uuid] as const
const at = (projectId: number, uuid: string) => ({ project_id: String(projectId), id: uuid })

const readPerson = async (projectId: number, uuid: string, signal?: AbortSignal): Promise<Person> => {
  const asked = { params: { path: at(projectId, uuid) }, ...(signal && { signal }) }
  return (await answerOf(api.GET('/api/environments/{project_id}/persons/{id}/', asked))) as Person
}

/** Null when there is no such person. */
export const personQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: personKey(projectId, uuid),
    // Whoever comes back to the window may have edited, merged or deleted them in another one.
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }): Promise<Person | null> => {
      try {
        return await readPerson(projectId, uuid, signal)
      } catch (error) {
        const isNobody = error instanceof ApiProblem && (error.status === 404 || error.status === 400)
        if (isNobody) return null
        throw error
      }
    },
  })

/** Whose distinct id it is; null when it is nobody's. */
export const personRowQuery = (projectId: number, distinctId: string) =>
  queryOptions({
    queryKey: [...peopleKey(projectId), 'by-id', distinctId],
    queryFn: async ({ signal }): Promise<PersonRow | null> => {
      const params = { path: { project_id: String(projectId) }, query: { distinct_id: distinctId, limit: 1 } }
      const page = await answerOf(api.GET('/api/environments/{project_id}/persons/', { params, signal }))
      return (page as Answer<'persons_list'>).results[0] ?? null
    },
  })

export const personCountsQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: [...personKey(projectId, uuid), 'counts'],
    queryFn: async ({ signal }): Promise<PersonCounts> => {
      const asked = { params: { path: at(projectId, uuid) }, signal }
      return (await answerOf(api.GET('/api/environments/{project_id}/persons/{id}/counts/', asked))) as PersonCounts
    },
  })

/** Requests to delete a person's events, also of persons that are gone. */
export const deletionsOfQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: [...personKey(projectId, uuid), 'deletions'],
    queryFn: async ({ signal }): Promise<DeletionRow[]> => {
      const params = { path: { project_id: String(projectId) }, query: { person_uuid: uuid } }
      const page = await answerOf(
        api.GET('/api/environments/{project_id}/persons/deletion_status/', { params, signal }),
      )
      return (page as Answer<'persons_deletion_status_retrieve'>).results
    },
  })

export const HISTORY_PAGE = 20

export const personActivityQuery = (projectId: number, uuid: string, page: number) =>
  queryOptions({
    queryKey: [...personKey(projectId, uuid), 'activity', page],
    queryFn: async ({ signal }): Promise<Answer<'persons_activity_retrieve'>> => {
      const params = { path: at(projectId, uuid), query: { page, limit: HISTORY_PAGE } }
      const answer = await answerOf(
        api.GET('/api/environments/{project_id}/persons/{id}/activity/', { params, signal }),
      )
      return answer as Answer<'persons_activity_retrieve'>
    },
  })

/** What was done changes what every tab shows, and the list; it is over when the person itself is known again. */
export function usePersonChange<Input, Output>(
  projectId: number,
  uuid: string,
  run: (input: Input) => Promise<Output>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      const queryKey = personKey(projectId, uuid)
      // Counts may take long.
      void queries.invalidateQueries({ queryKey, predicate: (query) => query.queryKey.length > queryKey.length })
      void queries.invalidateQueries({ queryKey: peopleKey(projectId) })
      await queries.invalidateQueries({ queryKey, exact: true })
    },
  })
}

export interface PropertyChange {
  key: string
  /** Undefined: the property goes. */
  value: unknown
  /** What it was when somebody began to change it; undefined when it was not there. */
  before: unknown
}

/** The property is no longer what it was: nothing was written. */
export class ChangedMeanwhile extends Error {
  /** What it is now; undefined when it is gone. */
  readonly now: unknown

  constructor(now: unknown) {
    super('The property was changed meanwhile.')
    this.now = now
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

async function writeProperty(projectId: number, uuid: string, { key, value, before }: PropertyChange): Promise<void> {
  const { properties } = await readPerson(projectId, uuid)
  const now = Object.hasOwn(properties, key) ? properties[key] : undefined
  if (!isSame(now, before)) throw new ChangedMeanwhile(now)
  const params = { path: at(projectId, uuid) }
  if (value === undefined) {
    const body = { $unset: key }
    await answerOf(api.POST('/api/environments/{project_id}/persons/{id}/delete_property/', { params, body }))
  } else {
    const body = { key, value }
    await answerOf(api.POST('/api/environments/{project_id}/persons/{id}/update_property/', { params, body }))
  }
}

/** Sets or deletes a property, unless it was changed since it was read: then it throws ChangedMeanwhile. */
export const useChangeProperty = (projectId: number, uuid: string) =>
  usePersonChange(projectId, uuid, (change: PropertyChange) => writeProperty(projectId, uuid, change))

export interface Removal {
  delete_events: boolean
  delete_recordings: boolean
  keep_person: boolean
}

/** Whoever asked leaves a person that is gone: it is not asked for again by itself. */
export function useDeletePerson(projectId: number, uuid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (query: Removal) => {
      const params = { path: at(projectId, uuid), query }
      return answerOf(api.DELETE('/api/environments/{project_id}/persons/{id}/', { params }))
    },
    onSuccess: (_, { keep_person }) => {
      const refetchType = keep_person ? 'active' : 'none'
      void queries.invalidateQueries({ queryKey: personKey(projectId, uuid), refetchType })
      void queries.invalidateQueries({ queryKey: peopleKey(projectId), refetchType })
    },
  })
}
