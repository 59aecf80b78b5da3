/** The screen of a recording, as a test drives it, and recordings to be watched there. */
import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { PROJECT_TOKEN } from '../app.ts'
import { click, pageOf, type Rrweb, sendRecorded } from '../replay/hand-made-recording.ts'
import type { WebApp } from './web-app.ts'

const consoleLine = (timestamp: number, level: string, text: string): Rrweb => ({
  type: 6,
  timestamp,
  data: { plugin: 'rrweb/console@1', payload: { level, trace: [], payload: [JSON.stringify(text)] } },
})

const request = (timestamp: number, name: string, responseStatus: number): Rrweb => ({
  type: 6,
  timestamp,
  data: {
    plugin: 'rrweb/network@1',
    payload: { requests: [{ name, method: 'POST', responseStatus, duration: 812, timestamp }] },
  },
})

interface Recorded {
  session: string
  /** The time of a second of it. */
  at: (second: number) => number
}

export interface ReplayPage {
  /** Nothing is skipped, so that what is to be seen stays for minutes. */
  pathOf: (session: string, search?: string) => string
  /** The page that was recorded. */
  recorded: () => FrameLocator
  shows: (text: string) => Promise<void>
  rows: () => ReturnType<Page['getByRole']>
  position: () => ReturnType<Page['getByRole']>
  seconds: () => Promise<number>
  /** It stands still after it. */
  pause: () => Promise<void>
  /** Five minutes: a page, another one after four minutes, an error and a request that failed. */
  record: (more?: unknown[]) => Promise<Recorded>
  /** A recording of these blocks, whose times are from the start. */
  recordBlocks: (blocks: (start: number) => Rrweb[][]) => Promise<Recorded>
}

export function replayPage(web: WebApp): ReplayPage {
  const recorded = (): FrameLocator => web.page.frameLocator('iframe').frameLocator('.replayer-wrapper > iframe')
  const position = () => web.page.getByRole('slider', { name: 'Position' })
  async function recordBlocks(blocks: (start: number) => Rrweb[][], minutes = 10): Promise<Recorded> {
    const start = web.app.clock.now() - minutes * 60_000
    const session = uuidV7(start)
    for (const events of blocks(start)) await sendRecorded(web.app, { sessionId: session, events })
    return { session, at: (second) => start + second * 1_000 }
  }
  return {
    pathOf: (session, search = '') => `/project/1/replay/${session}?skip=off${search}`,
    recorded,
    shows: (text) => recorded().getByRole('heading', { name: text, exact: true }).waitFor(),
    rows: () => web.page.getByRole('table', { name: 'What happened' }).getByRole('row'),
    position,
    seconds: async () => Number(await position().inputValue()),
    async pause() {
      await web.page.keyboard.press('Space')
      await web.page.getByRole('button', { name: 'Play' }).waitFor()
    },
    recordBlocks,
    async record(more = []) {
      const recorded = await recordBlocks((start) => [
        [...pageOf(start, 'The shop', more), click(start + 1_000), click(start + 3_000)],
        [
          ...pageOf(start + 240_000, 'The till'),
          request(start + 241_000, 'https://shop.example/api/cart', 500),
          consoleLine(start + 242_000, 'error', 'cart is null'),
          click(start + 243_000),
          click(start + 300_000),
        ],
      ])
      const event = {
        api_key: PROJECT_TOKEN,
        event: 'order failed',
        distinct_id: 'visitor',
        timestamp: new Date(recorded.at(244)).toISOString(),
        properties: { $session_id: recorded.session, $pathname: '/cart' },
      }
      const answer = await web.app.call('POST', '/i/v0/e/', { key: null, body: event })
      expect(answer.statusCode).toBe(200)
      return recorded
    },
  }
}
