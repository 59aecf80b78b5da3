/** /ingestion_warnings/: problems of incoming events. */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Body, DateTime, FreeForm, Page, Uuid } from '../../http/schema.ts'
import type { WarningsFeature } from './warnings.feature.ts'

const WarningBody = Body(
  {
    id: Uuid(),
    type: Type.String({ description: 'The reason, as it is counted under /metrics when an event is dropped.' }),
    details: FreeForm({ description: 'Which event it was, as far as it could be told, and what it held.' }),
    created_at: DateTime(),
  },
  { title: 'IngestionWarning' },
)

const WarningsQuery = Type.Object({
  ...pageQuery(),
  type: Type.Optional(Type.String({ description: 'Only warnings of this type.' })),
})

const EXAMPLE = {
  id: '0195b0f0-7a3c-7d2e-9b1f-4c5d6e7f8a90',
  type: 'missing_distinct_id',
  details: { index: 3, step: 'distinct_id' },
  created_at: '2026-05-01T10:00:00.123000Z',
}

export const warningRoutes = (warnings: WarningsFeature): Route[] => [
  route({
    method: 'GET',
    level: 'project',
    path: '/ingestion_warnings/',
    scope: 'project:read',
    tag: 'events',
    summary: 'List ingestion warnings',
    description: 'Newest first: events that were dropped, and such as were taken only in part.',
    query: WarningsQuery,
    response: Page(WarningBody),
    example: { count: 1, next: null, previous: null, results: [EXAMPLE] },
    handler: async ({ project, query, url }) => {
      const page = readPage(query)
      const { count, items } = await warnings.list(project, query.type, page)
      return pageOf(url, page, count, items)
    },
  }),
]
