/** Shapes of personal API keys on the wire. */
import { Type } from 'typebox'
import { Body, DateTime, DateTimeInput, Line, Nullable } from '../../http/schema.ts'

export const KeyBody = Body({
  id: Type.String(),
  label: Type.String(),
  value: Nullable(Type.String({ description: 'The secret; shown once, on create and roll.' })),
  mask_value: Type.String({ description: 'First and last four characters of the secret.' }),
  created_at: DateTime(),
  last_used_at: Nullable(DateTime()),
  last_rolled_at: Nullable(DateTime()),
  expires_at: Nullable(DateTime()),
  user_id: Type.Integer(),
  scopes: Type.Array(Type.String()),
  scoped_teams: Type.Array(Type.Integer(), { description: 'Project ids; empty: all.' }),
  scoped_organizations: Type.Array(Type.String(), { description: 'Organization ids; empty: all.' }),
})

export const NewKeyBody = Type.Object({
  label: Line({ minLength: 1, maxLength: 40 }),
  scopes: Type.Array(Type.String(), { description: 'Such as `person:read`; `*` is everything.' }),
  scoped_teams: Type.Optional(Nullable(Type.Array(Type.Integer(), { description: 'Project ids; none: all.' }))),
  scoped_organizations: Type.Optional(Nullable(Type.Array(Type.String()))),
  expires_at: Type.Optional(Nullable(DateTimeInput())),
})

export const KeyPatch = Type.Object({
  label: Type.Optional(Line({ minLength: 1, maxLength: 40 })),
  scopes: Type.Optional(Type.Array(Type.String())),
})

export const KEY_EXAMPLE = {
  id: '7mQ2pXw9RkT4bV8nZ1cY6d',
  label: 'Nightly export',
  value: null,
  mask_value: 'phx_...k3Qd',
  created_at: '2026-03-01T09:00:00Z',
  last_used_at: null,
  last_rolled_at: null,
  expires_at: null,
  user_id: 1,
  scopes: ['person:read'],
  scoped_teams: [1],
  scoped_organizations: [],
}
