import { describe, expect, it } from 'vitest'
import { makeHostileReport, makeLinkless, makeReport, makeTile } from '../../../../test/support/deliveries/report.ts'
import { makeByDomain, makeTrend, makeTrendRow } from '../../../../test/support/deliveries/results.ts'
import { slackContent } from './slack.ts'
import { teamsContent } from './teams.ts'

const dashboard = { kind: 'dashboard', id: 1, name: 'My App', link: 'https://hedgerow.example/dashboards/1' } as const
const failed = makeTile({ name: 'Broken', result: null, error: 'It took too long.', png: null })

/** Every text of a message, in order. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'text' && typeof item === 'string' ? [item] : textsOf(item),
  )
}

/** With names, messages and results of the maximum length. */
const longest = () => {
  const name = '&<🦔'.repeat(130)
  const rows = Array.from({ length: 25 }, () => makeTrendRow({ name }))
  const tile = makeTile({ name, description: name, result: makeTrend(rows), png: Buffer.alloc(6_000, 1) })
  return makeReport({
    occasion: 'invitation',
    resource: { ...dashboard, name },
    tiles: Array.from({ length: 6 }, () => tile),
    tileCount: 40,
    subscription: { inviteMessage: 'word & <word>\n'.repeat(1_000) },
  })
}

describe('Slack', () => {
  it('has the main numbers of each tile, and two buttons', () => {
    const report = makeReport({ resource: dashboard, tiles: [makeTile(), failed], tileCount: 10 })
    const { text, blocks } = slackContent(report)
    expect(text).toBe('Hedgerow Dashboard report - My App')
    expect(textsOf(blocks)).toEqual([
      'My App',
      '*<https://hedgerow.example/insights/abc|Pageviews>*\n• Pageview: 3,600 in total, 2,000 on 2 Nov, 600 on 3 Nov',
      '*<https://hedgerow.example/insights/abc|Broken>*\n:warning: It took too long.',
      '*SHOWING 2 OF 10 DASHBOARD INSIGHTS*',
      'View Dashboard',
      'Manage subscription',
      'People',
      'This subscription is sent every week. The next subscription will be sent on Monday November 16, 2026.',
    ])
  })

  it('has neither links nor buttons without a public address', () => {
    const { blocks } = slackContent(makeLinkless(makeReport({ tiles: [makeTile({ name: 'A <b> | c' })] })))
    expect(textsOf(blocks)).toEqual([
      'Pageviews',
      '*A &lt;b&gt; | c*\n• Pageview: 3,600 in total, 2,000 on 2 Nov, 600 on 3 Nov',
      'This subscription is sent every week. The next subscription will be sent on Monday November 16, 2026.',
    ])
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context'])
  })

  it('welcomes a channel', () => {
    const texts = textsOf(slackContent(makeReport({ occasion: 'confirmation' })).blocks)
    expect(texts).toContain('This channel has been subscribed to the Insight *Pageviews* on Hedgerow!')
    expect(texts).toContain('> Have a look!')
  })

  it('is marked when late or a test', () => {
    expect(textsOf(slackContent(makeReport({ isLate: true })).blocks).join('\n')).toContain('This report is late')
    expect(textsOf(slackContent(makeReport({ occasion: 'test' })).blocks).join('\n')).toContain(
      'This is a test delivery',
    )
  })

  it('lets no name mention a user or link elsewhere', () => {
    const { blocks } = slackContent(makeHostileReport())
    const marked = blocks.filter(({ type }) => type !== 'header')
    const links = Array.from(
      textsOf(marked)
        .join('\n')
        .matchAll(/<([^>|]*)/g),
      ([, target]) => target,
    )
    expect(links.length).toBeGreaterThan(0)
    expect(links.every((target) => target?.startsWith('https://hedgerow.example/'))).toBe(true)
  })

  it('stays within the limits', () => {
    const { blocks } = slackContent(longest())
    expect(blocks.length).toBeLessThanOrEqual(50)
    const [header = '', ...others] = textsOf(blocks)
    expect(Array.from(header).length).toBeLessThanOrEqual(150)
    for (const text of others) {
      expect(text.length).toBeLessThanOrEqual(3_000)
      expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/)
    }
  })
})

describe('Teams', () => {
  const cardOf = (report = makeReport()) => teamsContent(report).attachments[0]?.content as Record<string, unknown>

  it('is one message with an adaptive card', () => {
    const report = makeReport({ resource: dashboard, tiles: [makeTile({ png: null }), failed], tileCount: 10 })
    expect(teamsContent(report)).toMatchObject({
      type: 'message',
      summary: 'Hedgerow Dashboard report - My App',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    })
    expect(textsOf(cardOf(report))).toEqual([
      'Hedgerow · Dashboard',
      'My App',
      'Pageviews',
      'Pageview: 3,600 in total, 2,000 on 2 Nov, 600 on 3 Nov',
      'Broken',
      'It took too long.',
      'SHOWING 2 OF 10 DASHBOARD INSIGHTS',
      'This subscription is sent every week. The next subscription will be sent on Monday November 16, 2026.',
    ])
    expect(cardOf(report).actions).toEqual([
      { type: 'Action.OpenUrl', title: 'View Dashboard', url: dashboard.link },
      { type: 'Action.OpenUrl', title: 'Manage subscription', url: 'https://hedgerow.example/subscriptions/3' },
      { type: 'Action.OpenUrl', title: 'People', url: 'https://hedgerow.example/project/1/persons' },
    ])
  })

  it('has no actions without a public address', () => {
    expect(cardOf()).toHaveProperty('actions')
    expect(cardOf(makeLinkless())).not.toHaveProperty('actions')
    expect(textsOf(cardOf(makeLinkless()))).toEqual(textsOf(cardOf()))
  })

  it('welcomes a channel, and is marked when late or a test', () => {
    expect(textsOf(cardOf(makeReport({ occasion: 'invitation' })))).toContain('“Have a look!”')
    expect(textsOf(cardOf(makeReport({ isLate: true }))).join('\n')).toContain('This report is late')
    expect(textsOf(cardOf(makeReport({ occasion: 'test' }))).join('\n')).toContain('This is a test delivery')
  })

  it('shows small pictures and leaves out large ones', () => {
    const tiles = [
      makeTile({ png: Buffer.alloc(40_000) }),
      makeTile(),
      makeTile({ png: Buffer.alloc(10_400) }),
      makeTile(),
    ]
    const images = (cardOf(makeReport({ tiles })).body as { type: string; url?: string }[]).filter(
      ({ type }) => type === 'Image',
    )
    expect(images.map(({ url }) => url?.length)).toEqual([34, 13_890, 34])
  })

  it('knows no markup', () => {
    expect(JSON.stringify(cardOf(makeHostileReport()))).not.toContain('"TextBlock"')
  })

  it('stays within 28 KB', () => {
    expect(Buffer.byteLength(JSON.stringify(teamsContent(longest())))).toBeLessThan(28_000)
  })

  it('says that there is no data', () => {
    expect(textsOf(cardOf(makeReport({ resource: dashboard, tiles: [] })))).toContain(
      'This dashboard has no insights yet.',
    )
    const empty = makeTile({ result: makeByDomain('ActionsPie', []) })
    expect(textsOf(cardOf(makeReport({ tiles: [empty] })))).toContain('No data in this period')
  })
})
