/** /insights/: saved queries. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { CheckedInHandler, Nothing, Page } from '../../http/schema.ts'
import { INSIGHT_EXAMPLE, InsightBody } from '../../rules/insights/insight-view.ts'
import { InsightInputBody, InsightParams, InsightQuery, ReadQuery } from './insights.schema.ts'
import type { Insights } from './insights.ts'

const base = { level: 'project', tag: 'insights' } as const
const object = { ...base, response: InsightBody, example: INSIGHT_EXAMPLE } as const
const one = { ...object, path: '/insights/:id/', params: InsightParams } as const

export const insightRoutes = (insights: Insights): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/insights/',
    scope: 'insight:read',
    summary: 'List insights',
    readsEvents: true,
    description: 'Newest first, with the results that are kept; deleted ones are left out unless asked for.',
    query: InsightQuery,
    response: Page(InsightBody),
    example: { count: 1, next: null, previous: null, results: [INSIGHT_EXAMPLE] },
    handler: async ({ project, query, url }) => {
      const page = readPage(query)
      const { count, results } = await insights.list(project, query, page)
      return pageOf(url, page, count, results)
    },
  }),
  route({
    ...object,
    method: 'POST',
    path: '/insights/',
    scope: 'insight:write',
    summary: 'Make an insight',
    body: CheckedInHandler(InsightInputBody),
    status: 201,
    idempotent: { secret: [] },
    handler: ({ project, caller, body, remember }) => insights.create({ project, caller }, body, remember),
  }),
  route({
    ...one,
    method: 'GET',
    scope: 'insight:read',
    summary: 'Read an insight, with its result',
    readsEvents: true,
    query: ReadQuery,
    handler: ({ project, params, query }) => insights.retrieve(project, params.id, query.refresh),
  }),
  route({
    ...one,
    method: 'PATCH',
    scope: 'insight:write',
    summary: 'Change an insight',
    description: 'Fields not named stay. `{"deleted": false}` brings back a deleted one.',
    body: CheckedInHandler(InsightInputBody),
    handler: ({ project, caller, params, body }) => insights.update({ project, caller }, params.id, body),
  }),
  route({
    ...base,
    method: 'DELETE',
    path: '/insights/:id/',
    params: InsightParams,
    scope: 'insight:write',
    summary: 'Delete an insight',
    description: 'It is only marked, and vanishes from lists and dashboards; PATCH `{"deleted": false}` restores it.',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ project, caller, params }) => {
      await insights.remove({ project, caller }, params.id)
      return null
    },
  }),
]
