/** Mails as a client shows them: narrow and wide, in light and dark mode. Checks what would make one unreadable. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawInsight } from '../../src/charts/draw-insight.ts'
import { toPng } from '../../src/charts/png.ts'
import { disabledMail } from '../../src/features/deliveries/messages/disabled-mail.ts'
import { type MailContent, mailOf } from '../../src/features/deliveries/messages/mail.ts'
import { PICTURE_WIDTH, type ReportTile } from '../../src/features/deliveries/messages/report.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../support/browser/browser.ts'
import { makeHostileReport, makeRecipient, makeReport, makeTile } from '../support/deliveries/report.ts'
import { samples } from '../support/deliveries/results.ts'

const ERROR = 'The query took too long and was stopped.'

async function drawn(name: string, kind: string): Promise<ReportTile> {
  const result = samples[kind] ?? null
  const svg = await drawInsight({ title: name, result, error: ERROR, theme: 'light', width: PICTURE_WIDTH })
  return makeTile({ name, result, error: result === null ? ERROR : null, png: await toPng(svg) })
}

async function makeMails(): Promise<Record<string, MailContent>> {
  const dashboard = {
    kind: 'dashboard',
    id: 1,
    name: 'My App Dashboard',
    link: 'https://hedgerow.example/d/1',
  } as const
  const kinds = ['line', 'stacked-bar', 'retention', 'funnel', 'empty', 'failed']
  const tiles = await Promise.all(kinds.map((kind) => drawn(`The ${kind} of the week`, kind)))
  const inviteMessage = 'Hello Grace,\nthis is what we look at on Mondays.'
  return {
    insight: mailOf(makeReport({ tiles: tiles.slice(0, 1) }), makeRecipient()),
    dashboard: mailOf(makeReport({ resource: dashboard, tiles, tileCount: 10, isLate: true }), makeRecipient()),
    invitation: mailOf(
      makeReport({ occasion: 'invitation', tiles: tiles.slice(1, 2), subscription: { inviteMessage } }),
      makeRecipient(),
    ),
    hostile: mailOf(makeHostileReport(), makeRecipient({ address: `${'long'.repeat(30)}@example.com` })),
    test: mailOf(
      makeReport({ occasion: 'test', scheduledAt: null, tiles: [await drawn('訪問者 🦔', 'number')] }),
      makeRecipient({ isCreator: true }),
    ),
    disabled: disabledMail({
      subscription: { id: 3, title: 'Weekly numbers', link: 'https://hedgerow.example/subscriptions/3' },
      resource: { name: 'Pageviews' },
      reason: 'hooks.example.com answered 410.',
    }),
  }
}

/** Embedded parts of a mail are resolved as a client does. */
const opened = ({ html, attachments }: MailContent): string =>
  attachments.reduce(
    (page, { cid, content }) => page.replaceAll(`cid:${cid}`, `data:image/png;base64,${content.toString('base64')}`),
    html,
  )

/** Run in the page: the least contrast of any word with what is behind it, and the word. */
const LEAST_CONTRAST = `(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
  const light = (colour) => {
    const [red, green, blue] = numbers(colour).map((value) => {
      const share = value / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    if (element === null) return 'rgb(255, 255, 255)'
    const colour = getComputedStyle(element).backgroundColor
    return (numbers(colour)[3] ?? 1) === 0 ? behind(element.parentElement) : colour
  }
  let least = { ratio: 21, text: '' }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent.trim()
    if (text === '' || !element.checkVisibility()) continue
    const [one, other] = [light(getComputedStyle(element).color), light(behind(element))]
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < least.ratio) least = { ratio, text }
  }
  return least
})()`

/** The reason for skipping is in its name. */
const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`

describe.skipIf(noBrowser !== null)(`mails ${inABrowser}`, () => {
  let browser: TestBrowser
  let mails: Record<string, MailContent>
  let page: Page
  const asked: string[] = []
  const shots = mkdtempSync(join(tmpdir(), 'hedgerow-screenshots-'))

  beforeAll(async () => {
    mails = await makeMails()
    browser = await openBrowser()
    page = await browser.context.newPage()
    page.on('request', (request) => {
      if (!/^(?:data|about):/.test(request.url())) asked.push(request.url())
    })
    page.on('dialog', (dialog) => {
      asked.push(`dialog: ${dialog.message()}`)
      return dialog.dismiss()
    })
  })
  afterAll(async () => {
    await browser?.close()
    console.info(`The mails as they were shown: ${shots}`)
  })

  const names = ['insight', 'dashboard', 'invitation', 'hostile', 'test', 'disabled']
  const looks = names.flatMap((name) =>
    ([375, 600] as const).flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ name, width, scheme }))),
  )

  it.each(looks)('$name is readable, $width wide, $scheme', async ({ name, width, scheme }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    const mail = mails[name]
    if (mail === undefined) throw new Error(`no mail called ${name}`)
    await page.setContent(opened(mail))
    await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`), fullPage: true })

    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    const pictures = await page.evaluate('Array.from(document.images, (image) => image.naturalWidth)')
    if (name !== 'hostile') expect(pictures).toEqual(mail.attachments.map(() => 2 * PICTURE_WIDTH))
    const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LEAST_CONTRAST)
    expect(ratio, `contrast of "${text}"`).toBeGreaterThanOrEqual(4.5)
    const ground = await page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor")
    expect(ground).toBe(scheme === 'dark' ? 'rgb(27, 33, 41)' : 'rgb(255, 255, 255)')
  })

  it('loaded nothing from elsewhere', () => {
    expect(asked).toEqual([])
  })
})
