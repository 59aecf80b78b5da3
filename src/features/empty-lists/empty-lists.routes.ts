/**
 * Lists of what PostHog has and Hedgerow does not: feature flags, experiments, surveys, cohorts, actions. Clients ask
 * for them at their start, and an empty list tells them the truth in a shape that they know; a 404 stops some of them.
 */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { FreeForm, Page } from '../../http/schema.ts'

const LISTS = [
  { path: '/feature_flags/', scope: 'feature_flag:read', noun: 'feature flags' },
  { path: '/experiments/', scope: 'experiment:read', noun: 'experiments' },
  { path: '/surveys/', scope: 'survey:read', noun: 'surveys' },
  { path: '/cohorts/', scope: 'cohort:read', noun: 'cohorts' },
  { path: '/actions/', scope: 'action:read', noun: 'actions' },
]

const NoResults = Page(FreeForm())

export const emptyListRoutes = (): Route[] => [
  ...LISTS.map(({ path, scope, noun }) =>
    route({
      method: 'GET',
      level: 'project',
      path,
      scope,
      tag: path.replaceAll('/', ''),
      summary: `List ${noun}`,
      description: `Always empty: Hedgerow has no ${noun}.`,
      query: Type.Object(pageQuery()),
      response: NoResults,
      example: { count: 0, next: null, previous: null, results: [] },
      handler: async ({ query, url }) => pageOf(url, readPage(query), 0, []),
    }),
  ),
  route({
    method: 'GET',
    level: 'project',
    path: '/feature_flags/:key/remote_config/',
    scope: 'feature_flag:read',
    tag: 'feature_flags',
    summary: 'The payload of a remote configuration flag',
    // posthog-node takes the body of whatever status for the payload.
    description: 'Always null: Hedgerow has no feature flags.',
    params: Type.Object({ key: Type.String({ description: 'The key or the id of a flag.' }) }),
    response: Type.Null(),
    example: null,
    handler: async () => null,
  }),
]
