/** What people do in the app, in a browser: each journey on the real server, with test/support/web/signed-in.ts. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser.ts'
import { testClock } from '../../support/clock.ts'
import { ANN, type Pretence, pretendSignedIn } from '../../support/web/signed-in.ts'
import { axeFindings, watchedPage } from '../../support/web/watched-page.ts'

const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`
const PICTURES = process.env.SCREENS ?? ''

describe.skipIf(noBrowser !== null)(`in the app ${inABrowser}`, () => {
  let app: TestApp
  let address: string
  let browser: TestBrowser
  let pretence: Pretence
  let page: Page
  let problems: string[]

  beforeAll(async () => {
    app = await makeApp({ clock: testClock(Date.now()) })
    address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.end()
  })
  beforeEach(async () => {
    await browser.context.unrouteAll()
    pretence = await pretendSignedIn(browser.context, address)
    ;({ page, problems } = await watchedPage(browser.context, address))
  })
  afterEach(async () => {
    await page.close()
    expect(problems.filter((problem) => !/Failed to load resource|events\/live/.test(problem))).toEqual([])
  })

  const open = async (path: string) => {
    await page.goto(address + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  /** Of what is open over a screen: axe, and a picture if one is wanted. */
  async function look(name: string): Promise<void> {
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: join(PICTURES, `${name}.png`) })
    }
    expect(await axeFindings(page)).toEqual([])
  }

  describe('signing in', () => {
    beforeEach(() => {
      pretence.who = null
    })

    it('leads whoever is not signed in to the page for it, and back to where they wanted to go', async () => {
      await open('/project/1/settings/user?theme=dark')
      expect(new URL(page.url()).pathname).toBe('/login')
      await page.getByLabel('E-mail address').fill('ann@example.com')
      const password = page.getByRole('textbox', { name: 'Password' })
      await password.fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Your e-mail or password is incorrect.').waitFor()
      await look('sign-in-refused')
      await password.fill('correct horse battery')
      pretence.who = ANN
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'My account' }).waitFor()
      expect(page.url()).toBe(`${address}/project/1/settings/user?theme=dark`)
    })
    it('works with a key as well', async () => {
      await open('/login')
      await page.getByRole('tab', { name: 'API key' }).click()
      await page.getByLabel('Personal API key').fill(ROOT_KEY)
      pretence.who = ANN
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'First event' }).waitFor()
    })
    it.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
      'never leads elsewhere: %s',
      async (next) => {
        await open(`/login?with=key&next=${encodeURIComponent(next)}`)
        await page.getByLabel('Personal API key').fill(ROOT_KEY)
        pretence.who = ANN
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'First event' }).waitFor()
        expect(new URL(page.url()).origin).toBe(address)
      },
    )
    it('sets up by a link whose token no address carries to the server', async () => {
      const asked: string[] = []
      page.on('request', (request) => void asked.push(request.url()))
      await open('/setup#good')
      await page.getByText('ann@example.com').waitFor()
      const go = page.getByRole('button', { name: 'Go on' })
      await page.getByLabel('Password', { exact: true }).fill('too short')
      expect(await go.isDisabled()).toBe(true)
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
      await look('set-up')
      pretence.who = ANN
      await go.click()
      await page.getByRole('heading', { name: 'First event' }).waitFor()
      expect(
        asked.filter((url) => new URL(url).pathname.includes('good') || new URL(url).search.includes('good')),
      ).toEqual([])
    })
    it('says what to do with a link that was used, and without one', async () => {
      await open('/setup#used')
      await page.getByText('This link has been used.').waitFor()
      await page.getByText('hedgerow users link EMAIL').waitFor()
      await page.goto('about:blank')
      await open('/setup')
      await page.getByRole('heading', { name: 'A link is needed' }).waitFor()
    })
    it('leads who is no longer signed in back to it', async () => {
      pretence.who = ANN
      await open('/project/1/start')
      pretence.who = null
      pretence.instead = (route) =>
        route.fulfill({
          status: 401,
          json: { type: 'authentication_error', code: 'not_authenticated', detail: 'x', attr: null },
        })
      await page.getByRole('link', { name: 'General' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(new URL(page.url()).searchParams.get('next')).toBe('/project/1/settings/project')
    })
  })

  it('the first event appears by itself, with its own words', async () => {
    await open('/project/1/start')
    await page.getByText('Waiting for the first event…').waitFor()
    const body = { api_key: PROJECT_TOKEN, event: 'seed bought', distinct_id: 'jane' }
    await app.call('POST', '/i/v0/e/', { key: null, body })
    await page.getByText('seed bought').waitFor()
    await page.getByText('It works: events arrive.').waitFor()
  })

  it('the language of the snippet is in the address, and goes back and forth', async () => {
    await open('/project/1/start')
    await page.getByRole('tab', { name: 'Python' }).click()
    await expect.poll(() => page.url()).toContain('?lang=python')
    await page.getByText('pip install posthog').waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.url()).toContain('?lang=curl')
    await page.goBack()
    await page.getByText('pip install posthog').waitFor()
    await page.reload()
    await page.getByText('pip install posthog').waitFor()
    await open('/project/1/start?lang=cobol&x=1')
    await page.getByText('The address has parts that this screen does not understand: “x”, “lang”.').waitFor()
  })

  describe('settings', () => {
    it('are saved, and the request behind it can be had as a line for a shell', async () => {
      await open('/project/1/settings/project')
      await page.getByLabel('Name', { exact: true }).fill('Ann’s "garden" $HOME')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect((await app.call('GET', '/api/projects/1/')).json().name).toBe('Ann’s "garden" $HOME')
      await page.getByRole('button', { name: 'Project: Ann’s "garden" $HOME' }).waitFor()
      await page.getByRole('button', { name: 'Show request' }).click()
      const line = await page.getByText(/^curl -X PATCH/).innerText()
      expect(line).toContain(`'{"name":"Ann’s \\"garden\\" $HOME"}'`)
      expect(line).toContain('$HEDGEROW_KEY')
      await look('requests')
    })
    it('that are not saved yet are not left by mistake', async () => {
      await open('/project/1/settings/project-events')
      await page.getByLabel('Keep events for so many days').fill('90')
      await page.getByRole('link', { name: 'Recording' }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
      await look('unsaved')
      await page.getByRole('button', { name: 'Stay' }).click()
      expect(await page.getByLabel('Keep events for so many days').inputValue()).toBe('90')
      await page.getByRole('link', { name: 'Recording' }).click()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('heading', { name: 'Session recording' }).waitFor()
    })
    it('that the server refuses say so at their field', async () => {
      await open('/project/1/settings/project-events')
      await page.getByLabel('Keep events for so many days').fill('99999')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('Keep events for so many days').getAttribute('aria-invalid')).toBe('true')
    })
    it('cannot be changed by whoever may not, and say why', async () => {
      const [project] = ANN.projects
      pretence.who = { ...ANN, projects: project ? [{ ...project, level: 0, scopes: ['project:read'] }] : [] }
      await open('/project/1/settings/project')
      expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Save' }).getAttribute('title')).toContain('project:write')
      await page.getByRole('link', { name: 'API keys' }).click()
      await page.getByRole('heading', { name: 'This is not for you to see' }).waitFor()
    })
    it('ask for the name before a project goes', async () => {
      await open('/project/1/settings/project-delete')
      await page.getByRole('button', { name: 'Delete the project' }).click()
      await page.getByText('12,345').waitFor()
      expect(await page.getByRole('button', { name: 'Delete everything' }).isDisabled()).toBe(true)
      await look('delete-project')
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    })
  })

  describe('a key', () => {
    it('is made by a preset, shown once, and works; its secret is in no request that is remembered', async () => {
      await open('/project/1/settings/user-api-keys?do=new&preset=erasure')
      await page.getByLabel('Name', { exact: true }).fill('Forgetting')
      await look('new-key')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByRole('dialog', { name: '“Forgetting” is ready' }).waitFor()
      const secret = await page.getByText(/^phx_\w+$/).innerText()
      await look('secret')
      const persons = await app.call('GET', '/api/projects/1/persons/', { key: secret })
      const projects = await app.call('GET', '/api/projects/1/dashboards/', { key: secret })
      expect([persons.statusCode, projects.statusCode]).toEqual([200, 403])
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByText('Have you stored it?').waitFor()
      await page.getByRole('button', { name: 'Yes, close' }).click()
      await page.getByRole('cell', { name: 'Forgetting', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Show request' }).click()
      await page.getByRole('dialog', { name: 'Requests behind this screen' }).waitFor()
      expect(await page.content()).not.toContain(secret)
      await page.keyboard.press('Escape')
    })
    it('is rolled and deleted after a question', async () => {
      await app.call('POST', '/api/personal_api_keys/', { body: { label: 'Old one', scopes: ['person:read'] } })
      await open('/project/1/settings/user-api-keys')
      await page.getByRole('button', { name: 'Roll Old one' }).click()
      await page.getByRole('button', { name: 'Roll the key' }).click()
      await page.getByRole('dialog', { name: '“Old one” is ready' }).waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Yes, close' }).click()
      await page.getByRole('button', { name: 'Delete Old one' }).click()
      await page.getByRole('button', { name: 'Delete the key' }).click()
      await page.getByText('“Old one” is deleted').waitFor()
      await expect.poll(() => page.getByRole('cell', { name: 'Old one', exact: true }).count()).toBe(0)
    })
    it('is made after a proof when the sign-in is old', async () => {
      let isProved = false
      const refused = {
        type: 'authentication_error',
        code: 'recent_sign_in_required',
        detail: 'Sign in again.',
        attr: null,
      }
      await page.route('**/api/**', (route) => {
        if (route.request().url().endsWith('/api/login/')) isProved = true
        const isAsked = route.request().method() === 'POST' && !isProved
        return isAsked ? route.fulfill({ status: 403, json: refused }) : route.fallback()
      })
      await open('/project/1/settings/user-api-keys?do=new')
      await page.getByLabel('Name', { exact: true }).fill('Proved')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByRole('dialog', { name: 'Is it you?' }).waitFor()
      await look('proof')
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: '“Proved” is ready' }).waitFor()
    })
  })

  describe('keys of the keyboard', () => {
    it('go, help, change the theme, and can be switched off', async () => {
      await open('/project/1/start')
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await page.getByRole('heading', { name: 'My account' }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.getByText('Go to API keys').waitFor()
      await look('help')
      await page.keyboard.press('Escape')
      await page.keyboard.press('t')
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light')
      await page.getByRole('switch', { name: 'Single keys are shortcuts' }).click()
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('t')
      await page.keyboard.press('?')
      expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('switch', { name: 'Single keys are shortcuts' }).click()
    })
    it('do everything by the palette', async () => {
      await open('/project/1/start')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: /^Search screens/ })
      await field.fill('rec')
      await page.getByRole('option', { name: /^Recording/ }).waitFor()
      await look('palette')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Session recording' }).waitFor()
      await page.keyboard.press('Control+k')
      await field.fill('nothing like this')
      await page.getByText('Nothing by these words.').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    })
    it('reach the content first', async () => {
      await open('/project/1/start')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('main')
    })
  })

  it('a phone has a drawer', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await open('/project/1/start')
    await page.getByRole('button', { name: 'Menu' }).click()
    await look('phone-drawer')
    await page.getByRole('dialog').getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('goes on when the browser has translated the page', async () => {
    await open('/project/1/settings/project')
    const translate = () =>
      page.evaluate(`{
        const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
        const texts = []
        while (walker.nextNode()) texts.push(walker.currentNode)
        for (const text of texts) {
          const font = document.createElement('font')
          text.replaceWith(font)
          font.append(text.textContent.toUpperCase())
        }
      }`)
    await translate()
    await page.getByLabel('NAME', { exact: true }).fill('Translated')
    await page.getByRole('button', { name: 'SAVE' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await translate()
    await page.getByRole('link', { name: 'FIRST EVENT' }).click()
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('pip install posthog').waitFor()
    await translate()
    await page.getByRole('tab', { name: 'CURL' }).click()
    await page.getByRole('link', { name: 'API KEYS' }).click()
    await page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
  })

  it('an unknown address, and an unknown project, say so', async () => {
    await open('/project/1/nonsense')
    await page.getByText('There is nothing at this address').waitFor()
    await look('not-found')
    await open('/project/99/start')
    await page.getByText('There is nothing at this address').waitFor()
  })

  describe('a server', () => {
    it('that is away is told, and found again', async () => {
      await open('/project/1/start')
      await browser.context.setOffline(true)
      await page.getByText('The server cannot be reached. Trying again…').waitFor()
      await look('offline')
      await browser.context.setOffline(false)
      await expect.poll(() => page.getByText('The server cannot be reached').count()).toBe(0)
    })
    it('that is busy is asked again when it says so', async () => {
      let times = 0
      pretence.instead = async (route) => {
        times += 1
        const body = { type: 'server_error', code: 'overloaded', detail: 'Too busy.', attr: null }
        if (times <= 2) return route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: body })
        return route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${ROOT_KEY}` } })
      }
      await page.goto(`${address}/project/1/settings/user-api-keys`)
      await page.getByText(/The server is busy\. Asking again in [12] s\./).waitFor()
      await page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
      expect(await page.getByText('The server is busy').count()).toBe(0)
    })
    it('with another build of the app offers to load it', async () => {
      await open('/project/1/start')
      await page.route('**/static/app/build.json', (route) => route.fulfill({ json: { build: 'another' } }))
      await page.evaluate("window.dispatchEvent(new Event('online'))")
      await page.getByText('There is a new version of Hedgerow.').waitFor()
      await page.getByRole('button', { name: 'Reload' }).waitFor()
    })
  })
})
