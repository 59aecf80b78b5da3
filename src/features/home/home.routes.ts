/** `/`, `/favicon.ico` and `/api/`: for whoever opens the server's address to see what it is. */
import type { PageRoute } from '../../http/page-routes.ts'
import type { RawRoute } from '../../http/raw-routes.ts'
import { type Route, route } from '../../http/route.ts'
import { FreeForm } from '../../http/schema.ts'
import type { HomeFeature } from './home.feature.ts'

export const homePageRoutes = (home: HomeFeature): PageRoute[] => [
  { path: '/', method: 'GET', handler: (call) => home.root(call) },
]

export const homeFileRoutes = (home: HomeFeature): RawRoute[] => [
  {
    paths: ['/favicon.ico'],
    methods: ['GET'],
    bodyLimit: 1,
    summary: 'The icon of the pages',
    handler: ({ headers }) => home.icon(headers),
  },
]

export const homeRoutes = (home: HomeFeature): Route[] => [
  route({
    method: 'GET',
    level: 'public',
    path: '/api/',
    scope: { none: 'tells nothing about any project' },
    tag: 'system',
    summary: 'Where the documentation is',
    undocumented: true,
    response: FreeForm(),
    example: {},
    handler: async ({ url, headers }) => home.api(url, headers),
  }),
]
