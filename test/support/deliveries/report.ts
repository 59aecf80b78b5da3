/** A report about an insight with plain defaults, for the tests of what messages say. */
import type { MailRecipient, Report, ReportTile } from '../../../src/features/deliveries/messages/report.ts'
import { makeTrend, makeTrendRow } from './results.ts'

export const makeTile = (tile: Partial<ReportTile> = {}): ReportTile => ({
  insightId: 7,
  name: 'Pageviews',
  description: null,
  link: 'https://hedgerow.example/insights/abc',
  result: makeTrend([makeTrendRow({ data: [1_000, 2_000, 600] })]),
  error: null,
  png: Buffer.from('picture'),
  ...tile,
})

type ReportInput = Partial<Omit<Report, 'subscription'>> & { subscription?: Partial<Report['subscription']> }

export function makeReport({ subscription, ...report }: ReportInput = {}): Report {
  const tiles = report.tiles ?? [makeTile()]
  return {
    occasion: 'scheduled',
    deliveryId: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
    scheduledAt: Date.UTC(2026, 10, 9, 8),
    isLate: false,
    creator: { firstName: 'Ada', email: 'ada@example.com' },
    resource: { kind: 'insight', id: 7, name: 'Pageviews', link: 'https://hedgerow.example/insights/abc' },
    tiles,
    tileCount: tiles.length,
    pages: [{ text: 'People', url: 'https://hedgerow.example/project/1/persons' }],
    ...report,
    subscription: {
      id: 3,
      title: 'Weekly numbers',
      summary: 'sent every week',
      nextDeliveryDate: Date.UTC(2026, 10, 16, 8),
      timezone: 'Europe/Berlin',
      inviteMessage: 'Have a look!',
      link: 'https://hedgerow.example/subscriptions/3',
      ...subscription,
    },
  }
}

/** As it is where the server has no public address. */
export function makeLinkless(report: Report = makeReport()): Report {
  const { subscription, resource, tiles } = report
  return {
    ...report,
    subscription: { ...subscription, link: null },
    resource: { ...resource, link: null },
    tiles: tiles.map((tile) => ({ ...tile, link: null })),
    pages: [],
  }
}

export const makeRecipient = (recipient: Partial<MailRecipient> = {}): MailRecipient => ({
  address: 'grace@example.com',
  isCreator: false,
  unsubscribeLink: 'https://hedgerow.example/unsubscribe?token=a.b-c',
  ...recipient,
})

/** Texts that try to be more than text, wherever a report contains text of users. */
const HOSTILE = `<img src=x onerror="alert(1)">\r\nBcc: all@example.com\0 <!channel> [click](https://evil.example) & 'more'`

/** A dashboard whose every text is hostile. */
export const makeHostileReport = (): Report =>
  makeReport({
    occasion: 'invitation',
    creator: { firstName: HOSTILE, email: HOSTILE },
    resource: { kind: 'dashboard', id: 1, name: HOSTILE, link: 'https://hedgerow.example/dashboards/1' },
    tiles: [
      makeTile({ name: HOSTILE, description: HOSTILE, result: makeTrend([makeTrendRow({ name: HOSTILE })]) }),
      makeTile({ name: HOSTILE, result: null, error: HOSTILE, png: null }),
    ],
    subscription: { title: HOSTILE, inviteMessage: HOSTILE },
  })
