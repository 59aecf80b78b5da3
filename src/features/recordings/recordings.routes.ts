/** /session_recordings/: metadata of recordings. Their bytes have routes of their own. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Nothing } from '../../http/schema.ts'
import { readSessionIds } from './list-query.ts'
import {
  BulkIdsBody,
  BulkNotViewedBody,
  BulkRemoveBody,
  BulkRemovedBody,
  BulkViewedBody,
  ExistAnswer,
  ExistQuestion,
  ListQuerySchema,
  MatchingBody,
  MatchingQuerySchema,
  PatchedRecordingBody,
  RECORDING_EXAMPLE,
  RecordingBody,
  RecordingPage,
  RecordingParams,
  RecordingPatchBody,
  SharedRecordingBody,
  ViewedBody,
} from './recordings.schema.ts'
import type { Recordings } from './recordings.ts'

const base = { level: 'project', tag: 'session_recordings' } as const
const one = { ...base, path: '/session_recordings/:id/', params: RecordingParams } as const
const IDS = 'session_recording_ids'

export const recordingRoutes = (recordings: Recordings): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/session_recordings/',
    scope: 'session_recording:read',
    readsEvents: true,
    summary: 'List session recordings',
    description: 'Those of the last three days, newest first, unless asked for others.',
    query: ListQuerySchema,
    response: RecordingPage,
    example: { count: 1, next: null, previous: null, results: [RECORDING_EXAMPLE], has_next: false },
    handler: async ({ project, caller, query, url, signal }) => {
      const page = readPage(query, 50)
      const { count, items } = await recordings.list({ project, caller }, query, page, signal)
      return { ...pageOf(url, page, count, items), has_next: page.offset + items.length < count }
    },
  }),
  route({
    ...one,
    method: 'GET',
    scope: 'session_recording:read',
    summary: 'Read a session recording',
    response: RecordingBody,
    example: RECORDING_EXAMPLE,
    handler: ({ project, caller, params }) => recordings.retrieve({ project, caller }, params.id),
    shared: {
      param: 'id',
      response: SharedRecordingBody,
      handler: ({ project, params }) => recordings.retrieveShared(project, params.id),
    },
  }),
  ...(['PATCH', 'PUT'] as const).map((method) =>
    route({
      ...one,
      method,
      scope: 'session_recording:write',
      own: true,
      summary: 'Mark a session recording as seen, or give it to a person',
      body: RecordingPatchBody,
      response: PatchedRecordingBody,
      example: { ...RECORDING_EXAMPLE, success: true },
      handler: async ({ project, caller, params, body }) => ({
        ...(await recordings.patch({ project, caller }, params.id, body)),
        success: true,
      }),
    }),
  ),
  route({
    ...one,
    method: 'DELETE',
    scope: 'session_recording:write',
    summary: 'Delete a session recording',
    description: 'Its bytes are gone before the answer; what still comes for the session is refused.',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ project, caller, params }) => {
      await recordings.remove({ project, caller }, params.id)
      return null
    },
  }),
  route({
    ...base,
    method: 'GET',
    path: '/session_recordings/:id/viewed/',
    scope: 'session_recording:read',
    summary: 'Who has seen a session recording',
    params: RecordingParams,
    response: ViewedBody,
    example: { viewed: true, other_viewers: 2 },
    handler: ({ project, caller, params }) => recordings.viewedBy({ project, caller }, params.id),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/session_recordings/matching_events/',
    readsEvents: true,
    scope: 'session_recording:read',
    summary: 'Events of one session that match',
    query: MatchingQuerySchema,
    response: MatchingBody,
    example: { results: [{ uuid: '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2d', timestamp: '2026-03-04T11:00:00Z' }] },
    handler: async ({ project, query, signal }) => ({
      results: await recordings.matchingEvents(project, query, signal),
    }),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/session_recordings/bulk_delete/',
    scope: 'session_recording:write',
    summary: 'Delete up to 100 session recordings',
    body: BulkRemoveBody,
    response: BulkRemovedBody,
    example: { success: true, deleted_count: 2, total_requested: 3, failed_ids: [] },
    handler: ({ project, caller, body }) =>
      recordings.bulkRemove({ project, caller }, readSessionIds(body[IDS], IDS), body.date_from ?? null),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/session_recordings/bulk_viewed/',
    scope: 'session_recording:write',
    own: true,
    summary: 'Mark up to 100 session recordings as seen',
    body: BulkIdsBody,
    response: BulkViewedBody,
    example: { success: true, viewed_count: 3, total_requested: 3 },
    handler: ({ project, caller, body }) => recordings.bulkView({ project, caller }, readSessionIds(body[IDS], IDS)),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/session_recordings/bulk_not_viewed/',
    scope: 'session_recording:write',
    own: true,
    summary: 'Mark up to 100 session recordings as not seen',
    body: BulkIdsBody,
    response: BulkNotViewedBody,
    example: { success: true, not_viewed_count: 1, total_requested: 3 },
    handler: ({ project, caller, body }) => recordings.bulkUnview({ project, caller }, readSessionIds(body[IDS], IDS)),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/session_recordings/batch_check_exists/',
    scope: 'session_recording:read',
    summary: 'Which of up to 100 sessions have a recording',
    body: ExistQuestion,
    response: ExistAnswer,
    example: { results: { '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2d': true } },
    handler: async ({ project, body }) => ({
      results: await recordings.exist(project, readSessionIds(body.session_ids, 'session_ids')),
    }),
  }),
]
