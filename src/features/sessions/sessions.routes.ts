/** /sessions/: properties of sessions and their values. */
import { type Route, route } from '../../http/route.ts'
import type { SessionsFeature } from './sessions.feature.ts'
import {
  DEFINITIONS_EXAMPLE,
  DefinitionsBody,
  DefinitionsQuery,
  VALUES_EXAMPLE,
  ValuesBody,
  ValuesQuery,
} from './sessions.schema.ts'

const base = { level: 'project', tag: 'sessions', method: 'GET' } as const

export const sessionRoutes = (sessions: SessionsFeature): Route[] => [
  route({
    ...base,
    path: '/sessions/property_definitions/',
    scope: { none: 'a fixed list that says nothing about the project' },
    summary: 'Session properties',
    query: DefinitionsQuery,
    response: DefinitionsBody,
    example: DEFINITIONS_EXAMPLE,
    handler: async ({ query }) =>
      sessions.definitions({
        ...(query.search === undefined ? {} : { search: query.search }),
        ...(query.is_numerical === undefined ? {} : { isNumerical: query.is_numerical }),
      }),
  }),
  route({
    ...base,
    path: '/sessions/values/',
    readsEvents: true,
    scope: ['query:read', 'person:read', 'session_recording:read'],
    summary: 'Values of session properties',
    query: ValuesQuery,
    response: ValuesBody,
    example: VALUES_EXAMPLE,
    handler: async ({ project, query, signal }) => ({
      results: await sessions.values(project, { key: query.key || null, search: query.value || null }, signal),
      refreshing: false,
    }),
  }),
]
