import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import {
  makeHostileReport,
  makeLinkless,
  makeRecipient,
  makeReport,
  makeTile,
} from '../../../../test/support/deliveries/report.ts'
import { makeByDomain, makeFunnel, makeRetention, makeSteps } from '../../../../test/support/deliveries/results.ts'
import { disabledMail } from './disabled-mail.ts'
import { mailOf } from './mail.ts'

const dashboard = { kind: 'dashboard', id: 1, name: 'My App', link: 'https://hedgerow.example/dashboards/1' } as const

describe('the subject', () => {
  it.each([
    ['a scheduled insight', makeReport(), {}, 'Hedgerow Insight report - Pageviews'],
    ['a dashboard', makeReport({ resource: dashboard }), {}, 'Hedgerow Dashboard report - My App'],
    ['an invitation', makeReport({ occasion: 'invitation' }), {}, 'Ada subscribed you to a Hedgerow Insight'],
    [
      'an invitation by nobody in particular',
      makeReport({ occasion: 'invitation', creator: { firstName: ' ', email: 'a@example.com' }, resource: dashboard }),
      {},
      'Someone subscribed you to a Hedgerow Dashboard',
    ],
    [
      'a confirmation to the creator',
      makeReport({ occasion: 'confirmation' }),
      { isCreator: true },
      'You have been subscribed to a Hedgerow Insight',
    ],
    ['a test', makeReport({ occasion: 'test' }), {}, '[Test] Hedgerow Insight report - Pageviews'],
    ['a late one', makeReport({ isLate: true }), {}, 'Hedgerow Insight report - Pageviews (late)'],
  ])('of %s', (_what, report, recipient, subject) =>
    expect(mailOf(report, makeRecipient(recipient)).subject).toBe(subject),
  )
})

describe('the text', () => {
  it('is the whole report without pictures', () => {
    expect(mailOf(makeReport(), makeRecipient()).text).toBe(`Insight: Pageviews

Here is the Insight that Ada subscribed you to.

Pageviews (1 Nov – 3 Nov 2026)
Series    Total  Average per day  2 Nov  3 Nov
----------------------------------------------
Pageview  3,600            1,200  2,000    600

This subscription is sent every week. The next subscription will be sent on Monday November 16, 2026.

View Insight: https://hedgerow.example/insights/abc
Manage subscription: https://hedgerow.example/subscriptions/3
People: https://hedgerow.example/project/1/persons
Unsubscribe: https://hedgerow.example/unsubscribe?token=a.b-c
`)
  })

  it('has a table for each kind of result', () => {
    const tiles = [
      makeFunnel(makeSteps([1_000, 250])),
      makeRetention(3, 100),
      makeByDomain('ActionsPie', ['a.example']),
    ]
    const { text } = mailOf(makeReport({ tiles: tiles.map((result) => makeTile({ result })) }), makeRecipient())
    expect(text).toContain('2. Put something into the basket     250           25%       3m 12s')
    expect(text).toContain('8 Jun 2026      137   50.4%')
    expect(text).toContain('a.example  18,340')
  })

  it('says that a tile failed or is empty and goes on', () => {
    const tiles = [
      makeTile({ result: null, error: 'It took too long.' }),
      makeTile({ result: makeFunnel([]) }),
      makeTile(),
    ]
    const { text } = mailOf(makeReport({ tiles }), makeRecipient())
    expect(text).toContain('Pageviews\nIt took too long.')
    expect(text).toContain('Pageviews\nNo data in this period')
    expect(text).toContain('Pageview  3,600')
  })
})

describe('text and HTML alike', () => {
  const both = (report = makeReport(), recipient = makeRecipient()) => {
    const { text, html } = mailOf(report, recipient)
    return [text, html]
  }

  it('say the date in the local time of the subscription', () => {
    const nextDeliveryDate = Date.UTC(2026, 10, 8, 23, 30)
    for (const part of both(makeReport({ subscription: { nextDeliveryDate } }))) {
      expect(part).toContain('This subscription is sent every week.')
      expect(part).toContain('The next subscription will be sent on Monday November 09, 2026.')
    }
  })

  it('say when no date is left', () => {
    for (const part of both(makeReport({ subscription: { nextDeliveryDate: null } }))) {
      expect(part).toContain('This subscription is sent every week. No further one is planned.')
      expect(part).not.toContain('null')
    }
  })

  it('show the invitation message to new recipients only', () => {
    for (const occasion of ['invitation', 'confirmation'] as const) {
      for (const part of both(makeReport({ occasion }))) expect(part).toContain('“Have a look!”')
    }
    for (const occasion of ['scheduled', 'test'] as const) {
      for (const part of both(makeReport({ occasion }))) expect(part).not.toContain('Have a look!')
    }
    for (const inviteMessage of [null, '', '  ']) {
      for (const part of both(makeReport({ occasion: 'invitation', subscription: { inviteMessage } }))) {
        expect(part).not.toMatch(/“\s*”/)
      }
    }
  })

  it('are marked when late or a test, and only then', () => {
    for (const part of both(makeReport({ isLate: true }))) {
      expect(part).toContain('This report is late: it was due on Monday November 09, 2026 at 09:00 (Europe/Berlin).')
    }
    for (const part of both(makeReport({ occasion: 'test', scheduledAt: null })))
      expect(part).toContain('This is a test delivery')
    for (const part of both()) expect(part).not.toMatch(/late:|test delivery/)
  })

  it('say how many tiles were left out, and only then', () => {
    for (const part of both(makeReport({ resource: dashboard, tileCount: 10 }))) {
      expect(part).toContain('SHOWING 1 OF 10 DASHBOARD INSIGHTS')
    }
    for (const part of both(makeReport({ resource: dashboard }))) expect(part).not.toContain('SHOWING')
  })

  it('say that a dashboard is empty', () => {
    for (const part of both(makeReport({ resource: dashboard, tiles: [] }))) {
      expect(part).toContain('This dashboard has no insights yet.')
    }
  })

  it('have a link to unsubscribe, or say who can remove an address', () => {
    const ask = 'ask whoever runs this server to take your address off'
    for (const part of both()) {
      expect(part).toContain('https://hedgerow.example/unsubscribe?token=a.b-c')
      expect(part).not.toContain(ask)
    }
    for (const part of both(makeReport(), makeRecipient({ unsubscribeLink: null }))) {
      expect(part).toContain(ask)
      expect(part).not.toMatch(/unsubscribe/i)
    }
  })

  it('have no links without a public address, and say the same', () => {
    const nobody = makeRecipient({ unsubscribeLink: null })
    const tiles = [makeTile(), makeTile({ name: 'Others', png: null })]
    for (const part of both(makeLinkless(makeReport({ tiles })), nobody)) {
      expect(part).not.toMatch(/https?:|href|null|View Insight|Manage subscription/)
      for (const words of ['Pageviews', 'Others', '3,600', 'The next subscription']) expect(part).toContain(words)
    }
    const { html, attachments } = mailOf(makeLinkless(), nobody)
    expect(html).toContain(`<img src="cid:${attachments[0]?.cid}"`)
  })

  it('of a linked report link to the insight by heading, picture, caption and button', () => {
    const { html } = mailOf(makeReport(), makeRecipient())
    expect(html.match(/href="https:\/\/hedgerow\.example\/insights\/abc"/g)).toHaveLength(4)
  })
})

describe('the HTML', () => {
  it('shows each picture from within the mail, with its numbers as alt text', () => {
    const tiles = [makeTile(), makeTile({ png: null }), makeTile({ name: 'Others', png: Buffer.from('two') })]
    const { html, attachments } = mailOf(makeReport({ tiles }), makeRecipient())
    expect(attachments).toEqual([
      {
        filename: 'tile-1.png',
        content: Buffer.from('picture'),
        contentType: 'image/png',
        cid: 'tile-1.0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001@hedgerow',
      },
      {
        filename: 'tile-3.png',
        content: Buffer.from('two'),
        contentType: 'image/png',
        cid: 'tile-3.0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001@hedgerow',
      },
    ])
    const sources = Array.from(html.matchAll(/<img src="([^"]*)"/g), ([, source]) => source)
    expect(sources).toEqual(attachments.map(({ cid }) => `cid:${cid}`))
    expect(html).toContain('alt="Pageviews: Pageview: 3,600 in total, 2,000 on 2 Nov, 600 on 3 Nov"')
    expect(html).not.toMatch(/(?:src|background)="https?:/)
  })

  it('declares support for dark mode', () => {
    const { html } = mailOf(makeReport(), makeRecipient())
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })
})

describe('texts of users', () => {
  const mail = mailOf(makeHostileReport(), makeRecipient({ address: '"><b>@example.com' }))

  it('stay text in the HTML', () => {
    const tags = new Set(Array.from(mail.html.matchAll(/<\/?([a-z0-9]+)/g), ([, tag]) => tag))
    const ours = 'a blockquote body br div h1 head html img meta p style table td title tr'.split(' ')
    expect([...tags].sort()).toEqual(ours)
    expect(mail.html.match(/<img/g)).toHaveLength(1)
    expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(mail.html).not.toMatch(/\sonerror="/)
    expect(mail.html).not.toContain('\0')
  })

  it('cannot add a header', async () => {
    expect(mail.subject).not.toMatch(/[\r\n\0]/)
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
      from: 'reports@example.com',
      to: 'grace@example.com',
      ...mail,
    })
    const [headers = ''] = String(message).split('\r\n\r\n')
    expect(headers).toContain('subscribed_you')
    expect(headers).not.toMatch(/^bcc:/im)
  })

  it('are cut in the subject', () => {
    const report = makeReport({ resource: { ...dashboard, name: '🦔'.repeat(400) } })
    const { subject } = mailOf(report, makeRecipient())
    expect(Array.from(subject).length).toBeLessThan(240)
    expect(subject.isWellFormed()).toBe(true)
  })
})

it('notifies the creator of a disabled subscription', () => {
  const { subject, text, html } = disabledMail({
    subscription: { id: 3, title: 'Weekly\r\n<numbers>', link: 'https://hedgerow.example/subscriptions/3' },
    resource: { name: 'Pageviews' },
    reason: 'hooks.example.com answered 410.',
  })
  expect(subject).toBe('Hedgerow subscription "Weekly <numbers>" has been disabled')
  for (const part of [text, html]) {
    expect(part).toContain('hooks.example.com answered 410.')
    expect(part).toContain('https://hedgerow.example/subscriptions/3')
  }
  expect(html).not.toContain('<numbers>')
})

it('does so without a link where there is no public address', () => {
  const { text, html } = disabledMail({
    subscription: { id: 3, title: 'Weekly', link: null },
    resource: { name: 'Pageviews' },
    reason: 'hooks.example.com answered 410.',
  })
  for (const part of [text, html]) {
    expect(part).toContain('hooks.example.com answered 410.')
    expect(part).not.toMatch(/https?:|href|null|Manage subscription/)
  }
})
