import { expect, it } from 'vitest'
import { makeLinkless, makeReport, makeTile } from '../../../../test/support/deliveries/report.ts'
import { makeTrend, makeTrendRow } from '../../../../test/support/deliveries/results.ts'
import { webhookContent } from './webhook.ts'

it('has the delivery, the subscription, its resource and the results in full', () => {
  const row = makeTrendRow({ data: [1, 2] })
  const tile = makeTile({ result: makeTrend([row]) })
  expect(webhookContent(makeReport({ tiles: [tile], tileCount: 1 }))).toEqual({
    event: 'subscription.delivery',
    delivery_id: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
    occasion: 'scheduled',
    scheduled_at: '2026-11-09T08:00:00Z',
    is_late: false,
    is_test: false,
    subscription: {
      id: 3,
      title: 'Weekly numbers',
      summary: 'sent every week',
      next_delivery_date: '2026-11-16T08:00:00Z',
      timezone: 'Europe/Berlin',
      invite_message: 'Have a look!',
      created_by: { first_name: 'Ada', email: 'ada@example.com' },
      url: 'https://hedgerow.example/subscriptions/3',
    },
    resource: { type: 'insight', id: 7, name: 'Pageviews', url: 'https://hedgerow.example/insights/abc' },
    tiles: [
      {
        insight_id: 7,
        name: 'Pageviews',
        description: null,
        url: 'https://hedgerow.example/insights/abc',
        kind: 'TrendsQuery',
        display: 'ActionsLineGraph',
        interval: 'day',
        result: [row],
        error: null,
      },
    ],
    tiles_shown: 1,
    tiles_total: 1,
  })
})

it('has null for links without a public address', () => {
  expect(webhookContent(makeLinkless())).toMatchObject({
    subscription: { id: 3, url: null },
    resource: { id: 7, url: null },
    tiles: [{ insight_id: 7, url: null }],
  })
})

it('says why a tile has no result, and that a test is one', () => {
  const report = makeReport({
    occasion: 'test',
    scheduledAt: null,
    tiles: [makeTile({ result: null, error: 'It took too long.' })],
    tileCount: 9,
    subscription: { nextDeliveryDate: null },
  })
  expect(webhookContent(report)).toMatchObject({
    is_test: true,
    scheduled_at: null,
    subscription: { next_delivery_date: null },
    tiles: [{ kind: null, result: null, error: 'It took too long.' }],
    tiles_shown: 1,
    tiles_total: 9,
  })
})

it('uses the names of the API: lower case with underscores', () => {
  const keys = (value: unknown): string[] =>
    value === null || typeof value !== 'object'
      ? []
      : Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...keys(item)])
  for (const key of keys(webhookContent(makeReport()))) expect(key).toMatch(/^[a-z_]+$/)
})
