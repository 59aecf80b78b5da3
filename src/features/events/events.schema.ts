/** Shapes of events on the wire. */
import { Type } from 'typebox'
import { Body, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const EventOwner = Body({
  id: Type.Integer(),
  uuid: Uuid(),
  name: Type.String(),
  distinct_ids: Type.Array(Type.String(), { description: 'The distinct id of the event, alone.' }),
  properties: FreeForm({ description: 'Of the person’s present properties: email, name and username.' }),
  created_at: DateTime(),
})

export const EventBody = Body(
  {
    id: Uuid({ description: 'The same as uuid.' }),
    uuid: Uuid(),
    event: Type.String(),
    distinct_id: Type.String(),
    timestamp: DateTime({ description: 'When it happened, by the corrected clock of the client.' }),
    properties: FreeForm(),
    person: Type.Unsafe<{ id: number } | null>({
      ...Nullable(EventOwner),
      description: 'Whose distinct id it is now; null when it is nobody’s, as of an event without a profile.',
    }),
    session_id: Nullable(Uuid()),
  },
  { title: 'Event' },
)

export const EventPageBody = Body({
  next: Nullable(Type.String({ description: 'Absolute URL of the page with the next older events.' })),
  previous: Nullable(Type.String({ description: 'Absolute URL of the page with the next newer events.' })),
  results: Type.Array(EventBody, { description: 'Newest first.' }),
})

export const EventsQuery = Type.Object({
  event: text('Only events of this name.'),
  distinct_id: text('Only events of this distinct id.'),
  person_id: text('Only events of this person’s distinct ids; its integer id or UUID. Unknown: none.'),
  session_id: text('Only events of this session.'),
  before: text('Only events before this time, itself excluded; ISO 8601, or relative to now such as -7d.'),
  after: text('Only events after this time, itself excluded; ISO 8601, or relative to now such as -7d.'),
  properties: text(
    'Property filters as JSON, `[{"key", "value", "operator", "type"}]`. Type `event`, or none, is about the event’s properties, `person` about its person’s present ones. A pattern that RE2 cannot read is refused.',
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Events per page: 100 unless given, at most 1000. A page of very large events may hold fewer.',
    }),
  ),
  cursor: text('Where the page begins: as `next` and `previous` have it.'),
})

export const LiveEventsQuery = Type.Object({
  event: text('Only events of this name.'),
  distinct_id: text('Only events of this distinct id.'),
  properties: text(
    'Property filters as JSON, as those of the list, about the event’s own properties only. Patterns (`regex`, `not_regex`) are refused.',
  ),
})

export const LiveEventsBody = Type.String({ description: 'Server-sent events.' })

export const EventParams = Type.Object({ id: Type.String({ description: 'The UUID of an event.' }) })

export const ValuesQuery = Type.Object({
  key: Type.String({ minLength: 1, description: 'The event property.' }),
  value: text('Contained in the value, whatever the case.'),
  event: text('Only of events of this name.'),
})

export const ValuesBody = Body({
  results: Type.Array(Body({ name: Type.String(), count: Type.Integer() }), {
    description:
      'The 20 most frequent values of up to 1,000 characters among the latest 100,000 events, most frequent first.',
  }),
  refreshing: Type.Boolean(),
})

export const EVENT_EXAMPLE = {
  id: '0195b0f0-7a3c-7d2e-9b1f-4c5d6e7f8a90',
  uuid: '0195b0f0-7a3c-7d2e-9b1f-4c5d6e7f8a90',
  event: '$pageview',
  distinct_id: 'user_1',
  timestamp: '2026-05-01T10:00:00.123000Z',
  properties: { $current_url: 'https://example.com/pricing', $browser: 'Firefox' },
  person: {
    id: 37,
    uuid: '131ecd7b-7aa1-5121-8fd3-5353d39dd23e',
    name: 'jane@example.com',
    distinct_ids: ['user_1'],
    properties: { email: 'jane@example.com' },
    created_at: '2026-04-02T08:30:00Z',
  },
  session_id: '0195b0f0-1111-7d2e-9b1f-4c5d6e7f8a90',
}

/** Columns of the list's CSV that exist without any row. */
export const EVENT_COLUMNS = ['distinct_id', 'event', 'id', 'session_id', 'timestamp', 'uuid']

export const LIVE_EXAMPLE = [
  ': connected',
  `data: ${JSON.stringify(EVENT_EXAMPLE)}`,
  'event: left_out\ndata: {"count":123,"more":false}',
  '',
].join('\n\n')
