/**
 * The server below a path of another host: a proxy that strips the path, and a browser that sees only the proxy. Every
 * address that a page, a document, a mail or the SDK names has to begin with the path, or it leads nowhere.
 */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../support/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../support/browser/browser.ts'
import { openShop, type Shop } from '../support/browser/shop.ts'
import { testClock } from '../support/clock.ts'
import { subscribe } from '../support/deliveries/subscription.ts'
import { makePerson } from '../support/make.ts'
import { click, pageOf, saying, sendRecorded } from '../support/replay/hand-made-recording.ts'
import { textOf, unsubscribeUrl } from '../support/servers/mailbox.ts'
import { type MailServer, startMailServer } from '../support/servers/smtp.ts'

const PATH = '/tools/hedgerow'
const SESSION = 'session-below-a-path'
const PERSONS = 25
const PATIENCE = { timeout: 120_000, interval: 200 }

/** The reason for skipping is in its name. */
const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`

let app: TestApp
let smtp: MailServer
let proxy: Server
/** Where the proxy is, and the server behind it as everyone knows it. */
let origin: string
let publicUrl: string
/** What was asked of the proxy outside the path. */
const astray: string[] = []

/** Passes on what is below the path, without it, and nothing else. */
async function openProxy(target: () => string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method = 'GET', headers } = incoming
    if (!url.startsWith(`${PATH}/`)) {
      astray.push(`${method} ${url}`)
      return outgoing.writeHead(404).end('another application')
    }
    const onward = request(target() + url.slice(PATH.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  let address = ''
  proxy = await openProxy(() => address)
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  publicUrl = origin + PATH
  smtp = await startMailServer()
  app = await makeApp({
    // The SDK in the browser goes by the real time.
    clock: testClock(Date.now()),
    env: {
      HEDGEROW_PUBLIC_URL: publicUrl,
      HEDGEROW_SMTP_URL: smtp.url,
      HEDGEROW_MAIL_FROM: 'reports@acme.example',
    },
  })
  address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  for (let n = 0; n < PERSONS; n++) await makePerson(app, { properties: { n } })
})
afterAll(async () => {
  await app?.end()
  await smtp?.stop()
  proxy?.closeAllConnections()
  await new Promise((resolve) => proxy?.close(resolve))
})

describe('behind a proxy that strips the path', () => {
  it.each([
    ['persons/?limit=10', PERSONS],
    ['activity_log/?limit=1', 2],
    ['dashboards/?limit=1', 2],
  ])('lists name their other pages so that they can be followed: %s', async (path, count) => {
    if (path.startsWith('activity')) {
      for (const label of ['a', 'b'])
        await app.call('POST', '/api/personal_api_keys/', { body: { label, scopes: ['*'] } })
    }
    if (path.startsWith('dashboards'))
      await app.call('POST', '/api/projects/1/dashboards/', { body: { name: 'Second' } })
    const rows: unknown[] = []
    let previous: string | null = null
    for (let next: string | null = `${publicUrl}/api/projects/1/${path}`; next !== null; ) {
      expect(next.startsWith(`${publicUrl}/api/projects/1/`)).toBe(true)
      const response: Response = await fetch(next, { headers: { authorization: `Bearer ${ROOT_KEY}` } })
      expect(response.status).toBe(200)
      const page = (await response.json()) as { next: string | null; previous: string | null; results: unknown[] }
      rows.push(...page.results)
      next = page.next
      previous = page.previous
    }
    expect(rows.length).toBeGreaterThanOrEqual(count)
    expect(previous?.startsWith(`${publicUrl}/api/projects/1/`)).toBe(true)
  })

  it('the answer to a right password leads back to the page, and its cookie is sent there only', async () => {
    const token = await share({ password_required: true })
    await addPassword('hedge and rose')
    for (const slash of ['', '/']) {
      const response = await fetch(`${publicUrl}/shared/${token}${slash}?t=2`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ password: 'hedge and rose' }),
      })
      expect(response.status).toBe(303)
      const target = new URL(response.headers.get('location') ?? '', response.url)
      expect(target.href).toBe(`${publicUrl}/shared/${token}?t=2`)
      expect(response.headers.get('set-cookie')).toContain(`; Path=${PATH}/shared/${token};`)
    }
  })
})

const sharing = `/api/environments/1/session_recordings/${SESSION}/sharing/`
/** A recording, made once, and the token of its share. */
async function share(settings: object): Promise<string> {
  const start = app.clock.now() - 60_000
  if ((await app.call('GET', sharing)).statusCode === 404) {
    const events = [...pageOf(start, 'below a path'), saying(start + 500, 'still below'), click(start + 4_000)]
    await sendRecorded(app, { sessionId: SESSION, events })
  }
  const answer = await app.call('PATCH', sharing, { body: { enabled: true, password_required: false, ...settings } })
  return answer.json().access_token
}
const addPassword = (raw_password: string) => app.call('POST', `${sharing}passwords/`, { body: { raw_password } })

describe.skipIf(noBrowser !== null)(`below a path ${inABrowser}`, () => {
  let browser: TestBrowser
  let shop: Shop
  const failures: string[] = []

  beforeAll(async () => {
    browser = await openBrowser({ asVisitor: true })
    shop = await openShop(() => publicUrl, PROJECT_TOKEN, { defaults: '2025-05-24' })
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
  })

  async function open(address: string): Promise<Page> {
    const page = await browser.context.newPage()
    page.on('response', (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => void failures.push(error.message))
    await page.goto(address)
    return page
  }
  /** A page of somebody who has just signed in by key. */
  async function signedIn(): Promise<Page> {
    await browser.context.clearCookies()
    const page = await open(`${publicUrl}/login?with=key`)
    await page.getByLabel('Personal API key').fill(ROOT_KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/project\//)
    return page
  }
  const plays = (page: Page) =>
    page.frameLocator('.replayer-wrapper > iframe').getByRole('heading', { name: /below/ }).waitFor()
  const allWell = () => expect([...astray, ...failures]).toEqual([])

  it.each(['shared/TOKEN', 'shared/TOKEN/', 'shared/TOKEN?t=1', 'embedded/TOKEN', 'embedded/TOKEN/'])(
    'the page of a share plays: %s',
    async (path) => {
      const token = await share({})
      const page = await open(`${publicUrl}/${path.replace('TOKEN', token)}`)
      await plays(page)
      allWell()
      await page.close()
    },
  )

  it.each(['shared', 'embedded'])('the page of a share with a password opens and plays: %s', async (kind) => {
    const token = await share({ password_required: true })
    await addPassword(`word of ${kind}`)
    const page = await open(`${publicUrl}/${kind}/${token}`)
    await page.getByLabel('Password').fill(`word of ${kind}`)
    await page.getByRole('button', { name: 'Open' }).click()
    await plays(page)
    if (kind === 'shared') {
      await page.reload()
      await plays(page)
    }
    allWell()
    await page.close()
  })

  it.each(['/api/docs/', '/api/docs'])('the explorer shows the API and calls it: %s', async (path) => {
    const operation = '/api/projects/'
    const page = await open(`${publicUrl}${path}#tag/projects/GET${operation}`)
    await page.getByRole('heading', { name: 'Hedgerow', exact: true }).waitFor()
    await page
      .getByRole('button', { name: `Test Request (get ${operation})` })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Token').fill(ROOT_KEY)
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(operation))
    await dialog
      .getByRole('button', { name: /^Send\b/ })
      .first()
      .click()
    expect((await answered).url()).toMatch(new RegExp(`^${publicUrl}${operation}`))
    expect((await answered).status()).toBe(200)
    allWell()
    await page.close()
  })

  it.each(['/', '/login', '/project/1/start?x=1', '/reset/'])('the web app opens: %s', async (path) => {
    const page = await open(publicUrl + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const shown = path === '/reset/' ? 'reset' : 'login'
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${PATH}/${shown}/?$`))
    allWell()
    await page.close()
  })

  it('signing in leads to where one wanted to go, and out again', async () => {
    const page = await open(`${publicUrl}/login?with=key&next=/project/1/settings/user-api-keys`)
    await page.getByLabel('Personal API key').fill(ROOT_KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${PATH}/project/1/settings/user-api-keys`)
    await page.getByRole('button', { name: 'Show request' }).click()
    const docs = page.getByRole('dialog').getByRole('link', { name: 'In the API docs' })
    expect(await docs.first().getAttribute('href')).toBe(
      `${PATH}/api/docs/#tag/personal_api_keys/GET/api/personal_api_keys/`,
    )
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /your menu$/ }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${PATH}/login`)
    allWell()
    await page.close()
  })

  it('the link in a mail leads to the page that unsubscribes', async () => {
    await subscribe(app, { target_value: 'ann@example.com', insight: 1 })
    await app.runner.runDue()
    const mail = smtp.mails.findLast(({ to }) => to === 'ann@example.com')
    if (!mail) throw new Error('There is no mail.')
    const page = await open(unsubscribeUrl(mail).href)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    expect(page.url().startsWith(`${publicUrl}/unsubscribe?token=`)).toBe(true)
    allWell()
    await page.close()
  })

  it('the links of a report lead to pages of the web app, which are shown after signing in', async () => {
    await subscribe(app, { target_value: 'eve@example.com', insight: 1 })
    await app.runner.runDue()
    const mail = smtp.mails.findLast(({ to }) => to === 'eve@example.com')
    const linked = [...(mail ? textOf(mail) : '').matchAll(/^(People|Replays): (\S+)$/gm)]
    expect(linked.map(([, name]) => name)).toEqual(['People', 'Replays'])
    const page = await signedIn()
    for (const [, name = '', url = ''] of linked) {
      expect(url.startsWith(`${publicUrl}/project/1/`)).toBe(true)
      await page.goto(url)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    allWell()
    await page.close()
  })

  it('the SDK loads its parts, sends events and records', async () => {
    const page = await open(shop.url)
    await page.waitForFunction('window.posthog.__loaded && window.posthog.sessionRecordingStarted()')
    await page.evaluate("posthog.capture('bought below a path')")
    const session = await page.evaluate('posthog.get_session_id()')
    const listed = async () =>
      (await app.call('GET', '/api/environments/1/events/?event=bought below a path')).json().results?.length
    await expect.poll(listed).toBe(1)
    await page.click('#buy')
    await page.goto('about:blank')
    const blocks = async () =>
      (await app.call('GET', `/api/environments/1/session_recordings/${session}/snapshots/`)).statusCode
    await expect.poll(blocks).toBe(200)
    allWell()
    await page.close()
  })

  it('the SDK names where its recording plays: there, from that second on', async () => {
    const visitor = await open(shop.url)
    await visitor.waitForFunction('window.posthog.__loaded && window.posthog.sessionRecordingStarted()')
    await visitor.click('#buy')
    const whole = (await visitor.evaluate('posthog.get_session_replay_url()')) as string
    const timed = (await visitor.evaluate(
      'posthog.get_session_replay_url({ withTimestamp: true, timestampLookBack: 0 })',
    )) as string
    const session = (await visitor.evaluate('posthog.get_session_id()')) as string
    expect(whole).toBe(`${publicUrl}/project/${PROJECT_TOKEN}/replay/${session}`)
    expect(timed).toMatch(/\?t=\d+$/)
    await visitor.goto('about:blank')
    await visitor.close()
    const recorded = async () =>
      (await app.call('GET', `/api/environments/1/session_recordings/${session}/`)).json().click_count
    await expect.poll(recorded, PATIENCE).toBeGreaterThan(0)
    const page = await signedIn()
    const replay = page.frameLocator('iframe').frameLocator('.replayer-wrapper > iframe')
    for (const url of [whole, timed]) {
      await page.goto(url)
      await replay.getByRole('heading', { name: 'Hedge shop' }).waitFor()
    }
    allWell()
    await page.close()
  })
})
