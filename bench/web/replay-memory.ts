/** What a tab holds after an hour of replay was read, all of it, and gone through from end to start. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { startServer } from '../child.ts'
import type { Figure } from '../figure.ts'
import { tempFolder } from '../temp-folder.ts'
import { POSITION, record, seek } from './replay-start.ts'
import { shownAfter, signedInPage } from './signed-in.ts'

const MB = 1_048_576
const GOAL_MB = 300
const LATE = 59 * 60 + 50

interface Held {
  /** Of all scripts in the tab, the frame's too, without what nobody refers to any more. */
  heapMb: number
  /** Of the browser's process for the tab, without what it shares with others, such as the program itself. */
  ownMb: number
}

/** From /proc: what the process alone has in memory. */
function ownBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].reduce((sum, [, kb]) => sum + Number(kb) * 1_024, 0)
}

/** The process of the tab is the largest that the browser has for pages. */
async function tabBytes(page: Page): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The browser does not tell of its processes.')
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ownBytes(id)))
}

async function heldBy(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  return { heapMb: heap / MB, ownMb: (await tabBytes(page)) / MB }
}

/** Until the band beside the position says that everything has been read. */
const readToTheEnd = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const style = document.querySelector('${POSITION}').previousElementSibling.lastElementChild?.style
      const read = style ? Number.parseFloat(style.left) + Number.parseFloat(style.width) : 0
      return read > 99.9 ? resolve() : requestAnimationFrame(look)
    }
    look()
  })`)

const said = ({ heapMb, ownMb }: Held): string =>
  `${Math.round(ownMb)} MB, of which scripts hold ${Math.round(heapMb)} MB`

export const replayMemory: Figure = {
  name: `memory of a tab after an hour of replay over ${GOAL_MB} MB`,
  bar: { atMost: 1 },
  async measure(say) {
    const server = await startServer(tempFolder())
    const { page, close } = await signedInPage(server)
    try {
      const session = await record(server, 60, say)
      await shownAfter(page, server, `/project/1/replay/${session}?skip=off`, POSITION)
      const before = await heldBy(page)
      await page.keyboard.press('Space')
      await seek(page, LATE)
      await readToTheEnd(page)
      const late = await heldBy(page)
      say(`at the end ${said(late)}`)
      await seek(page, 1)
      const after = await heldBy(page)
      const most = Math.max(late.ownMb, after.ownMb)
      return {
        ratio: most / GOAL_MB,
        from: `at the end ${said(late)}; at the start again ${said(after)}; before ${said(before)}`,
      }
    } finally {
      await close()
      await server.stop()
    }
  },
}
