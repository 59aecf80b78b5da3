/** How soon the web app shows something, on a browser that has nothing of it yet. */
import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser/browser.ts'
import { startServer } from '../child.ts'
import { type Figure, inTurns } from '../figure.ts'
import { tempFolder } from '../temp-folder.ts'

const ROUNDS = 15
/** Resolves when the browser has painted a text or a picture. */
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint')
    if (entry) resolve(entry.startTime)
  }).observe({ type: 'paint', buffered: true })
})`

async function paintMs(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
  await page.goto(url)
  return (await page.evaluate(FIRST_PAINT)) as number
}

export const firstPaint: Figure = {
  name: 'first paint of the app over a page of text',
  bar: { atMost: 2 },
  async measure() {
    const server = await startServer(tempFolder())
    const browser = await openBrowser()
    try {
      const page = await browser.context.newPage()
      const at = (path: string) => paintMs(page, `http://127.0.0.1:${server.port}${path}`)
      // That page has some words and no style sheet or script.
      const round = async (): Promise<[number, number]> => [await at('/login'), await at('/unsubscribe')]
      const { ratio, ours, theirs } = await inTurns(ROUNDS, round)
      return { ratio, from: `${Math.round(ours)} ms over ${Math.round(theirs)} ms, median of ${ROUNDS} rounds` }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}
