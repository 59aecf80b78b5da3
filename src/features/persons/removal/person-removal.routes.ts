/** Deleting many persons, the state of queued event deletions, and deleting the data of a person that stays. */
import type { Static } from 'typebox'
import { isWhole, wholeCsv } from '../../../http/output/output-format.ts'
import { pageOf, readPage } from '../../../http/output/pagination.ts'
import { type Route, route } from '../../../http/route.ts'
import { Page } from '../../../http/schema.ts'
import { invalid } from '../../../lib/errors.ts'
import { readUuid } from '../../../lib/ids.ts'
import {
  BulkDeleteBody,
  BulkDeleteSummary,
  DELETION_COLUMNS,
  DELETION_EXAMPLE,
  DeletedRecordings,
  DeletionBody,
  DeletionStatusQuery,
  ResetBody,
  SUMMARY_EXAMPLE,
  Success,
} from '../person-collection.schema.ts'
import type { PersonsFeature } from '../persons.feature.ts'
import { PersonParams } from '../persons.schema.ts'
import { readBulkSelection } from './bulk-selection.ts'

const base = { level: 'project', tag: 'persons' } as const
const accepted = { ...base, method: 'POST', scope: 'person:write', status: 202 } as const
const statusCsv = {
  fileName: 'deletion_status',
  columns: DELETION_COLUMNS,
  rows: (body: { results: unknown[] }) => body.results,
}
const itself = (columns: string[]) => ({ columns, rows: (body: unknown) => [body] })

function readPersonUuid(text: string): string {
  const uuid = readUuid(text)
  if (uuid === null) throw invalid('Must be a valid UUID.', 'person_uuid')
  return uuid
}

const readStatusFilter = ({ status, person_uuid: uuid }: Static<typeof DeletionStatusQuery>) => ({
  ...(status && status !== 'all' ? { status } : {}),
  ...(uuid ? { personUuid: readPersonUuid(uuid) } : {}),
})

export const personRemovalRoutes = (persons: PersonsFeature): Route[] => [
  route({
    ...accepted,
    path: '/persons/bulk_delete/',
    summary: 'Delete many persons',
    description: 'By ids or by distinct_ids. All persons that exist go together or, on an error, none.',
    body: BulkDeleteBody,
    response: BulkDeleteSummary,
    example: SUMMARY_EXAMPLE,
    csv: { fileName: 'bulk_delete', ...itself(['persons_deleted', 'persons_found']) },
    handler: ({ project, caller, body }) =>
      persons.removeMany({ project, caller }, readBulkSelection(body), {
        deleteEvents: body.delete_events ?? false,
        deleteRecordings: body.delete_recordings ?? false,
        keepPerson: body.keep_person ?? false,
      }),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/persons/deletion_status/',
    scope: 'person:read',
    summary: 'The state of queued event deletions',
    description:
      'Newest request first. What was accepted before the request is deleted, what came after stays. As CSV the whole result is sent unless limit or offset is given.',
    query: DeletionStatusQuery,
    response: Page(DeletionBody),
    example: { count: 1, next: null, previous: null, results: [DELETION_EXAMPLE] },
    csv: statusCsv,
    handler: async ({ project, query, url, format }) => {
      const filter = readStatusFilter(query)
      if (isWhole(format, query.limit, query.offset)) return wholeCsv(statusCsv, persons.walkDeletions(project, filter))
      const page = readPage(query)
      if (format === 'csv') return wholeCsv(statusCsv, persons.walkDeletionPage(project, filter, page))
      const { count, items } = await persons.deletions(project, filter, page)
      return pageOf(url, page, count, items)
    },
  }),
  route({
    ...accepted,
    path: '/persons/reset_person_distinct_id/',
    summary: 'Make a deleted distinct id usable again',
    description:
      'Kept for clients that know it: nothing has to be done here, as a deleted distinct id is free at once and makes a fresh person when it is seen again.',
    body: ResetBody,
    response: Success,
    example: { success: true },
    csv: { fileName: 'reset_person_distinct_id', ...itself(['success']) },
    handler: async ({ body }) => {
      if (typeof body.distinct_id !== 'string' || body.distinct_id === '') {
        throw invalid('distinct_id is required', 'distinct_id', 'required')
      }
      return { success: true }
    },
  }),
  route({
    ...accepted,
    path: '/persons/:id/delete_events/',
    summary: 'Queue the deletion of a person’s events',
    description: 'The person stays. They are deleted in the batch of Sunday 05:00 UTC; the answer is the request.',
    params: PersonParams,
    response: DeletionBody,
    example: DELETION_EXAMPLE,
    csv: { fileName: 'deletion_status', ...itself(DELETION_COLUMNS) },
    handler: ({ project, caller, params }) => persons.queueEvents({ project, caller }, params.id),
  }),
  route({
    ...accepted,
    path: '/persons/:id/delete_recordings/',
    summary: 'Delete a person’s session recordings',
    description: 'The person stays; its recordings are gone when this answers.',
    params: PersonParams,
    response: DeletedRecordings,
    example: { recordings_deleted: 2 },
    csv: { fileName: 'delete_recordings', ...itself(['recordings_deleted']) },
    handler: async ({ project, caller, params }) => ({
      recordings_deleted: await persons.removeRecordings({ project, caller }, params.id),
    }),
  }),
]
