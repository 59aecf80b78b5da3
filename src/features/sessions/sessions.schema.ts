/** Shapes of sessions and of their properties on the wire. */
import { Type } from 'typebox'
import { Body, Choice, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'
import { SESSION_PROPERTIES } from './session-properties.ts'
import { ORDERINGS } from './session-query.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const DefinitionsQuery = Type.Object({
  search: Type.Optional(Type.String({ description: 'Words that must all be part of the name.' })),
  is_numerical: Type.Optional(Type.Boolean({ description: 'Only numbers, or only the others.' })),
})

export const DefinitionsBody = Body({
  count: Type.Integer(),
  results: Type.Array(
    Body({
      id: Type.String(),
      name: Type.String(),
      is_numerical: Type.Boolean(),
      property_type: Choice(['String', 'Numeric', 'DateTime', 'Boolean', 'Duration']),
      is_seen_on_filtered_events: Type.Null(),
      tags: Type.Array(Type.String()),
    }),
  ),
})

export const ValuesQuery = Type.Object({
  key: Type.Optional(Type.String({ description: 'A session property; without it, every one that has values.' })),
  value: Type.Optional(Type.String({ description: 'Text that the values contain, whatever the case.' })),
})

export const ValuesBody = Body({
  results: Type.Array(
    Body({
      key: Type.Optional(Type.String({ description: 'The session property; only when none was asked for.' })),
      name: Type.String(),
      count: Type.Integer({ description: 'In how many of the latest 100,000 sessions.' }),
    }),
  ),
  refreshing: Type.Boolean(),
})

export const DEFINITIONS_EXAMPLE = {
  count: 1,
  results: [
    {
      id: '$session_duration',
      name: '$session_duration',
      is_numerical: true,
      property_type: 'Duration',
      is_seen_on_filtered_events: null,
      tags: [],
    },
  ],
}

export const VALUES_EXAMPLE = { results: [{ name: 'google', count: 12 }], refreshing: false }

const SessionOwner = Body({
  id: Type.Integer(),
  uuid: Uuid(),
  name: Type.String(),
  distinct_ids: Type.Array(Type.String(), { description: 'The distinct id of the session, alone.' }),
  properties: FreeForm({ description: 'Of the person’s present properties: email, name and username.' }),
  created_at: DateTime(),
})

const SessionRecording = Body({
  start_time: DateTime(),
  end_time: DateTime(),
  recording_duration: Type.Integer({ description: 'Whole seconds from its first to its last event.' }),
  active_seconds: Type.Integer(),
  expiry_time: DateTime(),
})

export const SessionBody = Body(
  {
    id: Uuid({ description: 'As events have it in `$session_id`, and the id of its recording.' }),
    distinct_id: Type.String({ description: 'Of its first event.' }),
    person: Type.Unsafe<{ id: number } | null>({
      ...Nullable(SessionOwner),
      description: 'Whose distinct id it is now; null when it is nobody’s.',
    }),
    start_time: DateTime({ description: 'When its first event happened.' }),
    end_time: DateTime({ description: 'When its last event happened.' }),
    duration: Type.Integer({ description: 'Whole seconds between them.' }),
    has_recording: Type.Boolean(),
    recording: Type.Unsafe<{ start_time: string } | null>({
      ...Nullable(SessionRecording),
      description: 'Null when there is none, or when it has expired.',
    }),
    properties: FreeForm({
      description:
        'Every session property, as `sessions/property_definitions/` lists them; null where the session has no value.',
    }),
  },
  { title: 'Session' },
)

export const SessionPageBody = Body({
  next: Nullable(Type.String({ description: 'Absolute URL of the next page, in the order of the list.' })),
  previous: Nullable(Type.String({ description: 'Absolute URL of the previous page.' })),
  results: Type.Array(SessionBody),
})

export const SessionsQuery = Type.Object({
  person_id: text('Only sessions with an event of this person’s distinct ids; its integer id or UUID. Unknown: none.'),
  has_recording: Type.Optional(Type.Boolean({ description: 'Only those with a recording, or only those without.' })),
  date_from: text('Only sessions that began at this time or later; ISO 8601, or relative to now such as -7d.'),
  date_to: text(
    'Only sessions that began at this time or earlier; a date without a time means its whole day. ISO 8601, or relative to now such as -7d.',
  ),
  properties: text(
    'Property filters as JSON, `[{"key", "value", "operator", "type"}]`, about session properties; type is `session` or absent. Dates are compared by date operators, and nothing else is. A pattern that RE2 cannot read is refused.',
  ),
  ordering: Type.Optional(
    Choice(ORDERINGS, {
      description: 'By the start or by the whole seconds; equal ones by id. -start_time unless given.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Sessions per page: 100 unless given, at most 1000.' })),
  cursor: text('Where the page begins: as `next` and `previous` have it.'),
})

export const SessionParams = Type.Object({ session_id: Type.String({ description: 'The UUID of a session.' }) })

const EXAMPLE_PROPERTIES: Record<string, unknown> = {
  $start_timestamp: '2026-05-01T10:00:00Z',
  $end_timestamp: '2026-05-01T10:04:30.500000Z',
  $entry_current_url: 'https://example.com/pricing?utm_source=google',
  $entry_pathname: '/pricing',
  $entry_hostname: 'example.com',
  $end_current_url: 'https://example.com/thanks',
  $end_pathname: '/thanks',
  $end_hostname: 'example.com',
  $entry_utm_source: 'google',
  $pageview_count: 4,
  $autocapture_count: 9,
  $screen_count: 0,
  $channel_type: 'Organic Search',
  $session_duration: 270,
  $is_bounce: false,
  $vitals_lcp: 1250.5,
}

export const SESSION_EXAMPLE = {
  id: '0195b0f0-1111-7d2e-9b1f-4c5d6e7f8a90',
  distinct_id: 'user_1',
  person: {
    id: 37,
    uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e',
    name: 'jane@example.com',
    distinct_ids: ['user_1'],
    properties: { email: 'jane@example.com' },
    created_at: '2026-04-02T08:30:00Z',
  },
  start_time: '2026-05-01T10:00:00Z',
  end_time: '2026-05-01T10:04:30.500000Z',
  duration: 270,
  has_recording: true,
  recording: {
    start_time: '2026-05-01T10:00:01Z',
    end_time: '2026-05-01T10:04:30Z',
    recording_duration: 269,
    active_seconds: 180,
    expiry_time: '2026-05-31T10:00:01Z',
  },
  properties: Object.fromEntries(SESSION_PROPERTIES.map(({ name }) => [name, EXAMPLE_PROPERTIES[name] ?? null])),
}

/** Columns of the list's CSV that exist without any row. */
export const SESSION_COLUMNS = ['distinct_id', 'duration', 'end_time', 'has_recording', 'id', 'start_time']
