/** /subscriptions/: scheduled deliveries. */
import { pageOf, readPage } from '../../http/output/pagination.ts'
import { Answer, type Route, route } from '../../http/route.ts'
import { CheckedInHandler, Nothing, Page } from '../../http/schema.ts'
import type { SubscriptionView } from './subscription-view.ts'
import {
  NewSubscriptionBody,
  SUBSCRIPTION_EXAMPLE,
  SubscriptionBody,
  SubscriptionParams,
  SubscriptionPatchBody,
  SubscriptionQuery,
  SubscriptionReplacement,
} from './subscriptions.schema.ts'
import type { Subscriptions } from './subscriptions.ts'

const base = { level: 'project', tag: 'subscriptions' } as const
const object = { ...base, response: SubscriptionBody, example: SUBSCRIPTION_EXAMPLE } as const
const one = { ...object, path: '/subscriptions/:id/', params: SubscriptionParams } as const

/** An answer with a secret must not be cached. */
const uncached = (view: SubscriptionView) =>
  view.signing_secret === null ? view : new Answer(view, { headers: { 'cache-control': 'no-store' } })

export const subscriptionRoutes = (subscriptions: Subscriptions): Route[] => [
  route({
    ...base,
    method: 'GET',
    path: '/subscriptions/',
    scope: 'subscription:read',
    summary: 'List subscriptions',
    description: 'Newest first unless `ordering` says otherwise; deleted ones are left out unless asked for.',
    query: SubscriptionQuery,
    response: Page(SubscriptionBody),
    example: { count: 1, next: null, previous: null, results: [SUBSCRIPTION_EXAMPLE] },
    handler: async ({ project, query, url }) => {
      const page = readPage(query)
      const { count, results } = await subscriptions.list(project, query, page)
      return pageOf(url, page, count, results)
    },
  }),
  route({
    ...object,
    method: 'POST',
    path: '/subscriptions/',
    scope: 'subscription:write',
    summary: 'Make a subscription',
    description:
      'Of a webhook, `signing_secret` is in this answer and never again; each delivery is signed with it in `Hedgerow-Signature`.',
    body: CheckedInHandler(NewSubscriptionBody),
    status: 201,
    idempotent: { secret: ['signing_secret'] },
    handler: async ({ project, caller, body, remember }) =>
      uncached(await subscriptions.create({ project, caller }, body, remember)),
  }),
  route({
    ...one,
    method: 'GET',
    scope: 'subscription:read',
    summary: 'Read a subscription',
    description: 'Deleted ones too.',
    handler: ({ project, params }) => subscriptions.retrieve(project, params.id),
  }),
  route({
    ...one,
    method: 'PATCH',
    scope: 'subscription:write',
    summary: 'Change a subscription',
    description:
      'Fields not named stay. A changed schedule, and restoring with `deleted: false`, set `next_delivery_date` anew.',
    body: CheckedInHandler(SubscriptionPatchBody),
    handler: async ({ project, caller, params, body }) =>
      uncached(await subscriptions.update({ project, caller }, params.id, body, SubscriptionPatchBody)),
  }),
  route({
    ...one,
    method: 'PUT',
    scope: 'subscription:write',
    summary: 'Replace a subscription',
    description: 'As PATCH, but the four fields that a new subscription needs must be there; others not named stay.',
    body: CheckedInHandler(SubscriptionReplacement),
    handler: async ({ project, caller, params, body }) =>
      uncached(await subscriptions.update({ project, caller }, params.id, body, SubscriptionReplacement)),
  }),
  route({
    ...base,
    method: 'DELETE',
    path: '/subscriptions/:id/',
    params: SubscriptionParams,
    scope: 'subscription:write',
    summary: 'Delete a subscription',
    description:
      'It is only marked: it is sent no more, can still be read, and PATCH `{"deleted": false}` restores it.',
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ project, caller, params }) => {
      await subscriptions.remove({ project, caller }, params.id)
      return null
    },
  }),
]
