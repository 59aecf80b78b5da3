/**
 * Definitions of feature flags, which the SDKs of servers ask for to evaluate flags by themselves: there are none.
 * Asked with a personal API key, and the token of a project of that key.
 */
import { Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { FreeForm } from '../../http/schema.ts'
import type { SdkFeature } from './sdk.feature.ts'

const NONE = { flags: [], group_type_mapping: {}, cohorts: {} }

const definitions = ({ projectOfKey }: SdkFeature, path: string): Route =>
  route({
    method: 'GET',
    level: 'account',
    path,
    mirrorsOrigin: true,
    scope: 'feature_flag:read',
    tag: 'feature_flags',
    summary: 'Definitions of feature flags for local evaluation',
    description: 'Always empty: Hedgerow has no feature flags.',
    query: Type.Object({
      token: Type.Optional(Type.String({ description: 'The token of a project; the current project unless given.' })),
    }),
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

export const flagDefinitionRoutes = (sdk: SdkFeature): Route[] => [
  definitions(sdk, '/api/feature_flag/local_evaluation/'),
  { ...definitions(sdk, '/flags/definitions/'), undocumented: true },
]
