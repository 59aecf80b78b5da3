/**
 * The app in a browser on a real server: one of each for a file of tests, and for each test a visitor of its own, with a
 * page that is watched. A test names the refusals that it wants to happen; any other is a failure.
 */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { makeApp, type TestApp, type TestAppOptions } from '../app.ts'
import { launchBrowser, newContext, noBrowser } from '../browser/browser.ts'
import { testClock } from '../clock.ts'
import { givePassword, signIn } from '../sign-in.ts'
import { keepPictures, listPictures } from './pictures.ts'
import { axeFindings, type WatchedPage, watchedPage } from './watched-page.ts'

/** For `describe`: the reason for skipping is in its name. */
export const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`

export const refusal = (type: string, code: string, detail = 'No.') => ({ type, code, detail, attr: null })

/** Answers every request to the API with this. */
export const answerWith =
  (status: number, json: object, headers: Record<string, string> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, headers, json })

export interface WebApp {
  app: TestApp
  address: string
  browser: Browser
  /** Of this test. */
  context: BrowserContext
  page: Page
  /** Refusals that this test wants: `403 POST /api/…`. */
  wanted: RegExp[]
  settled(): Promise<void>
  /** Signs the visitor in by a cookie. Without a credential: the first user, with a password. */
  enter(credential?: object, context?: BrowserContext): Promise<void>
  open(path: string): Promise<void>
  /** Another visitor, signed in or not; closed after the test. */
  another(): Promise<WatchedPage>
  /** At what is shown: axe, and a picture if one is wanted. */
  look(name: string): Promise<void>
  /** The pathname of the page. */
  path(): string
}

interface WebAppOptions extends TestAppOptions {
  /** Any free one without it. */
  port?: number
}

const VIEWPORT = { width: 1280, height: 860 }

export function useWebApp(options: () => WebAppOptions | Promise<WebAppOptions> = () => ({})): WebApp {
  const web = {} as WebApp
  let watched: WatchedPage[] = []
  let contexts: BrowserContext[] = []

  const newVisitor = async (): Promise<WatchedPage> => {
    const context = await newContext(web.browser, { viewport: VIEWPORT })
    contexts.push(context)
    const visitor = await watchedPage(context, web.address)
    watched.push(visitor)
    return visitor
  }

  Object.assign(web, {
    async enter(credential?: object, context = web.context) {
      if (!credential) await givePassword(web.app)
      const [name = '', value = ''] = (await signIn(web.app, credential)).split('=')
      await context.addCookies([{ name, value, url: web.address, httpOnly: true, sameSite: 'Lax' }])
    },
    async open(path) {
      await web.page.goto(web.address + path)
      await web.settled()
    },
    another: newVisitor,
    async look(name) {
      await keepPictures(web.page, name)
      expect(await axeFindings(web.page)).toEqual([])
    },
    path: () => new URL(web.page.url()).pathname,
  } satisfies Partial<WebApp>)

  beforeAll(async () => {
    const { port = 0, ...rest } = await options()
    web.app = await makeApp({ clock: testClock(Date.now()), ...rest })
    web.address = await web.app.server.listen({ host: '127.0.0.1', port })
    web.browser = await launchBrowser()
  })
  afterAll(async () => {
    await web.browser?.close()
    await web.app?.end()
    listPictures()
  })
  beforeEach(async () => {
    web.wanted = []
    const { page, settled } = await newVisitor()
    Object.assign(web, { page, settled, context: page.context() })
  })
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    const problems = watched.flatMap((visitor) => visitor.problems)
    watched = []
    contexts = []
    expect(problems.filter((problem) => !web.wanted.some((pattern) => pattern.test(problem)))).toEqual([])
  })
  return web
}
