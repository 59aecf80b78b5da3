/** Shapes of persons on the wire. */
import { Type } from 'typebox'
import { Body, DateTime, FreeForm, Uuid } from '../../http/schema.ts'

export const PersonBody = Body({
  id: Type.Integer({ description: 'Unique integer identifying the person.' }),
  name: Type.String(),
  distinct_ids: Type.Array(Type.String()),
  properties: FreeForm(),
  created_at: DateTime(),
  uuid: Uuid(),
})

export const PersonPatch = Type.Object({
  properties: FreeForm({ description: 'Merged into what is there; null sets null, keys not named stay.' }),
})

export const PersonParams = Type.Object({
  id: Type.String({ description: 'The integer id or the UUID of a person.' }),
})

export const RemoveQuery = Type.Object({
  delete_events: Type.Optional(
    Type.Boolean({ description: 'Also queue the deletion of all its events, for the batch of Sunday 05:00 UTC.' }),
  ),
  delete_recordings: Type.Optional(Type.Boolean({ description: 'Also delete its session recordings, at once.' })),
  keep_person: Type.Optional(Type.Boolean({ description: 'Keep the person itself.' })),
})

export const PERSON_EXAMPLE = {
  id: 37,
  name: 'jane@example.com',
  distinct_ids: ['user_1', '17787c3099427b-0e8f6c86323ea9-33647309-1aeaa0-17787c30995b7c'],
  properties: { email: 'jane@example.com', $os: 'Mac OS X' },
  created_at: '2026-05-01T10:00:00.123000Z',
  uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e',
}

/** Columns of a person's CSV that are there without any row. */
export const PERSON_COLUMNS = ['created_at', 'id', 'name', 'uuid']
