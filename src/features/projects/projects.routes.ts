/** /api/projects/ and /api/projects/{project_id}/ (also spelled environments). */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { Nothing, Page } from '../../http/schema.ts'
import { mayMakeProjects, type ProjectsFeature, viewProject } from './projects.feature.ts'
import { NewProjectBody, PROJECT_EXAMPLE, ProjectBody, ProjectPatch, toSettings } from './projects.schema.ts'

const one = { level: 'project', tag: 'projects', response: ProjectBody, example: PROJECT_EXAMPLE } as const

const ProjectsQuery = Type.Object({
  ...pageQuery(),
  search: Type.Optional(Type.String({ description: 'Contained in the name.' })),
})

const list = {
  method: 'GET',
  level: 'account',
  tag: 'projects',
  query: ProjectsQuery,
  response: Page(ProjectBody),
  example: { count: 1, next: null, previous: null, results: [PROJECT_EXAMPLE] },
} as const

const collection = (projects: ProjectsFeature, path: string): Route[] => [
  route({
    ...list,
    path,
    scope: { none: 'every valid key sees the projects it can reach' },
    summary: 'List the projects the key can reach',
    handler: async ({ caller, query, url }) => {
      const page = readPage(query)
      const { count, items } = await projects.list(caller, query.search ?? null, page)
      return pageOf(url, page, count, items)
    },
  }),
  route({
    method: 'POST',
    level: 'account',
    path,
    scope: 'project:write',
    admit: mayMakeProjects,
    tag: 'projects',
    summary: 'Make a project',
    body: NewProjectBody,
    status: 201,
    response: ProjectBody,
    example: PROJECT_EXAMPLE,
    idempotent: { secret: [] },
    handler: ({ caller, body, remember }) =>
      projects.create(caller, { ...toSettings(body), name: body.name }, remember),
  }),
]

export const projectRoutes = (projects: ProjectsFeature): Route[] => [
  ...collection(projects, '/api/projects/'),
  ...collection(projects, '/api/environments/').map((same) => ({ ...same, undocumented: true as const })),
  route({
    ...list,
    path: '/api/organizations/:organization_id/projects/',
    scope: 'project:read',
    summary: 'List the projects of an organization',
    params: Type.Object({ organization_id: Type.String({ description: 'The id of an organization, or `@current`.' }) }),
    handler: async ({ caller, params, query, url }) => {
      const page = readPage(query)
      const { organization_id: id } = params
      const { count, items } = await projects.listOfOrganization(caller, id, query.search ?? null, page)
      return pageOf(url, page, count, items)
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/',
    scope: 'project:read',
    summary: 'Read a project and its settings',
    handler: async ({ project }) => viewProject(project),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/',
    scope: 'project:write',
    summary: 'Change settings of a project',
    body: ProjectPatch,
    handler: ({ caller, project, body }) => projects.update(caller, project, toSettings(body)),
  }),
  route({
    method: 'DELETE',
    level: 'project',
    path: '/',
    scope: 'project:write',
    tag: 'projects',
    asksAgain: true,
    summary: 'Delete a project and all its data',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ caller, project }) => {
      await projects.remove(caller, project)
      return null
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/reset_token/',
    scope: 'project:write',
    asksAgain: true,
    summary: 'Replace the token that SDKs send',
    handler: ({ caller, project }) => projects.resetToken(caller, project),
  }),
]
