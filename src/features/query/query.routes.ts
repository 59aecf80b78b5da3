/** /query/: queries on events that are not saved as insights. */
import { type Route, route } from '../../http/route.ts'
import type { QueryFeature } from './query.feature.ts'
import { QUERY_EXAMPLE, QueryBody, QueryInputBody } from './query.schema.ts'

export const queryRoutes = (query: QueryFeature): Route[] => [
  route({
    level: 'project',
    tag: 'query',
    method: 'POST',
    path: '/query/',
    readsEvents: true,
    scope: 'query:read',
    summary: 'Compute a query',
    description:
      'Nothing is saved. What cannot be computed is refused with the name of what is not supported; so are more than 200,000 cells (series × breakdown values × intervals), with what to lower.',
    body: QueryInputBody,
    response: QueryBody,
    example: QUERY_EXAMPLE,
    handler: ({ project, body }) => query.run(project, body),
  }),
]
