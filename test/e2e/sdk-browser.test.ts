/**
 * The real posthog-js, unmodified, in a browser on another origin: a visit to a small shop, then the API is asked
 * what became of it, and the page of a share plays it.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { noBrowser, openBrowser, type TestBrowser } from '../support/browser/browser.ts'
import { openShop, type Shop } from '../support/browser/shop.ts'
import { type Running, removeFolder, start, tempFolder } from '../support/program.ts'
import { type ApiClient, type ApiPerson, apiClient } from '../support/servers/api-client.ts'

const KEY = 'phx_e2e_browser_sdk_0123456789'
const TOKEN = 'phc_e2e_browser_sdk_0123456789'
const PATIENCE = { timeout: 120_000, interval: 200 }

interface RecordingBody {
  id: string
  distinct_id: string
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  recording_duration: number
  active_seconds: number
  start_url: string
  snapshot_library: string
  person: { name: string; uuid: string }
}

/** The reason for skipping is in its name. */
const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`

describe.skipIf(noBrowser !== null)(`posthog-js ${inABrowser}`, () => {
  let folder: string
  let server: Running
  let api: ApiClient
  let shop: Shop
  let browser: TestBrowser
  const elsewhere: string[] = []
  let visit: { sessionId: string; anonymousId: string }

  const recording = () => api.get<RecordingBody>(`/session_recordings/${visit.sessionId}/`)
  const person = async (): Promise<ApiPerson> => {
    const found = await api.personOf('ada@example.com')
    if (!found) throw new Error('There is no such person.')
    return found
  }

  beforeAll(async () => {
    folder = tempFolder()
    server = await start(folder, { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
    api = apiClient(server.url, KEY)
    shop = await openShop(() => server.url, TOKEN, { defaults: '2025-05-24' })
    browser = await openBrowser({ asVisitor: true })
    browser.context.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${server.url}/`) && !url.startsWith(`${shop.url}/`) && !/^(?:data|blob|about):/.test(url)) {
        elsewhere.push(url)
      }
    })
    visit = await shopAround(await browser.context.newPage())
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await server?.stop()
    removeFolder(folder)
  })

  /** Views, buys twice, types, logs to the console, goes to the basket, identifies itself, and leaves. */
  async function shopAround(page: Page) {
    await page.goto(`${shop.url}/?utm_source=newsletter`)
    await page.waitForFunction('window.posthog.__loaded && window.posthog.sessionRecordingStarted()')
    const ids = (await page.evaluate(
      '({ sessionId: posthog.get_session_id(), anonymousId: posthog.get_distinct_id() })',
    )) as typeof visit
    await page.click('#buy')
    await page.click('#buy')
    await page.locator('#name').pressSequentially('Ada Lovelace')
    await page.click('#talk')
    await page.click('#basket')
    await page.getByText('Your basket').waitFor()
    await page.evaluate(
      "posthog.identify('ada@example.com', { name: 'Ada', email: 'ada@example.com' }, { first_seen: 1 })",
    )
    await page.evaluate("posthog.capture('bought', { hedges: 2 })")
    await vi.waitFor(async () => expect(await api.eventCount((await person()).id, 'bought')).toBe(1), PATIENCE)
    await page.goto('about:blank')
    await vi.waitFor(async () => expect(await api.eventCount((await person()).id, '$pageleave')).toBe(1), PATIENCE)
    await page.close()
    return ids
  }

  it('makes one person of the visitor before and after', async () => {
    const ada = await person()
    expect([...ada.distinct_ids].sort()).toEqual([visit.anonymousId, 'ada@example.com'].sort())
    expect(ada.properties).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      first_seen: 1,
      $initial_utm_source: 'newsletter',
    })
    expect((await api.personOf(visit.anonymousId))?.id).toBe(ada.id)
  })
  it.each([
    ['$pageview', 2],
    ['$identify', 1],
    ['bought', 1],
    ['$pageleave', 1],
  ])('counts %s: %i', async (event, count) => {
    expect(await api.eventCount((await person()).id, event)).toBe(count)
  })
  it('counts clicks and changes by themselves', async () => {
    // Two purchases, one talk, the basket; the change of the name when it is left.
    await vi.waitFor(async () => expect(await api.eventCount((await person()).id, '$autocapture')).toBe(5), PATIENCE)
  })
  it('lists them, all of one session', async () => {
    const query = { session_id: visit.sessionId, limit: '100' }
    const { results } = await api.get<{ results: { event: string }[] }>('/events/', query)
    const names = results.map(({ event }) => event).sort()
    expect(names).toEqual([
      ...Array(5).fill('$autocapture'),
      '$identify',
      '$pageleave',
      ...Array(2).fill('$pageview'),
      'bought',
    ])
  })
  it('knows the session', async () => {
    const values = async (key: string) =>
      (await api.get<{ results: { name: string; count: number }[] }>('/sessions/values/', { key })).results
    expect(await values('$entry_utm_source')).toEqual([expect.objectContaining({ name: 'newsletter', count: 1 })])
    expect(await values('$entry_current_url')).toEqual([
      expect.objectContaining({ name: `${shop.url}/?utm_source=newsletter` }),
    ])
    expect(await values('$end_pathname')).toEqual([expect.objectContaining({ name: '/basket' })])
  })
  it('has recorded it, and counts what was done', async () => {
    await vi.waitFor(async () => expect((await recording()).click_count).toBe(4), PATIENCE)
    const body = await recording()
    expect(body).toMatchObject({
      id: visit.sessionId,
      click_count: 4,
      keypress_count: 12,
      console_log_count: 1,
      console_warn_count: 1,
      console_error_count: 1,
      start_url: `${shop.url}/?utm_source=newsletter`,
      snapshot_library: 'web',
      person: { name: 'ada@example.com', uuid: (await person()).uuid },
    })
    expect(body.mouse_activity_count).toBeGreaterThanOrEqual(4)
    expect(body.active_seconds).toBeLessThanOrEqual(body.recording_duration)
    const { results } = await api.get<{ results: RecordingBody[] }>('/session_recordings/')
    expect(results.map(({ id }) => id)).toEqual([visit.sessionId])
  })
  it('is played by the page of its share, in a document that runs no script and makes no requests', async () => {
    const path = `/session_recordings/${visit.sessionId}/sharing/`
    const { access_token } = await api.patch<{ access_token: string }>(path, { enabled: true })
    const page = await browser.context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => void problems.push(error.message))
    const before = shop.asked.length
    await page.goto(`${server.url}/shared/${access_token}`)
    const replay = page.frameLocator('.replayer-wrapper > iframe')
    const position = page.getByLabel('Position')
    await position.waitFor()
    const tenths = Math.floor(Number(await position.getAttribute('max')) * 10)
    // By its position: while it plays, a busy browser may pass over what is there for a moment.
    const shows = async (what: Locator): Promise<boolean> => {
      for (let at = 0; at <= tenths; at++) {
        await position.fill((at / 10).toFixed(1))
        if (await what.isVisible()) return true
      }
      return false
    }
    const seen = [
      replay.getByRole('heading', { name: 'Hedge shop' }),
      replay.getByText('Order 2 placed'),
      replay.getByRole('heading', { name: 'Your basket' }),
    ]
    for (const what of seen) await expect.poll(() => shows(what)).toBe(true)
    expect(await replay.locator('#name').inputValue()).toBe('*'.repeat('Ada Lovelace'.length))
    expect(await page.locator('.replayer-wrapper > iframe').getAttribute('sandbox')).toBe('allow-same-origin')
    const shots = mkdtempSync(join(tmpdir(), 'hedgerow-screenshots-'))
    await page.screenshot({ path: join(shots, 'shared-page.png') })
    console.info(`The shared page as it was played: ${join(shots, 'shared-page.png')}`)
    expect(problems).toEqual([])
    expect(shop.asked.slice(before)).toEqual([])
    await page.close()
  })
  it('has sent requests to the shop and this server only', () => {
    expect(elsewhere).toEqual([])
  })
})
