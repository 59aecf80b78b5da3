/**
 * The real posthog-js in a browser: what a project switches on is captured and what it does not is not; what the SDK
 * asks for besides is answered.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { noBrowser, openBrowser, type TestBrowser } from '../support/browser/browser.ts'
import { openShop, type Shop } from '../support/browser/shop.ts'
import { type Running, removeFolder, start, tempFolder } from '../support/program.ts'
import { type ApiClient, apiClient } from '../support/servers/api-client.ts'

const KEY = 'phx_e2e_switches_0123456789'
const TOKEN = 'phc_e2e_switches_0123456789'
const PATIENCE = { timeout: 120_000, interval: 200 }
const SWITCHED = ['$dead_click', '$exception', '$web_vitals', '$$heatmap']

interface Listed {
  event: string
  properties: Record<string, unknown>
}

const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`

describe.skipIf(noBrowser !== null)(`posthog-js ${inABrowser}`, () => {
  let folder: string
  let server: Running
  let api: ApiClient
  let shop: Shop
  let browser: TestBrowser

  beforeAll(async () => {
    folder = tempFolder()
    server = await start(folder, { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
    api = apiClient(server.url, KEY)
    shop = await openShop(() => server.url, TOKEN, { disable_session_recording: true })
    browser = await openBrowser({ asVisitor: true })
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await server?.stop()
    removeFolder(folder)
  })

  const eventsOf = async (distinctId: string) =>
    (await api.get<{ results: Listed[] }>('/events/', { distinct_id: distinctId, limit: '1000' })).results

  /** A page of a visitor of that name, with its configuration loaded. */
  async function visit(name: string, path = '/'): Promise<Page> {
    const page = await browser.context.newPage()
    const configured = page.waitForResponse((response) => response.url().endsWith('/config.js'))
    await page.goto(shop.url + path)
    await configured
    await page.waitForFunction('window.posthog.__loaded')
    await page.evaluate(`posthog.reset(true); posthog.identify(${JSON.stringify(name)})`)
    return page
  }
  /** What each of the four switches is about, then an event that is certainly captured. */
  async function stumble(page: Page): Promise<void> {
    await page.evaluate("setTimeout(() => { throw new Error('a thorn') })")
    await page.click('#title')
    await page.mouse.move(300, 300)
    await page.evaluate("posthog.capture('seen')")
  }

  it('captures none of it for a project that has switched on nothing', async () => {
    const page = await visit('off')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await stumble(page)
    await vi.waitFor(async () => {
      expect((await eventsOf('off')).map(({ event }) => event)).toContain('seen')
    }, PATIENCE)
    await page.goto('about:blank')
    await vi.waitFor(async () => {
      expect((await eventsOf('off')).map(({ event }) => event)).toContain('$pageleave')
    }, PATIENCE)
    const events = await eventsOf('off')
    expect(events.filter(({ event }) => SWITCHED.includes(event))).toEqual([])
    expect(events.filter(({ properties }) => '$ip' in properties)).toEqual([])
    expect(asked.filter((url) => /dead-clicks|exception|web-vitals/.test(url))).toEqual([])
    await page.close()
  })

  it('captures all of it, and the address, for a project that has switched them on', async () => {
    await api.patch('/', {
      autocapture_exceptions_opt_in: true,
      autocapture_web_vitals_opt_in: true,
      heatmaps_opt_in: true,
      capture_dead_clicks: true,
      anonymize_ips: false,
    })
    const page = await visit('on')
    await stumble(page)
    await vi.waitFor(async () => {
      const names = (await eventsOf('on')).map(({ event }) => event)
      expect(names).toEqual(expect.arrayContaining(SWITCHED))
    }, PATIENCE)
    const events = await eventsOf('on')
    expect(events.filter(({ properties }) => properties.$ip !== '127.0.0.1')).toEqual([])
    const thorn = events.find(({ event }) => event === '$exception')
    expect(JSON.stringify(thorn?.properties.$exception_list)).toContain('a thorn')
    await page.close()
  })

  it('gets its callbacks: no surveys, no early access features', async () => {
    const page = await visit('curious')
    const answered = (ask: string) => page.evaluate(`new Promise((resolve) => posthog.${ask})`)
    expect(await answered('getSurveys(resolve, true)')).toEqual([])
    expect(await answered('getEarlyAccessFeatures(resolve, true)')).toEqual([])
    await page.close()
  })

  it('is told that there is no toolbar', async () => {
    const page = await visit('editor')
    const problems: string[] = []
    page.on('pageerror', (error) => void problems.push(error.message))
    const said = page.waitForEvent('console', (message) => message.text().includes('[Hedgerow] toolbar.js'))
    await page.evaluate(`posthog.toolbar.loadToolbar({ token: ${JSON.stringify(TOKEN)} })`)
    expect((await said).type()).toBe('warning')
    expect(problems).toEqual([])
    await page.close()
  })

  it('loaded as /array/{token}/array.js, it has its configuration and asks for none', async () => {
    const page = await browser.context.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.route('**/static/array.js', (route) => route.continue({ url: `${server.url}/array/${TOKEN}/array.js` }))
    await page.goto(shop.url)
    await page.waitForFunction('window.posthog?.__loaded')
    const captured = page.waitForResponse((response) => response.url().includes('/i/v0/e/'))
    await page.evaluate("posthog.capture('preloaded', {}, { send_instantly: true })")
    expect((await captured).status()).toBe(200)
    expect(asked.filter((url) => url.endsWith('/config.js') || url.endsWith('/config'))).toEqual([])
    await page.close()
  })
})
