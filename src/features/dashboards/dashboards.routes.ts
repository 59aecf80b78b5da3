/** /dashboards/: insights side by side. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { CheckedInHandler, Nothing, Page } from '../../http/schema.ts'
import type { DashboardsFeature } from './dashboards.feature.ts'
import {
  DASHBOARD_EXAMPLE,
  DASHBOARD_LIST_EXAMPLE,
  DashboardBody,
  DashboardListItem,
  DashboardParams,
  DashboardPatchBody,
  DashboardQuery,
  NewDashboardBody,
  ReadQuery,
} from './dashboards.schema.ts'

const base = { level: 'project', tag: 'dashboards' } as const
const object = { ...base, response: DashboardBody, example: DASHBOARD_EXAMPLE } as const
const one = { ...object, path: '/dashboards/:id/', params: DashboardParams } as const

export const dashboardRoutes = (dashboards: DashboardsFeature): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/dashboards/',
    scope: 'dashboard:read',
    summary: 'List dashboards',
    description: 'Pinned ones first, then by name; without their tiles. Deleted ones are left out unless asked for.',
    query: DashboardQuery,
    response: Page(DashboardListItem),
    example: { count: 1, next: null, previous: null, results: [DASHBOARD_LIST_EXAMPLE] },
    handler: async ({ project, query, url }) => {
      const page = readPage(query)
      const { count, results } = await dashboards.list(project, query, page)
      return pageOf(url, page, count, results)
    },
  }),
  route({
    ...object,
    method: 'POST',
    path: '/dashboards/',
    scope: 'dashboard:write',
    summary: 'Make a dashboard',
    description: 'It is empty: insights are put on it by their `dashboards`.',
    body: CheckedInHandler(NewDashboardBody),
    status: 201,
    idempotent: { secret: [] },
    handler: ({ project, caller, body, remember }) => dashboards.create({ project, caller }, body, remember),
  }),
  route({
    ...one,
    method: 'GET',
    scope: 'dashboard:read',
    summary: 'Read a dashboard with its tiles and their results',
    readsEvents: true,
    query: ReadQuery,
    handler: ({ project, params, query }) => dashboards.retrieve(project, params.id, query.refresh),
  }),
  route({
    ...one,
    method: 'PATCH',
    scope: 'dashboard:write',
    summary: 'Change a dashboard or its tiles',
    description: 'Fields and tiles not named stay. `{"deleted": false}` brings back a deleted one.',
    body: CheckedInHandler(DashboardPatchBody),
    handler: ({ project, caller, params, body }) => dashboards.update({ project, caller }, params.id, body),
  }),
  route({
    ...base,
    method: 'DELETE',
    path: '/dashboards/:id/',
    params: DashboardParams,
    scope: 'dashboard:write',
    summary: 'Delete a dashboard',
    description:
      'It is only marked, and its insights stay; PATCH `{"deleted": false}` restores it. The project’s default dashboard cannot be deleted.',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ project, caller, params }) => {
      await dashboards.remove({ project, caller }, params.id)
      return null
    },
  }),
]
