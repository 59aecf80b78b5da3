/**
 * Every screen of the app, in both themes and on a phone, with data, without, and with an API that fails: axe finds
 * nothing, the browser reports no error and no breach of the policy, and nothing is asked of another host. With SCREENS,
 * `npm run screens`, a picture of each is kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser.ts'
import { testClock } from '../../support/clock.ts'
import { pathOf, type ScreenRow, screens } from '../../support/web/screens.ts'
import { ANN, type Pretence, pretendSignedIn } from '../../support/web/signed-in.ts'
import { axeFindings, type WatchedPage, watchedPage } from '../../support/web/watched-page.ts'

const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`
const PICTURES = process.env.SCREENS ?? ''

/** Hash with which the pages of links have something to show. */
const hashOf = ({ path }: ScreenRow): string => (/^\/(?:setup|signup|reset\/)/.test(path) ? '#good' : '')

const VIEWS = [
  { view: 'light', theme: 'light', width: 1280, height: 860 },
  { view: 'dark', theme: 'dark', width: 1280, height: 860 },
  { view: 'phone', theme: 'light', width: 360, height: 740 },
] as const

const STATES = ['data', 'empty', 'failing'] as const

describe.skipIf(noBrowser !== null)(`the screens ${inABrowser}`, () => {
  const apps: Partial<Record<'data' | 'empty', { app: TestApp; address: string }>> = {}
  let browser: TestBrowser
  const pictures: string[] = []

  async function startApp(): Promise<{ app: TestApp; address: string }> {
    const app = await makeApp({ clock: testClock(Date.now()) })
    return { app, address: await app.server.listen({ host: '127.0.0.1', port: 0 }) }
  }

  beforeAll(async () => {
    apps.data = await startApp()
    apps.empty = await startApp()
    const { app } = apps.data
    const event = { api_key: PROJECT_TOKEN, event: 'order placed', distinct_id: 'jane@example.com' }
    await app.call('POST', '/i/v0/e/', { key: null, body: event })
    await app.call('POST', '/batch/', {
      key: null,
      body: { api_key: PROJECT_TOKEN, batch: [{ event: 'no id' }, event] },
    })
    const key = { label: 'Nightly export', scopes: ['person:read', 'query:read'], scoped_teams: [1] }
    await app.call('POST', '/api/personal_api_keys/', { body: key })
    await app.call('PATCH', '/api/projects/1/', {
      body: {
        name: 'Garden shop',
        session_recording_quota_bytes: 5e9,
        person_display_name_properties: ['name', 'email'],
      },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(Object.values(apps).map(({ app }) => app.end()))
    if (PICTURES) writePage()
  })

  function writePage(): void {
    const figures = pictures.map(
      (name) => `<figure><figcaption>${name}</figcaption><img src="${name}" loading="lazy"></figure>`,
    )
    const style = '<style>img{max-width:45%;border:1px solid #999}body{font:14px system-ui}</style>'
    writeFileSync(join(PICTURES, 'index.html'), `<!doctype html><title>Screens</title>${style}${figures.join('\n')}`)
  }

  async function keepPicture({ page }: WatchedPage, name: string): Promise<void> {
    if (!PICTURES) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`) })
    pictures.push(`${name}.png`)
  }

  const failing: Pretence['instead'] = (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'test-1' },
      json: { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
    })

  describe.each(STATES)('%s', (state) => {
    const where = state === 'failing' ? 'empty' : state
    let pretence: Pretence
    beforeAll(async () => {
      const { address } = apps[where] ?? { address: '' }
      await browser.context.unrouteAll()
      pretence = await pretendSignedIn(browser.context, address)
      if (state === 'failing') pretence.instead = failing
    })

    /** Those for people who are not signed in look the same whatever there is. */
    const differs = ({ in: place }: ScreenRow) => state === 'data' || place !== 'account'

    describe.each(VIEWS.filter(({ view }) => state === 'data' || view === 'light'))(
      '$view',
      ({ view, theme, width, height }) => {
        it.each(screens.filter(differs))('$path', async (screen) => {
          const { address = '' } = apps[where] ?? {}
          pretence.who = screen.in === 'account' ? null : ANN
          const watched = await watchedPage(browser.context, address)
          const { page, problems } = watched
          await page.setViewportSize({ width, height })
          await page.goto(`${address}${pathOf(screen)}?theme=${theme}${hashOf(screen)}`)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.waitForLoadState('networkidle')
          if (state === 'failing') await page.getByRole('alert').first().waitFor()
          await keepPicture(watched, `${state}-${view}-${pathOf(screen).slice(1).replaceAll('/', '-')}`)
          expect(await page.title()).toMatch(/^\S.* · Hedgerow$/)
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
          expect(await axeFindings(page)).toEqual([])
          const wide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
          expect(wide).toBeLessThanOrEqual(0)
          // The live stream and a failing API are noted by the browser itself.
          const unexpected = problems.filter((problem) => !/Failed to load resource|events\/live/.test(problem))
          expect(unexpected).toEqual([])
          await page.close()
        })
      },
    )
  })
})
