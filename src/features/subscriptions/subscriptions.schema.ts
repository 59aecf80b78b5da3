/** Shapes of subscriptions on the wire. */
import { type Static, Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { Body, Choice, DateTime, DateTimeInput, Line, Nullable, Relation } from '../../http/schema.ts'
import { FREQUENCIES, TARGET_TYPES, WEEKDAYS } from '../../model/subscriptions/subscription.ts'
import { USER_EXAMPLE, UserBasic } from '../../rules/accounts/user-view.ts'
import { MAX_COUNT, MAX_INTERVAL } from './validate-schedule.ts'

export const SubscriptionBody = Body(
  {
    id: Type.Integer(),
    dashboard: Nullable(Type.Integer({ description: 'Identifier of a dashboard.' })),
    insight: Nullable(Type.Integer({ description: 'Identifier of an insight.' })),
    target_type: Choice(TARGET_TYPES),
    target_value: Type.String({ description: 'Addresses as they are kept: trimmed, each one once.' }),
    frequency: Choice(FREQUENCIES),
    interval: Type.Integer(),
    byweekday: Nullable(Type.Array(Choice(WEEKDAYS))),
    bysetpos: Nullable(Type.Integer()),
    count: Nullable(Type.Integer()),
    start_date: DateTime(),
    until_date: Nullable(DateTime()),
    created_at: DateTime(),
    created_by: UserBasic,
    deleted: Type.Boolean(),
    title: Nullable(Type.String()),
    summary: Type.String({ description: 'The schedule in words.' }),
    next_delivery_date: Nullable(DateTime({ description: 'Null when the schedule has no date left.' })),
    invite_message: Nullable(Type.String()),
    timezone: Type.String({ description: 'IANA name of the clock on the wall that the schedule follows.' }),
    signing_secret: Nullable(
      Type.String({
        description: 'Signs the deliveries of a webhook. Shown once, in the answer that made it; else null.',
      }),
    ),
    enabled: Type.Boolean({ description: 'False while it is not sent: somebody paused it, or its target is gone.' }),
    delivery_problem: Nullable(
      Type.String({ description: 'Why nothing can be delivered as things are, in words; null when all is well.' }),
    ),
  },
  { title: 'Subscription' },
)

const optional = {
  interval: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_INTERVAL, description: 'Every how many days, weeks, months or years; 1.' }),
  ),
  byweekday: Type.Optional(Nullable(Type.Array(Choice(WEEKDAYS), { maxItems: 100 }))),
  bysetpos: Type.Optional(
    Nullable(
      Type.Integer({
        description: 'Which of the weekdays within a period: 1 the first, -1 the last. Needs byweekday.',
      }),
    ),
  ),
  count: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: MAX_COUNT, description: 'How many dates in all; null: no end.' })),
  ),
  until_date: Type.Optional(Nullable(DateTimeInput({ description: 'The last moment, inclusive.' }))),
  deleted: Type.Optional(Type.Boolean({ description: 'Deleted ones are kept, hidden from the list and never sent.' })),
  title: Type.Optional(Nullable(Line({ maxLength: 100 }))),
  invite_message: Type.Optional(
    Nullable(Type.String({ maxLength: 10_000, description: 'Sent along with invitations.' })),
  ),
  timezone: Type.Optional(Type.String({ description: 'IANA name; UTC unless given.' })),
  enabled: Type.Optional(
    Type.Boolean({ description: 'False pauses it. True sends it again, from its next date on, after a confirmation.' }),
  ),
}

const resource = {
  dashboard: Type.Optional(
    Nullable(Relation({ description: 'What to send; with neither, the project’s default dashboard.' })),
  ),
  insight: Type.Optional(Nullable(Relation({ description: 'What to send, unless there is a dashboard too.' }))),
}

const required = {
  target_type: Choice(TARGET_TYPES),
  target_value: Type.String({
    minLength: 1,
    description: 'E-mail addresses between commas (50 at most), a URL, or for Slack `C0123456789|#channel`.',
  }),
  frequency: Choice(FREQUENCIES),
  start_date: DateTimeInput({ description: 'When the schedule begins, and its time of day. May lie in the past.' }),
}

const rotation = {
  rotate_secret: Type.Optional(Type.Boolean({ description: 'Replace the signing secret of a webhook.' })),
}

/** The order of the fields is the order in which their problems are reported. */
export const NewSubscriptionBody = Type.Object({ ...resource, ...required, ...optional })

export const SubscriptionReplacement = Type.Object({ ...resource, ...required, ...optional, ...rotation })

export const SubscriptionPatchBody = Type.Object({
  ...resource,
  target_type: Type.Optional(required.target_type),
  target_value: Type.Optional(required.target_value),
  frequency: Type.Optional(required.frequency),
  start_date: Type.Optional(required.start_date),
  ...optional,
  ...rotation,
})

export const SubscriptionQuery = Type.Object({
  ...pageQuery(),
  deleted: Type.Optional(Type.Boolean({ description: 'Only deleted ones; without it, only those that are not.' })),
  insight: Type.Optional(Type.Integer({ description: 'Those of this insight.' })),
  dashboard: Type.Optional(Type.Integer({ description: 'Those of this dashboard.' })),
  created_by: Type.Optional(Type.String({ description: 'UUID of a user.' })),
  target_type: Type.Optional(Type.String({ description: `One of ${TARGET_TYPES.join(', ')}.` })),
  resource_type: Type.Optional(Type.String({ description: '`insight` or `dashboard`: what is sent.' })),
  search: Type.Optional(
    Type.String({ description: 'Words that must all be in the title or the names of insight and dashboard.' }),
  ),
  ordering: Type.Optional(
    Type.String({
      description:
        '`created_at`, `next_delivery_date`, `title`, `created_by__email`; `-` turns it round. `-created_at`.',
    }),
  ),
})

export type SubscriptionListQuery = Static<typeof SubscriptionQuery>

/** Documented as an integer; like every path parameter it comes as text. */
export const SubscriptionParams = Type.Object({
  id: Type.Unsafe<string>({ type: 'integer', description: 'The id of a subscription.' }),
})

export const SUBSCRIPTION_EXAMPLE = {
  id: 12,
  dashboard: 1,
  insight: null,
  target_type: 'email',
  target_value: 'jane@example.com,joe@example.com',
  frequency: 'weekly',
  interval: 1,
  byweekday: ['monday'],
  bysetpos: null,
  count: null,
  start_date: '2026-03-02T09:00:00Z',
  until_date: null,
  created_at: '2026-03-01T10:15:30.123000Z',
  created_by: USER_EXAMPLE,
  deleted: false,
  title: 'Monday numbers',
  summary: 'sent every week',
  next_delivery_date: '2026-03-02T09:00:00Z',
  invite_message: null,
  timezone: 'UTC',
  signing_secret: null,
  enabled: true,
  delivery_problem: null,
}
