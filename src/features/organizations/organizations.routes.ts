/** /api/organizations/ and /api/organizations/{organization_id}/; their projects are listed by features/projects. */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Body, DateTime, Page, Uuid } from '../../http/schema.ts'
import type { OrganizationsFeature } from './organizations.feature.ts'

const OrganizationBody = Body({ id: Uuid(), name: Type.String(), created_at: DateTime() }, { title: 'Organization' })

const EXAMPLE = {
  id: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2c',
  name: 'Default organization',
  created_at: '2026-03-01T09:00:00Z',
}

const base = { method: 'GET', level: 'account', tag: 'organizations', scope: 'organization:read' } as const

export const organizationRoutes = (organizations: OrganizationsFeature): Route[] => [
  route({
    ...base,
    path: '/api/organizations/',
    summary: 'List the organizations the key can reach',
    description: 'The oldest first. A key confined to projects reaches the organizations of these.',
    query: Type.Object(pageQuery()),
    response: Page(OrganizationBody),
    example: { count: 1, next: null, previous: null, results: [EXAMPLE] },
    handler: async ({ caller, query, url }) => {
      const page = readPage(query)
      const { count, items } = await organizations.list(caller, page)
      return pageOf(url, page, count, items)
    },
  }),
  route({
    ...base,
    path: '/api/organizations/:organization_id/',
    summary: 'Read an organization',
    params: Type.Object({ organization_id: Type.String({ description: 'The id of an organization, or `@current`.' }) }),
    response: OrganizationBody,
    example: EXAMPLE,
    handler: ({ caller, params }) => organizations.retrieve(caller, params.organization_id),
  }),
]
