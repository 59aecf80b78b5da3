/** Live: events appear as they are stored; paused, hidden, filtered, and without the stream. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PROJECT_TOKEN } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { answerWith, inABrowser, refusal, useWebApp } from '../../support/web/web-app.ts'

const SCREEN = '/project/1/activity/live'

describe.skipIf(noBrowser !== null)(`live events ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  const send = async (event: string, distinct_id = 'jane@example.com', properties = {}) => {
    const body = { api_key: PROJECT_TOKEN, event, distinct_id, properties }
    expect((await web.app.call('POST', '/i/v0/e/', { key: null, body })).statusCode).toBe(200)
    // At most so many a second of the server's clock are told.
    web.app.clock.advance(1_000)
  }
  const arrived = (event: string) =>
    web.page.getByRole('list', { name: 'Events that arrived' }).getByRole('link', { name: event, exact: true })
  const isLive = () =>
    web.page.getByRole('region', { name: 'As they arrive' }).getByText('Live', { exact: true }).waitFor()
  const openLive = async (query = '') => {
    await web.open(SCREEN + query)
    await isLive()
  }
  const setHidden = (isHidden: boolean) =>
    web.page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
      document.dispatchEvent(new Event('visibilitychange'))
    })()`)

  it('appear when they arrive, with what was refused beside them', async () => {
    await openLive()
    await web.page.getByRole('heading', { name: 'Waiting for events…' }).waitFor()
    await send('order placed', 'jane@example.com', { $current_url: 'https://shop.example/cart?x=1' })
    await arrived('order placed').waitFor()
    await web.page.getByText('shop.example/cart').waitFor()
    await web.app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch: [{ event: 'no id' }] } })
    await web.page.getByText('missing distinct id').waitFor()
    await send('hedge trimmed')
    await arrived('hedge trimmed').waitFor()
    await web.look('live')
  })

  it('are those that match; back and reload keep the filter', async () => {
    await openLive()
    await web.page.getByLabel('Event', { exact: true }).fill('wanted')
    await web.page.keyboard.press('Enter')
    await expect.poll(() => new URL(web.page.url()).search).toBe('?event=wanted')
    await web.page.reload()
    await isLive()
    await send('unwanted')
    await send('wanted')
    await arrived('wanted').waitFor()
    expect(await arrived('unwanted').count()).toBe(0)
    await Promise.all([
      web.page.waitForResponse((response) => response.url().endsWith('/events/live/')),
      web.page.goBack(),
    ])
    await expect.poll(() => web.page.getByLabel('Event', { exact: true }).inputValue()).toBe('')
    await isLive()
    await send('anything')
    await arrived('anything').waitFor()
  })

  it('are not drawn while paused, nor while the tab is hidden', async () => {
    await openLive()
    await web.page.keyboard.press('p')
    await web.page.getByText('Paused', { exact: true }).first().waitFor()
    await send('while paused')
    await web.page.getByRole('button', { name: 'Go on' }).click()
    await isLive()
    await send('after the pause')
    await arrived('after the pause').waitFor()
    const [closed] = await Promise.all([
      web.page.waitForEvent('requestfailed', (request) => request.url().includes('/events/live/')),
      setHidden(true),
    ])
    expect(closed.resourceType()).toBe('eventsource')
    await send('while hidden')
    await Promise.all([
      web.page.waitForResponse((response) => response.url().includes('/events/live/')),
      setHidden(false),
    ])
    await isLive()
    await send('seen again')
    await arrived('seen again').waitFor()
    expect(await arrived('while paused').count()).toBe(0)
    expect(await arrived('while hidden').count()).toBe(0)
  })

  it('are asked for where there is no stream, and the screen says so', async () => {
    web.wanted.push(/^503 GET .*\/events\/live\/$/)
    await web.page.route('**/events/live/**', answerWith(503, refusal('server_error', 'unavailable')))
    await web.open(SCREEN)
    await web.page.getByText('Every 2 seconds').waitFor()
    await web.page.getByText('The server’s stream cannot be had').waitFor()
    await web.page.waitForResponse((response) => /\/events\/\?limit=50/.test(response.url()))
    await send('by asking')
    await arrived('by asking').waitFor()
    await web.look('live-polling')
  })
})
