/** Shapes of many persons on the wire: list, look-ups, bulk deletion and its state. */
import { Type } from 'typebox'
import { cursorQuery, pageQuery } from '../../http/output/pagination.ts'
import { AnyJson, Body, Choice, DateTime, FreeForm, Nullable, Page, Uuid } from '../../http/schema.ts'
import { ORDERINGS } from './person-list.ts'
import { PERSON_EXAMPLE } from './persons.schema.ts'

export const PersonRowBody = Body({
  type: Choice(['person']),
  id: Type.Integer(),
  uuid: Uuid(),
  created_at: DateTime(),
  last_seen_at: Nullable(DateTime()),
  properties: FreeForm(),
  is_identified: Type.Boolean(),
  name: Type.String(),
  distinct_ids: Type.Array(Type.String(), { description: 'At most 1,000, in the order in which they came.' }),
  matched_recordings: Type.Array(FreeForm()),
  value_at_data_point: Type.Null(),
})

export const ListQuery = Type.Object({
  ...pageQuery(),
  ...cursorQuery,
  search: Type.Optional(
    Type.String({ description: 'Contained in e-mail, name, uuid or a distinct id, whatever the case.' }),
  ),
  email: Type.Optional(Type.String({ description: 'Exactly this `email` property.' })),
  distinct_id: Type.Optional(Type.String({ description: 'Exactly this distinct id.' })),
  properties: Type.Optional(
    Type.String({ description: 'Property filters as JSON, `[{"key", "value", "operator", "type": "person"}]`.' }),
  ),
  updated_after: Type.Optional(Type.String({ description: 'Only persons written after this time, ISO 8601.' })),
  ordering: Type.Optional(
    Choice(ORDERINGS, {
      description:
        'By when a person was created or last seen, to the hour; the other way round with a minus. Equal ones by id; who was never seen counts as seen first. -created_at unless given.',
    }),
  ),
  include_total: Type.Optional(Type.Boolean({ description: 'Taken for compatibility; `count` is always there.' })),
})

export const CREATE_REFUSED =
  'Creating persons via this API is not allowed. Please create persons by sending an $identify event. See https://posthog.com/docs/product-analytics/identify for details.'

export const ValuesQuery = Type.Object({
  key: Type.Optional(Type.String({ description: 'The property.' })),
  value: Type.Optional(Type.String({ description: 'Contained in the value, whatever the case.' })),
})

export const Values = Body({
  results: Type.Array(Body({ name: Type.String(), count: Type.Integer() }), {
    description: 'The 20 most frequent values, most frequent first.',
  }),
  refreshing: Type.Boolean(),
})

export const DistinctIdsBody = Type.Object({
  distinct_ids: Type.Optional(AnyJson({ description: 'A list of distinct ids; the first 200 count.' })),
})
export const UuidsBody = Type.Object({
  uuids: Type.Optional(AnyJson({ description: 'A list of UUIDs; the first 200 count.' })),
})

export const PersonsByKey = Body({
  results: FreeForm({ description: 'Each requested id that exists, with its person (at most ten distinct ids).' }),
})

export const CohortsQuery = Type.Object({
  person_id: Type.String({ description: 'The integer id or the UUID of a person.' }),
})
export const Cohorts = Page(Body({ id: Type.Integer(), name: Type.String(), count: Nullable(Type.Integer()) }))

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const BulkDeleteBody = Type.Object({
  ids: Type.Optional(Type.Array(AnyJson(), { description: 'Integer ids or UUIDs of persons; at most 1,000.' })),
  distinct_ids: Type.Optional(Type.Array(Type.String(), { description: 'Instead of ids; at most 1,000.' })),
  delete_events: flag('Also queue the deletion of their events.'),
  delete_recordings: flag('Also delete their session recordings, at once.'),
  keep_person: flag('Keep the persons themselves.'),
})

export const BulkDeleteSummary = Body({
  persons_found: Type.Integer(),
  persons_deleted: Type.Integer(),
  events_queued_for_deletion: Type.Boolean(),
  recordings_queued_for_deletion: Type.Boolean(),
  deletion_errors: Type.Array(Body({ person_uuid: Uuid() }), {
    description: 'Always empty: the persons of one request go together or not at all.',
  }),
  ids_not_found: Type.Array(Type.Unsafe<string | number>({ description: 'As they were given.' })),
  distinct_ids_not_found: Type.Array(Type.String()),
})

export const DeletionBody = Body({
  person_id: Type.Integer(),
  person_uuid: Uuid(),
  created_at: DateTime({ description: 'When it was asked; what came later stays.' }),
  status: Choice(['pending', 'completed']),
  scheduled_for: DateTime({ description: 'The first Sunday 05:00 UTC after the request.' }),
  delete_verified_at: Nullable(DateTime()),
  events_deleted: Nullable(Type.Integer()),
  sessions_deleted: Nullable(Type.Integer()),
  recordings_deleted: Nullable(Type.Integer()),
})

export const DeletionStatusQuery = Type.Object({
  ...pageQuery(),
  status: Type.Optional(Choice(['pending', 'completed', 'all'], { description: '`all` unless given.' })),
  person_uuid: Type.Optional(Type.String({ description: 'Only requests for this person.' })),
})

export const DeletedRecordings = Body({ recordings_deleted: Type.Integer() })

export const ResetBody = Type.Object({
  distinct_id: Type.Optional(AnyJson({ description: 'The distinct id.' })),
})
export const Success = Body({ success: Type.Boolean() })

export const ROW_EXAMPLE = {
  type: 'person',
  id: PERSON_EXAMPLE.id,
  uuid: PERSON_EXAMPLE.uuid,
  created_at: PERSON_EXAMPLE.created_at,
  last_seen_at: null,
  properties: PERSON_EXAMPLE.properties,
  is_identified: true,
  name: PERSON_EXAMPLE.name,
  distinct_ids: PERSON_EXAMPLE.distinct_ids,
  matched_recordings: [],
  value_at_data_point: null,
}

/** Columns of the list's CSV that exist without any row. */
export const ROW_COLUMNS = [
  'created_at',
  'id',
  'is_identified',
  'last_seen_at',
  'name',
  'type',
  'uuid',
  'value_at_data_point',
]

export const DELETION_EXAMPLE = {
  person_id: 37,
  person_uuid: PERSON_EXAMPLE.uuid,
  created_at: '2026-05-06T10:00:00Z',
  status: 'pending',
  scheduled_for: '2026-05-10T05:00:00Z',
  delete_verified_at: null,
  events_deleted: null,
  sessions_deleted: null,
  recordings_deleted: null,
}

export const DELETION_COLUMNS = Object.keys(DELETION_EXAMPLE)

export const SUMMARY_EXAMPLE = {
  persons_found: 1,
  persons_deleted: 1,
  events_queued_for_deletion: true,
  recordings_queued_for_deletion: false,
  deletion_errors: [],
  ids_not_found: [99],
  distinct_ids_not_found: [],
}
