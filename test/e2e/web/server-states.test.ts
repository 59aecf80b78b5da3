/** A server that fails, is slow, busy or away, has another version of the app, or none; and a browser without scripts. */
import { beforeEach, describe, expect, it } from 'vitest'
import { makeApp } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { keepPicture } from '../../support/web/pictures.ts'
import { answerWith, inABrowser, refusal, useWebApp } from '../../support/web/web-app.ts'

describe.skipIf(noBrowser !== null)(`a server ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  it('that fails is told with what its log knows it by, and asked again', async () => {
    web.wanted.push(/^500 GET /)
    const broken = refusal('server_error', 'error', 'A server error occurred.')
    await web.page.route('**/api/**', answerWith(500, broken, { 'x-request-id': 'test-1' }))
    await web.open('/project/1/settings/user-api-keys')
    await web.page.getByText('error · 500 · test-1').waitFor()
    await web.page.unrouteAll()
    await web.page.getByRole('button', { name: 'Try again' }).click()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
  })

  it('that fails while something is saved leaves what was typed', async () => {
    web.wanted.push(/^500 PATCH /)
    await web.open('/project/1/settings/project')
    await web.page.getByLabel('Name', { exact: true }).fill('Typed')
    await web.page.route('**/api/**', answerWith(500, refusal('server_error', 'error', 'A server error occurred.')))
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByRole('alert').waitFor()
    expect(await web.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed')
    await web.page.unrouteAll()
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByText('Saved', { exact: true }).waitFor()
  })

  it('that is slow is waited for, and told after a while', async () => {
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await web.page.route('**/api/personal_api_keys/**', async (route) => {
      await held
      await route.continue()
    })
    await web.page.goto(`${web.address}/project/1/settings/user-api-keys`)
    await web.page.getByText('This takes longer than usual…').waitFor()
    await web.look('slow')
    answer()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    await expect.poll(() => web.page.getByText('This takes longer than usual…').count()).toBe(0)
  })

  it('that is away is told, and found again', async () => {
    await web.open('/project/1/start')
    await web.context.setOffline(true)
    await web.page.getByText('The server cannot be reached. Trying again…').waitFor()
    await web.look('offline')
    await web.context.setOffline(false)
    await expect.poll(() => web.page.getByText('The server cannot be reached').count()).toBe(0)
  })

  it('that is busy is asked again when it says so', async () => {
    web.wanted.push(/^503 GET /)
    let times = 0
    const busy = answerWith(503, refusal('server_error', 'overloaded', 'Too busy.'), { 'retry-after': '2' })
    await web.page.route('**/api/**', (route) => {
      times += 1
      return times <= 2 ? busy(route) : route.continue()
    })
    await web.page.goto(`${web.address}/project/1/settings/user-api-keys`)
    await web.page.getByText(/The server is busy\. Asking again in [12] s\./).waitFor()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    expect(await web.page.getByText('The server is busy').count()).toBe(0)
  })

  it('with another build of the app offers to load it', async () => {
    await web.open('/project/1/start')
    await web.page.route('**/static/app/build.json', (route) => route.fulfill({ json: { build: 'another' } }))
    await web.page.evaluate("window.dispatchEvent(new Event('online'))")
    await web.page.getByText('There is a new version of Hedgerow.').waitFor()
    await web.look('new-version')
    await web.page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => web.page.getByText('There is a new version').count()).toBe(0)
  })

  it('says to a browser without JavaScript that it is needed', async () => {
    // Chromium shows nothing of <noscript> as long as scripts are only kept from running: it gets what is in there.
    await web.page.route('**/login', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(
        /<script [^>]*src=[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g,
        '',
      )
      await route.fulfill({ response, body: body.replaceAll('noscript>', 'noscript-shown>') })
    })
    await web.page.goto(`${web.address}/login`)
    const words = web.page.getByText('The web app needs JavaScript', { exact: false })
    await words.waitFor()
    await keepPicture(web.page, 'no-javascript')
    expect((await words.boundingBox())?.y).toBeLessThan(400)
  })

  it('without the app has none of its pages, and takes a key as ever', async () => {
    const without = await makeApp({ env: { HEDGEROW_WEB_APP: 'off' } })
    const address = await without.server.listen({ host: '127.0.0.1', port: 0 })
    const page = await web.context.newPage()
    await page.goto(address)
    await page.getByText('The web app is switched off', { exact: false }).waitFor()
    expect((await page.goto(`${address}/login`))?.status()).toBe(404)
    expect((await without.call('GET', '/api/projects/1/')).statusCode).toBe(200)
    await page.close()
    await without.end()
  })
})
