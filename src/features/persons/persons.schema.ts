/** Shapes of one person on the wire, and of changes to it. */
import { Type } from 'typebox'
import { AnyJson, Body, Choice, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'
import { INTERVALS } from './timeline/date-range.ts'

const fields = {
  id: Type.Integer({ description: 'Unique integer identifying the person.' }),
  name: Type.String(),
  distinct_ids: Type.Array(Type.String()),
  properties: FreeForm(),
  created_at: DateTime(),
  uuid: Uuid(),
}

export const PersonBody = Body(fields)

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

/** The seed's clients also send a body `{"properties": …}`; it is ignored on these routes. */
export const UpdatePropertyBody = Type.Object({
  key: Type.Optional(AnyJson({ description: 'The property key.' })),
  value: Type.Optional(AnyJson({ description: 'The property value: any JSON, null included.' })),
})
export const UpdatePropertyQuery = Type.Object({
  key: Type.Optional(Type.String({ description: 'The property key, when the body does not name it.' })),
  value: Type.Optional(
    Type.String({ description: 'The property value, when the body has none: JSON when it parses, else text.' }),
  ),
})

export const DeletePropertyBody = Type.Object({
  $unset: Type.Optional(AnyJson({ description: 'The property key to delete, or a list of keys.' })),
})
export const DeletePropertyQuery = Type.Object({
  $unset: Type.Optional(Type.String({ description: 'The property key to delete, when the body does not name it.' })),
})

export const SplitBody = Type.Object({
  main_distinct_id: Type.Optional(AnyJson({ description: 'The one distinct id that the person keeps.' })),
  distinct_ids_to_split: Type.Optional(AnyJson({ description: 'A list of the distinct ids that leave the person.' })),
})
export const SplitQuery = Type.Object({
  main_distinct_id: Type.Optional(Type.String({ description: 'As in the body.' })),
  distinct_ids_to_split: Type.Optional(
    Type.String({ description: 'As in the body; a JSON list, or ids with commas between them.' }),
  ),
})

export const ChangedPerson = Body({ success: Type.Boolean(), person: PersonBody })

export const SplitPersons = Body({
  success: Type.Boolean(),
  person: PersonBody,
  split: Type.Array(PersonBody, { description: 'The persons that the other distinct ids belong to now.' }),
})

const json = (description: string) => Type.Optional(Type.String({ description: `${description} JSON.` }))

export const TimelineQuery = Type.Object({
  events: json('Events to count, `[{"id": name, "properties": […]}]`; every event unless given.'),
  actions: json('Must be empty: there are no actions here.'),
  properties: json('Property filters; their person properties are crucial, events are not filtered by them.'),
  breakdown: Type.Optional(Type.String({ description: 'A property, or a JSON list of them.' })),
  breakdown_type: Type.Optional(Type.String({ description: '`person` makes the breakdown’s properties crucial.' })),
  date_from: Type.Optional(
    Type.String({ description: 'ISO 8601, relative such as `-7d` (the default), or `all`: from the first event.' }),
  ),
  date_to: Type.Optional(Type.String({ description: 'ISO 8601 or relative; now unless given.' })),
  interval: Type.Optional(Choice(INTERVALS, { description: 'What the dates are widened to; `day` unless given.' })),
})

export const Timeline = Body({
  points: Type.Array(Body({ timestamp: DateTime(), properties: FreeForm(), relevant_event_count: Type.Integer() }), {
    description: 'One for the first event and one wherever a crucial property differs from the event before.',
  }),
  crucial_property_keys: Type.Array(Type.String()),
  effective_date_from: DateTime(),
  effective_date_to: DateTime(),
})

export const CountsQuery = Type.Object({
  by_distinct_id: Type.Optional(Type.Boolean({ description: 'Also the events of each distinct id; not in CSV.' })),
})

export const PersonCounts = Body({
  events: Type.Integer({ description: 'Of all its distinct ids.' }),
  sessions: Type.Integer({ description: 'Sessions with at least one of these events.' }),
  recordings: Type.Integer({
    description: 'As `session_recordings/?person_uuid=…` lists them: those that have expired are not.',
  }),
  bytes: Type.Integer({
    description: 'Of these recordings as they are stored, compressed. Events have no files of their own to count.',
  }),
  first_seen: Nullable(DateTime({ description: 'When the first of its events happened.' })),
  last_seen: Nullable(DateTime({ description: 'When the last of its events happened.' })),
  distinct_ids: Type.Optional(
    Type.Array(Body({ distinct_id: Type.String(), events: Type.Integer() }), {
      description: 'With by_distinct_id: every id of the person with its number of events, which may be 0.',
    }),
  ),
})

export const COUNTS_EXAMPLE = {
  events: 1_204,
  sessions: 41,
  recordings: 12,
  bytes: 5_242_880,
  first_seen: '2026-03-01T09:00:00Z',
  last_seen: '2026-05-04T11:00:00Z',
}

export const MomentQuery = Type.Object({
  distinct_id: Type.Optional(Type.String({ description: 'Whose properties; give this or person_id.' })),
  person_id: Type.Optional(Type.String({ description: 'A UUID or an integer id; give this or distinct_id.' })),
  timestamp: Type.Optional(Type.String({ description: 'ISO 8601; without an offset it is UTC.' })),
  include_set_once: Type.Optional(Type.Boolean({ description: 'Also what `$set_once` wrote.' })),
})

export const PersonAtTime = Body({
  ...fields,
  point_in_time_metadata: Body({
    queried_timestamp: DateTime(),
    include_set_once: Type.Boolean(),
    distinct_id_used: Nullable(Type.String()),
    person_id_used: Nullable(Uuid()),
    query_mode: Choice(['distinct_id', 'person_id']),
    distinct_ids_queried: Type.Array(Type.String()),
    distinct_ids_count: Type.Integer(),
  }),
})

export const PERSON_EXAMPLE = {
  id: 37,
  name: 'jane@example.com',
  distinct_ids: ['user_1', '17787c3099427b-0e8f6c86323ea9-33647309-1aeaa0-17787c30995b7c'],
  properties: { email: 'jane@example.com', $os: 'Mac OS X' },
  created_at: '2026-05-01T10:00:00.123000Z',
  uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e',
}

/** Columns of a person's CSV that exist without any row. */
export const PERSON_COLUMNS = ['created_at', 'id', 'name', 'uuid']
