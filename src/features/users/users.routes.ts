/** /api/users/@me/: the user behind the key. */
import { Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { Line, Nullable } from '../../http/schema.ts'
import { USER_EXAMPLE, UserBasic } from '../../rules/accounts/user-view.ts'
import type { UsersFeature } from './users.feature.ts'

const OrganizationName = Type.Object({ id: Type.String(), name: Type.String() })

const MeBody = Type.Object({
  ...UserBasic.properties,
  organization: Type.Unsafe<{ id: string; name: string } | null>({
    ...Nullable(OrganizationName),
    description: 'That of the current project.',
  }),
  organizations: Type.Array(OrganizationName, { description: 'All that the key can reach, the oldest first.' }),
  team: Nullable(
    Type.Object({
      id: Type.Integer(),
      uuid: Type.String(),
      organization: Type.String(),
      name: Type.String(),
      api_token: Type.String(),
    }),
  ),
})

export const MePatch = Type.Object({
  first_name: Type.Optional(Line({ maxLength: 150 })),
  last_name: Type.Optional(Line({ maxLength: 150 })),
  set_current_team: Type.Optional(Type.Integer({ description: 'What @current means for keys that are not confined.' })),
})

const base = { level: 'account', path: '/api/users/@me/', tag: 'users', own: true, response: MeBody } as const
const example = { ...USER_EXAMPLE, organization: null, organizations: [], team: null }

export const userRoutes = (users: UsersFeature): Route[] => [
  route({
    ...base,
    method: 'GET',
    scope: 'user:read',
    summary: 'The user behind the key',
    example,
    handler: ({ caller }) => users.me(caller),
  }),
  route({
    ...base,
    method: 'PATCH',
    scope: 'user:write',
    summary: 'Change the name or the current project',
    body: MePatch,
    example,
    handler: ({ caller, body }) =>
      users.updateMe(caller, {
        ...(body.first_name === undefined ? {} : { firstName: body.first_name }),
        ...(body.last_name === undefined ? {} : { lastName: body.last_name }),
        ...(body.set_current_team === undefined ? {} : { currentProjectId: body.set_current_team }),
      }),
  }),
]
