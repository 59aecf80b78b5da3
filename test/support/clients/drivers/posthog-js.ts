/**
 * posthog-js in a browser: the release's own array.js on the page of a shop, visited as a person does. What a release
 * does not have is not asked of it.
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from '../../browser/browser.ts'
import { openShop, ownSnippet } from '../../browser/shop.ts'
import { type Drive, type Expected, PATIENCE } from '../drive.ts'
import { reportPageProblems } from './page-problems.ts'

const isThere = (name: string): string => `typeof posthog.${name} === 'function'`

/** Calls a method whose last but one argument is a callback, and waits for that. */
const called = (name: string): string => `new Promise((resolve) => posthog.${name}(() => resolve(), true))`

/** Autocapture and replay begin once the configuration and the recorder have come: the visitor clicks until then. */
async function clickUntilSeen(page: Page, { sent }: Drive): Promise<void> {
  const seen = async () => {
    await page.click('#buy')
    const { events, snapshots } = await sent()
    return [events.some(({ event }) => event === '$autocapture'), snapshots.size > 0]
  }
  await expect.poll(seen, PATIENCE).toEqual([true, true])
}

async function visit(page: Page, url: string, drive: Drive): Promise<Expected> {
  const { step, untilSent } = drive
  const has = (name: string) => page.evaluate(isThere(name))
  const events: Record<string, number> = { $pageview: 1, bought: 3, $identify: 1, $create_alias: 1, $pageleave: 1 }

  await page.goto(`${url}/?utm_source=newsletter`)
  // Before it is loaded, the snippet stands in for it, which has few methods.
  await page.waitForFunction(isThere('get_distinct_id'))
  const anonymousId = String(await page.evaluate('posthog.get_distinct_id()'))
  await step('autocapture, replay', () => clickUntilSeen(page, drive))
  await step('capture', () =>
    page.evaluate("for (let count = 0; count < 3; count++) posthog.capture('bought', { count })"),
  )
  await step('identify', () => page.evaluate("posthog.identify('ada', { name: 'Ada' })"))
  await step('alias', () => page.evaluate("posthog.alias('ada-at-home')"))
  if (await has('group')) {
    events.$groupidentify = 1
    await step('group', () => page.evaluate("posthog.group('company', 'acme', { seats: 5 })"))
  }
  if (await has('onFeatureFlags')) await step('flags', () => page.evaluate(called('onFeatureFlags')))
  if (await has('getSurveys')) await step('surveys', () => page.evaluate(called('getSurveys')))
  if (await has('getEarlyAccessFeatures')) {
    await step('early access', () => page.evaluate(called('getEarlyAccessFeatures')))
  }
  await step('leave', async () => {
    await page.goto('about:blank')
    await untilSent(events)
  })
  return { events, onePerson: [anonymousId, 'ada', 'ada-at-home'] }
}

export async function drivePosthogJs(drive: Drive): Promise<Expected> {
  const { client, host, token } = drive
  const shop = await openShop(
    () => host,
    token,
    {},
    {
      folder: client.folder,
      head: (...of) => ownSnippet('/sdk/dist/array.js', ...of),
    },
  )
  const browser = await openBrowser({ asVisitor: true })
  try {
    const page = await browser.context.newPage()
    reportPageProblems(page, drive)
    return await visit(page, shop.url, drive)
  } finally {
    await browser.close()
    await shop.close()
  }
}
