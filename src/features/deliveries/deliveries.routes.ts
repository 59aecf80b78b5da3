/** /subscriptions/{id}/deliveries/ and /subscriptions/{id}/test-delivery/: the delivery history, and sending now. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { Answer, type Route, route } from '../../http/route.ts'
import { Nothing, Page } from '../../http/schema.ts'
import {
  DELIVERY_EXAMPLE,
  DeliveryBody,
  DeliveryParams,
  DeliveryQuery,
  PAGE_SIZE,
  SubscriptionParams,
} from './deliveries.schema.ts'
import type { Deliveries } from './deliveries.ts'

const base = { level: 'project', tag: 'subscriptions' } as const

export const deliveryRoutes = (deliveries: Deliveries): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/subscriptions/:id/deliveries/',
    scope: 'subscription:read',
    summary: 'List the deliveries of a subscription',
    description: 'Newest first, with the result of each recipient.',
    params: SubscriptionParams,
    query: DeliveryQuery,
    response: Page(DeliveryBody),
    example: { count: 1, next: null, previous: null, results: [DELIVERY_EXAMPLE] },
    handler: async ({ project, params, query, url }) => {
      const page = readPage(query, PAGE_SIZE)
      const { count, results } = await deliveries.list(project, params.id, query, page)
      return pageOf(url, page, count, results)
    },
  }),
  route({
    ...base,
    method: 'GET',
    path: '/subscriptions/:id/deliveries/:delivery_id/',
    scope: 'subscription:read',
    summary: 'Read a delivery',
    params: DeliveryParams,
    response: DeliveryBody,
    example: DELIVERY_EXAMPLE,
    handler: ({ project, params }) => deliveries.retrieve(project, params.id, params.delivery_id),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/subscriptions/:id/deliveries/:delivery_id/resend/',
    scope: 'subscription:write',
    summary: 'Send a delivery again to those who did not get it',
    description: 'Only recipients that failed; 409 when there are none, or while some are still being tried.',
    params: DeliveryParams,
    status: 202,
    response: DeliveryBody,
    example: DELIVERY_EXAMPLE,
    handler: ({ project, params }) => deliveries.resend(project, params.id, params.delivery_id),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/subscriptions/:id/test-delivery/',
    scope: 'subscription:write',
    summary: 'Send a subscription now, as a test',
    description:
      'To all its recipients, marked as a test; `next_delivery_date` stays. At most 10 a minute in a project; 409 while a delivery is under way or the subscription is disabled.',
    params: SubscriptionParams,
    status: 202,
    response: Nothing,
    example: null,
    handler: async ({ project, params }) => {
      await deliveries.test(project, params.id)
      return new Answer(undefined)
    },
  }),
]
