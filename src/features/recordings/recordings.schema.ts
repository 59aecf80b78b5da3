/** Shapes of session recordings on the wire: the 20 fields of the seed first, then what we add. */
import { Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { AnyJson, Body, Choice, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })

const OwnerBody = Body({
  id: Nullable(Type.Integer()),
  name: Nullable(Type.String()),
  distinct_ids: Type.String({ description: 'One text: the distinct id of the recording itself.' }),
  properties: FreeForm(),
  created_at: Nullable(DateTime()),
  uuid: Uuid(),
})

const fields = {
  id: Type.String({ description: 'The session id.' }),
  distinct_id: Type.String(),
  viewed: Type.Boolean({ description: 'By the user of the key.' }),
  recording_duration: count('Whole seconds from the first to the last event.'),
  active_seconds: count(),
  inactive_seconds: count(),
  start_time: DateTime(),
  end_time: DateTime(),
  click_count: count(),
  keypress_count: count(),
  mouse_activity_count: count(),
  console_log_count: count(),
  console_warn_count: count(),
  console_error_count: count(),
  start_url: Type.String({ description: 'Empty when no page was seen.' }),
  person: OwnerBody,
  storage: Choice(['object_storage', 'object_storage_lts'], { description: '`_lts` once it has been shared.' }),
  snapshot_source: Type.String({ description: '`web` or `mobile`.' }),
  ongoing: Type.Boolean({ description: 'Data came within the last five minutes.' }),
  activity_score: Type.Number(),
  viewers: Type.Array(Type.String(), { description: 'E-mail addresses of other users who have seen it.' }),
  retention_period_days: count(),
  expiry_time: DateTime(),
  recording_ttl: count('Calendar days (UTC) until it expires.'),
  snapshot_library: Nullable(Type.String()),
  total_size: count('Bytes of snapshot lines, uncompressed.'),
  event_count: count('Snapshot events.'),
}

export const RecordingBody = Body(fields)
export const PatchedRecordingBody = Body({ ...fields, success: Type.Boolean() })
export const SharedRecordingBody = Body({
  id: fields.id,
  recording_duration: fields.recording_duration,
  start_time: fields.start_time,
  end_time: fields.end_time,
})

export const RecordingPage = Body({
  count: Type.Integer({ description: 'Total number of results.' }),
  next: Nullable(Type.String({ description: 'Absolute URL of the next page.' })),
  previous: Nullable(Type.String({ description: 'Absolute URL of the previous page.' })),
  results: Type.Array(RecordingBody),
  has_next: Type.Boolean(),
})

export const RecordingParams = Type.Object({ id: Type.String({ description: 'The session id of the recording.' }) })

export const RecordingPatchBody = Type.Object({
  person: Type.Optional(
    AnyJson({
      description: 'Gives it to this person: integer id, UUID, or an object with `id` or `uuid`; null undoes.',
    }),
  ),
  viewed: Type.Optional(Type.Boolean({ description: 'Whether the user of the key has seen it.' })),
  analyzed: Type.Optional(Type.Boolean()),
  player_metadata: Type.Optional(Nullable(FreeForm({ description: 'Taken for the sake of players; not kept.' }))),
})

const json = (description: string) => Type.Optional(Type.String({ description: `JSON: ${description}` }))

const ORDERS = [
  'start_time',
  'duration',
  'recording_duration',
  'active_seconds',
  'inactive_seconds',
  'click_count',
  'keypress_count',
  'mouse_activity_count',
  'console_log_count',
  'console_warn_count',
  'console_error_count',
  'activity_score',
  'recording_ttl',
] as const

export const ListQuerySchema = Type.Object({
  ...pageQuery(50),
  date_from: Type.Optional(
    Type.String({ description: 'Started at this time or later: ISO 8601, relative such as -7d, or all. Default -3d.' }),
  ),
  date_to: Type.Optional(Type.String({ description: 'Started at this time or earlier.' })),
  order: Type.Optional(Choice(ORDERS)),
  order_direction: Type.Optional(Choice(['ASC', 'DESC'], { description: 'DESC unless given.' })),
  session_ids: json('only these sessions, in this order, whenever they were.'),
  session_recording_id: Type.Optional(Type.String({ description: 'Comes first, whatever the filters say.' })),
  distinct_ids: json('only of these distinct ids.'),
  person_uuid: Type.Optional(Type.String({ description: 'Only of this person.' })),
  events: json(
    'sessions with these events: `[{"id": "$pageview", "type": "events", "properties": []}]`; the id null means any event.',
  ),
  properties: json(
    'filters on properties of the person, or, with type `event`, of events of the session, of which one must fit.',
  ),
  having_predicates: json('`[{"key": "click_count", "operator": "gt", "value": 5}]`.'),
  console_log_filters: json(
    'levels of console lines, of which one must fit: `[{"key": "level", "value": ["warn", "error"]}]`; their text is not kept.',
  ),
  operand: Type.Optional(
    Choice(['AND', 'OR'], { description: 'How events, properties, predicates and console filters are joined.' }),
  ),
  filter_test_accounts: Type.Optional(
    Type.Boolean({ description: 'A project has no test accounts: changes nothing.' }),
  ),
  hide_viewed_recordings: Type.Optional(Choice(['current-user', 'any-user'])),
  actions: json('refused unless empty.'),
  comment_text: json('refused unless empty.'),
})

export const MatchingQuerySchema = Type.Object({
  session_ids: json('a list of exactly one session id.'),
  events: json('the events to find: `[{"id": "$pageview", "type": "events", "properties": []}]`.'),
  properties: json('filters on properties of events; what fits one of them is found too.'),
  actions: json('refused unless empty.'),
})

export const MatchingBody = Body({ results: Type.Array(Body({ uuid: Uuid(), timestamp: DateTime() })) })

export const ViewedBody = Body({ viewed: Type.Boolean(), other_viewers: Type.Integer() })

export const BulkIdsBody = Type.Object({
  session_recording_ids: Type.Optional(AnyJson({ description: 'A list of 1 to 100 session ids.' })),
})
export const BulkRemoveBody = Type.Object({
  session_recording_ids: Type.Optional(AnyJson({ description: 'A list of 1 to 100 session ids.' })),
  date_from: Type.Optional(Nullable(Type.String({ description: 'Leaves out what started earlier.' }))),
})
export const BulkRemovedBody = Body({
  success: Type.Boolean(),
  deleted_count: Type.Integer(),
  total_requested: Type.Integer(),
  failed_ids: Type.Array(Type.String()),
})
export const BulkViewedBody = Body({
  success: Type.Boolean(),
  viewed_count: Type.Integer(),
  total_requested: Type.Integer(),
})
export const BulkNotViewedBody = Body({
  success: Type.Boolean(),
  not_viewed_count: Type.Integer(),
  total_requested: Type.Integer(),
})
export const ExistQuestion = Type.Object({
  session_ids: Type.Optional(AnyJson({ description: 'A list of 1 to 100 session ids.' })),
})
export const ExistAnswer = Body({ results: FreeForm({ description: 'Session id → whether there is a recording.' }) })

export const RECORDING_EXAMPLE = {
  id: '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2d',
  distinct_id: 'user_1',
  viewed: false,
  recording_duration: 32,
  active_seconds: 14,
  inactive_seconds: 18,
  start_time: '2026-03-04T11:00:00.037000Z',
  end_time: '2026-03-04T11:00:32.908000Z',
  click_count: 14,
  keypress_count: 36,
  mouse_activity_count: 83,
  console_log_count: 12,
  console_warn_count: 4,
  console_error_count: 4,
  start_url: 'https://example.com/pricing',
  person: {
    id: 37,
    name: 'jane@example.com',
    distinct_ids: 'user_1',
    properties: { email: 'jane@example.com' },
    created_at: '2026-03-01T10:00:00Z',
    uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e',
  },
  storage: 'object_storage',
  snapshot_source: 'web',
  ongoing: false,
  activity_score: 50.95,
  viewers: ['john@example.com'],
  retention_period_days: 30,
  expiry_time: '2026-04-03T00:00:00Z',
  recording_ttl: 30,
  snapshot_library: 'web',
  total_size: 184_320,
  event_count: 169,
}
