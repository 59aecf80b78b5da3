/**
 * Definitions of feature flags, which the SDKs of servers ask for to evaluate flags by themselves: there are none.
 * Asked with a personal API key, and the token of a project of that key.
 */
import { Type } from 'typebox'
import { pageOf, pageQuery, readPage } from '../../http/output/pagination.ts'
import { type Route, route } from '../../http/route.ts'
import { FreeForm, Page } from '../../http/schema.ts'
import type { SdkFeature } from './sdk.feature.ts'

const NONE = { flags: [], group_type_mapping: {}, cohorts: {} }

const TOKEN = {
  token: Type.Optional(Type.String({ description: 'The token of a project; the current project unless given.' })),
}
const base = {
  method: 'GET',
  level: 'account',
  mirrorsOrigin: true,
  scope: 'feature_flag:read',
  tag: 'feature_flags',
} as const

const definitions = ({ projectOfKey }: SdkFeature, path: string): Route =>
  route({
    ...base,
    path,
    summary: 'Definitions of feature flags for local evaluation',
    description: 'Always empty: Hedgerow has no feature flags.',
    query: Type.Object(TOKEN),
    response: Type.Object({
      flags: Type.Array(FreeForm()),
      group_type_mapping: FreeForm({ description: 'Names of group types by their index.' }),
      cohorts: FreeForm({ description: 'Cohorts of the flags by their id.' }),
    }),
    example: NONE,
    handler: async ({ caller, query }) => {
      await projectOfKey(caller, query.token)
      return NONE
    },
  })

/** posthog-node 1 evaluates flags from the list that PostHog's own pages show. */
const list = ({ projectOfKey }: SdkFeature): Route =>
  route({
    ...base,
    path: '/api/feature_flag/',
    summary: 'List feature flags, by the token of a project',
    description: 'Always empty: Hedgerow has no feature flags.',
    query: Type.Object({ ...TOKEN, ...pageQuery() }),
    response: Page(FreeForm()),
    example: { count: 0, next: null, previous: null, results: [] },
    handler: async ({ caller, query, url }) => {
      await projectOfKey(caller, query.token)
      return pageOf(url, readPage(query), 0, [])
    },
  })

export const flagDefinitionRoutes = (sdk: SdkFeature): Route[] => [
  definitions(sdk, '/api/feature_flag/local_evaluation/'),
  { ...definitions(sdk, '/flags/definitions/'), undocumented: true },
  { ...list(sdk), undocumented: true },
]
