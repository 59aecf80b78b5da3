/** /sessions/: sessions, their properties and the values of these. */
import { isWhole, wholeCsv } from '../../http/output/output-format.ts'
import { type Route, route } from '../../http/route.ts'
import type { SessionsFeature } from './sessions.feature.ts'
import {
  DEFINITIONS_EXAMPLE,
  DefinitionsBody,
  DefinitionsQuery,
  SESSION_COLUMNS,
  SESSION_EXAMPLE,
  SessionBody,
  SessionPageBody,
  SessionParams,
  SessionsQuery,
  VALUES_EXAMPLE,
  ValuesBody,
  ValuesQuery,
} from './sessions.schema.ts'

const SCOPE = ['query:read', 'person:read', 'session_recording:read']
const csv = { fileName: 'sessions', columns: SESSION_COLUMNS, rows: (body: { results: unknown[] }) => body.results }
const base = { level: 'project', tag: 'sessions', method: 'GET' } as const

export const sessionRoutes = (sessions: SessionsFeature): Route[] => [
  route({
    ...base,
    path: '/sessions/',
    readsEvents: true,
    scope: SCOPE,
    summary: 'List sessions',
    description:
      'Computed from the events that carry one session id; newest first unless ordered otherwise. All filters must hold. Pages are exact: sessions that begin meanwhile neither shift nor repeat any. As CSV the whole result is sent unless limit or cursor is given.',
    query: SessionsQuery,
    response: SessionPageBody,
    example: { next: null, previous: null, results: [SESSION_EXAMPLE] },
    csv,
    handler: async ({ project, query, url, format, signal }) => {
      if (isWhole(format, query.limit, query.cursor || undefined)) {
        return wholeCsv(csv, await sessions.walk(project, query, signal))
      }
      return sessions.list(project, query, url, signal)
    },
  }),
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
    scope: SCOPE,
    summary: 'Values of session properties',
    query: ValuesQuery,
    response: ValuesBody,
    example: VALUES_EXAMPLE,
    handler: async ({ project, query, signal }) => ({
      results: await sessions.values(project, { key: query.key || null, search: query.value || null }, signal),
      refreshing: false,
    }),
  }),
  route({
    ...base,
    path: '/sessions/:session_id/',
    readsEvents: true,
    scope: SCOPE,
    summary: 'Retrieve a session',
    params: SessionParams,
    response: SessionBody,
    example: SESSION_EXAMPLE,
    handler: async ({ project, params, signal }) => sessions.retrieve(project, params.session_id, signal),
  }),
]
