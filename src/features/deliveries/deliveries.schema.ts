/** Shapes of deliveries on the wire. */
import { type Static, Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { Body, Choice, DateTime, FreeForm, Nullable, Uuid } from '../../http/schema.ts'
import { DELIVERY_STATUSES } from '../../model/subscriptions/delivery.ts'
import { TARGET_TYPES } from '../../model/subscriptions/subscription.ts'
import { RECIPIENT_RESULTS } from './delivery-view.ts'

export const PAGE_SIZE = 50

const Failure = Nullable(Type.Object({ message: Type.String(), type: Type.String() }))

const Recipient = Type.Object({
  recipient: Type.String({ description: 'An e-mail address or a channel; of a URL the host only.' }),
  status: Choice(RECIPIENT_RESULTS),
  error: Nullable(
    Type.Object(
      { message: Type.String(), type: Type.String() },
      { description: 'Why it has not arrived: what went wrong, or of type `waiting` what it waits for.' },
    ),
  ),
  attempts: Type.Integer({ description: 'Messages begun.' }),
  message_id: Nullable(Type.String({ description: 'Of a mail; the same for every attempt.' })),
  possible_repeat: Type.Boolean({
    description: 'An earlier attempt may have arrived: the server stopped, or the answer was lost, in between.',
  }),
  sent_at: Nullable(DateTime()),
})

export const DeliveryBody = Body(
  {
    id: Uuid({ description: 'In the header `Hedgerow-Delivery` of a webhook.' }),
    subscription: Type.Integer(),
    idempotency_key: Type.String({ description: 'The same occurrence never has a second delivery.' }),
    trigger_type: Choice(['scheduled', 'target_change', 'manual']),
    occasion: Choice(['scheduled', 'confirmation', 'invitation', 'test'], { description: 'How it is worded.' }),
    scheduled_at: Nullable(DateTime({ description: 'The date it was due; null when it was not scheduled.' })),
    late: Type.Boolean({ description: 'The server was not running when it was due.' }),
    target_type: Choice(TARGET_TYPES),
    target_value: Type.String({ description: 'As it was then; of a URL the host only.' }),
    exported_asset_ids: Type.Array(Type.Integer(), { description: 'The insights it showed.' }),
    content_snapshot: FreeForm({ description: 'What it showed; empty until it has been made.' }),
    recipient_results: Type.Array(Recipient),
    status: Choice(DELIVERY_STATUSES, {
      description: '`failed` when at least one recipient did not get it; `skipped` when there was nothing to send.',
    }),
    error: Failure,
    created_at: DateTime(),
    last_updated_at: DateTime(),
    finished_at: Nullable(DateTime()),
  },
  { title: 'SubscriptionDelivery' },
)

export const DeliveryQuery = Type.Object({
  ...pageQuery(PAGE_SIZE),
  status: Type.Optional(Type.String({ description: `One of ${DELIVERY_STATUSES.join(', ')}.` })),
})

export type DeliveryListQuery = Static<typeof DeliveryQuery>

const id = Type.String({ description: 'The integer id of a subscription.' })

export const SubscriptionParams = Type.Object({ id })
export const DeliveryParams = Type.Object({ id, delivery_id: Type.String({ description: 'The UUID of a delivery.' }) })

export const DELIVERY_EXAMPLE = {
  id: '019c0b1e-7c1f-7d3a-9a55-2f6c1f0e8b11',
  subscription: 12,
  idempotency_key: '12:scheduled:1772442000000',
  trigger_type: 'scheduled',
  occasion: 'scheduled',
  scheduled_at: '2026-03-02T09:00:00Z',
  late: false,
  target_type: 'email',
  target_value: 'jane@example.com,joe@example.com',
  exported_asset_ids: [1, 2],
  content_snapshot: {
    resource: { type: 'dashboard', id: 1, name: 'My App Dashboard' },
    insights: [
      { id: 1, name: 'Daily active users', error: null },
      { id: 2, name: 'Weekly active users', error: null },
    ],
    total_insights: 2,
  },
  recipient_results: [
    {
      recipient: 'jane@example.com',
      status: 'success',
      error: null,
      attempts: 1,
      message_id: '<019c0b1e-7c1f-7d3a-9a55-2f6c1f0e8b12@acme.example>',
      possible_repeat: false,
      sent_at: '2026-03-02T09:00:02.180000Z',
    },
    {
      recipient: 'joe@example.com',
      status: 'failed',
      error: { message: 'The mail server said: 550 No such user here', type: 'refused' },
      attempts: 1,
      message_id: '<019c0b1e-7c1f-7d3a-9a55-2f6c1f0e8b13@acme.example>',
      possible_repeat: false,
      sent_at: null,
    },
  ],
  status: 'failed',
  error: { message: '1 of 2 recipients could not be reached.', type: 'refused' },
  created_at: '2026-03-02T09:00:00.512000Z',
  last_updated_at: '2026-03-02T09:00:02.180000Z',
  finished_at: '2026-03-02T09:00:02.180000Z',
}
