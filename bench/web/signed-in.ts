/** A page of the app for somebody who is signed in, and when something is there to be seen in it. */
import type { Page } from 'playwright-core'
import { openBrowser, type TestBrowser } from '../../test/support/browser/browser.ts'
import { API_KEY, type RunningServer } from '../child.ts'

const addressOf = ({ port }: RunningServer): string => `http://127.0.0.1:${port}`

/** Signs in by the bench's key. */
async function signIn({ context }: TestBrowser, server: RunningServer): Promise<void> {
  const answer = await fetch(`${addressOf(server)}/api/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ personal_api_key: API_KEY }),
  })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1)
  const [name = '', value = ''] = cookie.split('=')
  if (!answer.ok || value === '') throw new Error(`Not signed in: ${answer.status}`)
  await context.addCookies([{ name, value, url: addressOf(server) }])
}

/** Of one server; cookies do not tell ports apart. */
export async function signedInPage(server: RunningServer): Promise<{ page: Page; close(): Promise<void> }> {
  const browser = await openBrowser()
  await signIn(browser, server)
  return { page: await browser.context.newPage(), close: () => browser.close() }
}

/** Opens a path; milliseconds until an element is in the page, as the page itself counts them. */
export async function shownAfter(page: Page, server: RunningServer, path: string, selector: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(addressOf(server) + path, { waitUntil: 'commit' })
  return (await page.evaluate(`new Promise((resolve) => {
    const look = () =>
      document.querySelector(${JSON.stringify(selector)}) ? resolve(performance.now()) : requestAnimationFrame(look)
    look()
  })`)) as number
}
