/** Shapes of sharing on the wire. */
import { Type } from 'typebox'
import { AnyJson, Body, Choice, DateTime, Line, Nullable } from '../../http/schema.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const SettingsBody = Body({
  whitelabel: flag('Without our name.'),
  noHeader: flag('Without the header.'),
  showInspector: flag('With the list of events.'),
  legend: flag('Kept for dashboards.'),
  detailed: flag('Kept for insights.'),
  hideExtraDetails: flag('Kept for insights.'),
  loadRemote: flag("With images and fonts from the recorded site's own servers."),
  theme: Type.Optional(Choice(['light', 'dark', 'system'])),
})

export const SharingBody = Body({
  created_at: DateTime(),
  enabled: Type.Boolean(),
  access_token: Type.String({ description: 'What /shared/{token} and `sharing_access_token` take.' }),
  settings: Nullable(SettingsBody),
  password_required: Type.Boolean(),
  share_passwords: Type.Array(
    Body({
      id: Type.Integer(),
      created_at: DateTime(),
      note: Nullable(Type.String()),
      created_by_email: Type.String(),
      is_active: Type.Boolean(),
    }),
  ),
  url: Nullable(Type.String({ description: 'Where the recording plays; null while sharing is off.' })),
  replay_url: Nullable(
    Type.String({ description: 'Where it plays in the web app, for users; null where that is not served.' }),
  ),
})

export const SharingPatchBody = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Enabling again makes a new token; the older ones are dead.' })),
  settings: Type.Optional(AnyJson({ description: 'Replaces all settings; unknown keys are dropped.' })),
  password_required: Type.Optional(Type.Boolean()),
})

export const NewPasswordBody = Type.Object({
  raw_password: Type.Optional(
    Nullable(Type.String({ maxLength: 1_000, description: 'At least 8 characters; made up when it is not given.' })),
  ),
  note: Type.Optional(Nullable(Line({ maxLength: 100 }))),
})

export const PasswordBody = Body({
  id: Type.Integer(),
  password: Nullable(Type.String({ description: 'Shown this once.' })),
  note: Nullable(Type.String()),
  created_at: DateTime(),
  created_by_email: Type.String(),
})

export const SharingParams = Type.Object({
  recording_id: Type.String({ description: 'The session id of the recording.' }),
})

export const PasswordParams = Type.Object({
  recording_id: Type.String({ description: 'The session id of the recording.' }),
  password_id: Type.String({ description: 'The id of a password of this share.' }),
})

export const SHARING_EXAMPLE = {
  created_at: '2026-03-04T12:00:00Z',
  enabled: true,
  access_token: 'V7mQ2pXw9RkT4bV8nZ1cY6dK3sF5gH',
  settings: { noHeader: true, theme: 'dark' },
  password_required: false,
  share_passwords: [],
  url: 'https://analytics.example.com/shared/V7mQ2pXw9RkT4bV8nZ1cY6dK3sF5gH',
  replay_url: 'https://analytics.example.com/project/1/replay/0195b0f0-1111-7d2e-9b1f-4c5d6e7f8a90',
}

export const PASSWORD_EXAMPLE = {
  id: 3,
  password: 'correct horse battery',
  note: 'For the design agency',
  created_at: '2026-03-04T12:00:00Z',
  created_by_email: 'jane@example.com',
}
