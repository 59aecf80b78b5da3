/** /session_recordings/{id}/snapshots/: the data for a player. */
import { type Route, route } from '../../http/route.ts'
import { notCached, type SnapshotsFeature } from './snapshots.feature.ts'
import {
  EXPORT_EXAMPLE,
  ExportBody,
  SnapshotParams,
  SnapshotsQuerySchema,
  SOURCES_EXAMPLE,
  SourcesBody,
} from './snapshots.schema.ts'

const base = {
  method: 'GET',
  level: 'project',
  tag: 'session_recordings',
  scope: 'session_recording:read',
  params: SnapshotParams,
} as const

export const snapshotRoutes = (snapshots: SnapshotsFeature): Route[] => [
  route({
    ...base,
    path: '/session_recordings/:id/snapshots/',
    summary: 'List the blocks of a recording, or read some of them',
    description:
      'Without `source`, the blocks by time. With `source=blob_v2` and keys, the lines of those blocks as ' +
      '`application/jsonl`: one `["<window id>", <rrweb event>]` each. A deleted recording answers 410.',
    query: SnapshotsQuerySchema,
    response: SourcesBody,
    example: SOURCES_EXAMPLE,
    handler: ({ project, params, query }) => snapshots.read({ projectId: project.id, sessionId: params.id }, query),
    shared: {
      param: 'id',
      response: SourcesBody,
      handler: async ({ project, params, query }) =>
        notCached(await snapshots.read({ projectId: project.id, sessionId: params.id }, query)),
    },
  }),
  route({
    ...base,
    path: '/session_recordings/:id/snapshots/export/',
    summary: 'A recording as one rrweb file',
    description: 'All events by time, each with its `windowId`; rrweb-player plays it.',
    response: ExportBody,
    example: EXPORT_EXAMPLE,
    handler: ({ project, params }) => snapshots.export({ projectId: project.id, sessionId: params.id }),
  }),
]
