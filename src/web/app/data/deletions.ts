/** Requests to delete the events of people: what waits, what the run does, and what became of each. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { operations } from './schema.d.ts'

export type DeletionSummary =
  operations['persons_deletion_summary_retrieve']['responses'][200]['content']['application/json']
type DeletionPage = operations['persons_deletion_status_retrieve']['responses'][200]['content']['application/json']
export type Deletion = DeletionPage['results'][number]

export const DELETIONS_PER_PAGE = 50

const RUNNING_MS = 2_000
const IDLE_MS = 30_000

/** Asked again while it is looked at, often while a run is under way. */
export const everyWhile = (summary: DeletionSummary | undefined): number =>
  summary !== undefined && summary.phase !== 'idle' ? RUNNING_MS : IDLE_MS

export const deletionSummaryQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'deletion-summary'],
    queryFn: async ({ signal }): Promise<DeletionSummary> => {
      const params = { path: { project_id: String(projectId) } }
      return answerOf(api.GET('/api/environments/{project_id}/persons/deletion_summary/', { params, signal }))
    },
    refetchInterval: ({ state }) => everyWhile(state.data),
  })

interface DeletionChoice {
  status: 'all' | Deletion['status']
  person_uuid: string
  offset: number
}

async function readPage(projectId: number, query: object, signal: AbortSignal): Promise<DeletionPage> {
  const params = { path: { project_id: String(projectId) }, query }
  const call = api.GET('/api/environments/{project_id}/persons/deletion_status/', { params, signal })
  return (await answerOf(call)) as DeletionPage
}

export const deletionsQuery = (projectId: number, { status, person_uuid, offset }: DeletionChoice) =>
  queryOptions({
    queryKey: ['project', projectId, 'deletions', { status, person_uuid, offset }],
    queryFn: ({ signal }) => {
      const filters = { ...(status === 'all' ? {} : { status }), ...(person_uuid ? { person_uuid } : {}) }
      return readPage(projectId, { ...filters, limit: DELETIONS_PER_PAGE, offset }, signal)
    },
    placeholderData: keepPreviousData,
  })

/** Those that have waited longest, oldest first; `pending`: how many there are, of which these are the last ones listed. */
export const oldestDeletionsQuery = (projectId: number, pending: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'deletions', 'oldest', pending],
    queryFn: async ({ signal }): Promise<Deletion[]> => {
      const offset = Math.max(0, pending - DELETIONS_PER_PAGE)
      const page = await readPage(projectId, { status: 'pending', limit: DELETIONS_PER_PAGE, offset }, signal)
      return page.results.toReversed()
    },
  })
