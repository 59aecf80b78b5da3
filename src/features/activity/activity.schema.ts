/** Shapes of the activity log on the wire. */
import { Type } from 'typebox'
import { AnyJson, Body, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'

const Change = Body({
  type: Type.String(),
  action: Type.String({ description: 'changed, created, deleted, merged, split or exported.' }),
  field: Nullable(Type.String()),
  key: Type.Optional(Type.String({ description: 'The property, for changes of a person’s properties.' })),
  before: AnyJson(),
  after: AnyJson(),
})

const ActivityBody = Body({
  id: Uuid(),
  user: Body({
    id: Type.Optional(Type.Integer()),
    uuid: Type.Optional(Uuid()),
    first_name: Type.String(),
    email: Nullable(Type.String()),
    is_system: Type.Optional(Type.Boolean({ description: 'The server itself did it.' })),
  }),
  activity: Type.String(),
  scope: Type.String({ description: 'The kind of object.' }),
  item_id: Nullable(Type.String()),
  detail: Body({
    changes: Nullable(Type.Array(Change)),
    trigger: Nullable(
      Body(
        {
          job_type: Type.String(),
          job_id: Type.String({ description: 'The id of the entry that was undone.' }),
          payload: FreeForm(),
        },
        { description: 'What caused it: `undo`, where it undid another entry.' },
      ),
    ),
    name: Nullable(Type.String()),
    short_id: Nullable(Type.String()),
    type: Nullable(Type.String()),
  }),
  created_at: DateTime(),
  can_undo: Type.Boolean({
    description:
      'Whether activity_log/{id}/undo/ may be asked for: it is of a kind that can be undone, and was not. What stands in the way is found out then.',
  }),
})

export const ActivityPage = Body({
  count: Type.Integer(),
  next: Nullable(Type.String()),
  previous: Nullable(Type.String()),
  results: Type.Array(ActivityBody),
  total_count: Type.Integer({ description: 'The same as count.' }),
})

export const ACTIVITY_EXAMPLE = {
  id: '0196f1d2-7c00-7a4e-9d26-3f0e5f6c1a2d',
  user: { id: 1, uuid: '0190a0b0-7e1c-4a4e-9d26-3f0e5f6c1a2d', first_name: 'Admin', email: 'admin@localhost' },
  activity: 'updated',
  scope: 'Person',
  item_id: '37',
  detail: {
    changes: [{ type: 'Person', action: 'changed', field: 'properties', key: 'plan', before: 'free', after: 'paid' }],
    trigger: null,
    name: null,
    short_id: null,
    type: null,
  },
  created_at: '2026-05-21T09:30:00Z',
  can_undo: true,
}

/** Columns of its CSV that exist without any row. */
export const ACTIVITY_COLUMNS = [
  'activity',
  'can_undo',
  'created_at',
  'id',
  'item_id',
  'scope',
  'user.email',
  'user.first_name',
]
