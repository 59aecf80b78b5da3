/**
 * Every screen of the app, in both themes and on a phone, with data, without, and with an API that fails: axe finds
 * nothing, the browser reports no error and no breach of the policy, and nothing is asked of another host. With SCREENS,
 * `npm run screens`, a picture of each is kept.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { launchBrowser, newContext, noBrowser } from '../../support/browser/browser.ts'
import { testClock } from '../../support/clock.ts'
import { click, pageOf, sendRecorded } from '../../support/replay/hand-made-recording.ts'
import { cookieOf, givePassword, makeLink, PASSWORD, postLogin } from '../../support/sign-in.ts'
import { keepPicture, listPictures } from '../../support/web/pictures.ts'
import { pathOf, type ScreenRow, SESSION, SOMEBODY, screens } from '../../support/web/screens.ts'
import { axeFindings, watchedPage } from '../../support/web/watched-page.ts'
import { answerWith, inABrowser, refusal } from '../../support/web/web-app.ts'

const VIEWS = [
  { view: 'light', colorScheme: 'light', width: 1280, height: 860 },
  { view: 'dark', colorScheme: 'dark', width: 1280, height: 860 },
  { view: 'phone', colorScheme: 'light', width: 360, height: 740 },
] as const

const WITH_PASSWORD = { email: 'admin@localhost', password: PASSWORD }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const OTHER_BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'

const STATES = ['data', 'empty', 'failing'] as const

/** Refusals that belong to a state: without data there is nobody and nothing to be shown. */
const WANTED = {
  data: /^$/,
  empty: /^404 GET \/api\/environments\/1\/(?:persons|session_recordings)\/[\w-]+\/(?:snapshots\/)?$/,
  failing: /^500 /,
}

interface Place {
  app: TestApp
  address: string
  /** Of somebody who is signed in, and of somebody who is not. */
  inside: BrowserContext
  outside: BrowserContext
  /** What stands behind `#` where a screen wants something there. */
  tokens: Partial<Record<string, string>>
}

async function open(browser: Browser): Promise<Place> {
  const app = await makeApp({ clock: testClock(Date.now()) })
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  await givePassword(app)
  const answer = await postLogin(app, WITH_PASSWORD, { 'user-agent': BROWSER })
  const [name = '', value = ''] = cookieOf(answer).split('=')
  const [inside, outside] = [await newContext(browser), await newContext(browser)]
  await inside.addCookies([{ name, value, url: address }])
  const setup = await makeLink(app)
  const tokens = { '/setup': setup, '/signup': setup, '/reset': await makeLink(app, 1, 'reset') }
  return { app, address, inside, outside, tokens }
}

async function fill(app: TestApp): Promise<void> {
  const event = {
    api_key: PROJECT_TOKEN,
    event: 'order placed',
    distinct_id: SOMEBODY,
    properties: { $set: { email: SOMEBODY, plan: 'paid' } },
  }
  const batch = { api_key: PROJECT_TOKEN, batch: [{ event: 'no id' }, event] }
  await app.call('POST', '/i/v0/e/', { key: null, body: event })
  await app.call('POST', '/batch/', { key: null, body: batch })
  const key = { label: 'Nightly export', scopes: ['person:read', 'query:read'], scoped_teams: [1] }
  await app.call('POST', '/api/personal_api_keys/', { body: key })
  const settings = {
    name: 'Garden shop',
    session_recording_quota_bytes: 5e9,
    person_display_name_properties: ['name', 'email'],
  }
  await app.call('PATCH', '/api/projects/1/', { body: settings })
  const { results } = (await app.call('GET', '/api/projects/1/persons/')).json()
  const [{ id }] = results as [{ id: number }]
  await app.call('POST', `/api/projects/1/persons/${id}/delete_events/`)
  const start = app.clock.now() - 60_000
  const events = [...pageOf(start, 'The shop'), click(start + 1_000), click(start + 5_000)]
  await sendRecorded(app, { sessionId: SESSION, events })
  // A second browser of the same user.
  await postLogin(app, WITH_PASSWORD, { 'user-agent': OTHER_BROWSER })
}

const BROKEN = refusal('server_error', 'error', 'A server error occurred.')

async function walkTo(screen: ScreenRow, { address, inside, outside, tokens }: Place, fails: boolean) {
  const watched = await watchedPage(screen.in === 'account' ? outside : inside, address)
  const { page, settled } = watched
  if (fails) await page.route('**/api/**', answerWith(500, BROKEN, { 'x-request-id': 'test-1' }))
  const token = tokens[screen.path]
  await page.goto(address + pathOf(screen) + (token ? `#${token}` : ''))
  if (fails) await page.getByRole('alert').first().waitFor()
  else await settled()
  return watched
}

async function lookAt(page: Page, { view, colorScheme, width, height }: (typeof VIEWS)[number], name: string) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height })
  await keepPicture(page, name.replaceAll(/\/(?:project\/\$project\/)?/g, '-').replace('--', '-'))
  // In another theme nothing but the colours is another.
  expect(await axeFindings(page, view === 'dark' ? 'colours' : 'all')).toEqual([])
  const wide = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
  expect(wide).toBeLessThanOrEqual(0)
}

describe.skipIf(noBrowser !== null)(`the screens ${inABrowser}`, () => {
  let browser: Browser
  let places: Record<'data' | 'empty', Place>

  beforeAll(async () => {
    browser = await launchBrowser()
    places = { data: await open(browser), empty: await open(browser) }
    await fill(places.data.app)
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(Object.values(places ?? {}).map(({ app }) => app.end()))
    listPictures()
  })

  describe.each(STATES)('%s', (state) => {
    /** Those for people who are not signed in look the same whatever there is. */
    const differs = ({ in: place }: ScreenRow) => state === 'data' || place !== 'account'
    const views = state === 'data' ? VIEWS : VIEWS.slice(0, 1)

    it.each(screens.filter(differs))('$path', async (screen) => {
      const { page, problems } = await walkTo(screen, places[state === 'data' ? 'data' : 'empty'], state === 'failing')
      expect(await page.title()).toMatch(/^\S.* · Hedgerow$/)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      for (const view of views) await lookAt(page, view, `${state}-${view.view}-${screen.path}`)
      const isWanted = (problem: string) => WANTED[state].test(problem)
      expect(problems.filter((problem) => !isWanted(problem))).toEqual([])
      await page.close()
    })
  })
})
