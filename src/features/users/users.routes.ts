/** /api/users/@me/: the user behind the key. */
import { type Static, Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { Choice, Line, Nullable } from '../../http/schema.ts'
import { USER_EXAMPLE, UserBasic } from '../../rules/accounts/user-view.ts'
import type { UsersFeature } from './users.feature.ts'

const OwnOrganization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  membership_level: Type.Unsafe<number | null>({
    ...Nullable(Type.Integer()),
    description: 'Of the user: 15 owner, 8 admin, 1 member, 0 viewer.',
  }),
})

const MeBody = Type.Object({
  ...UserBasic.properties,
  organization: Type.Unsafe<Static<typeof OwnOrganization> | null>({
    ...Nullable(OwnOrganization),
    description: 'That of the current project.',
  }),
  organizations: Type.Array(OwnOrganization, { description: 'All that the key can reach, the oldest first.' }),
  theme_mode: Nullable(Choice(['light', 'dark'])),
  is_impersonated: Type.Boolean(),
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
  theme_mode: Type.Optional(Nullable(Choice(['light', 'dark'], { description: 'Null: as the system.' }))),
  password: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'A new one, of at least 12 characters. Not by key; all other sign-ins of the user end.',
    }),
  ),
  current_password: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'With `password`, where the user has one.' }),
  ),
  set_current_team: Type.Optional(Type.Integer({ description: 'What @current means for keys that are not confined.' })),
})

const base = { level: 'account', path: '/api/users/@me/', tag: 'users', own: true, response: MeBody } as const
const example = {
  ...USER_EXAMPLE,
  organization: null,
  organizations: [],
  theme_mode: null,
  is_impersonated: false,
  team: null,
}

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
    summary: 'Change name, theme, password or current project',
    description: 'A password asks for a sign-in of the last hour (403 `recent_sign_in_required`).',
    body: MePatch,
    example,
    handler: async ({ caller, body, ip }) => {
      const { password, current_password: current = null } = body
      if (password !== undefined) await users.changePassword(caller, { password, current }, ip)
      return users.updateMe(caller, {
        ...(body.first_name === undefined ? {} : { firstName: body.first_name }),
        ...(body.last_name === undefined ? {} : { lastName: body.last_name }),
        ...(body.theme_mode === undefined ? {} : { themeMode: body.theme_mode }),
        ...(body.set_current_team === undefined ? {} : { currentProjectId: body.set_current_team }),
      })
    },
  }),
]
