/** The list of people in the app: how soon its first rows are there, however many there are, and scrolling through all. */
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/lib/time/clock.ts'
import { DAY } from '../../src/lib/time/time.ts'
import { makePersons } from '../../test/support/persons/many-persons.ts'
import { type RunningServer, startServer } from '../child.ts'
import { type Figure, inTurns } from '../figure.ts'
import { openApp, PROJECT, propertiesOf } from '../seed.ts'
import { tempFolder } from '../temp-folder.ts'
import { shownAfter, signedInPage } from './signed-in.ts'

const MANY = 100_000
const FEW = 1_000
/** Persons of one transaction. */
const PORTION = 5_000
const ROUNDS = 11
const PATH = `/project/${PROJECT}/persons`
const FIRST_ROW = '[data-index="0"] [data-row]'

interface OpenList {
  server: RunningServer
  page: Page
  close(): Promise<void>
}

/** Persons with properties, as both stores know them, and the app for somebody who is signed in. */
async function openList(howMany: number, say: (progress: string) => void): Promise<OpenList> {
  const dataDir = tempFolder()
  const app = await openApp(dataDir)
  const since = systemClock.now() - 30 * DAY
  try {
    for (let from = 0; from < howMany; from += PORTION) {
      await makePersons(
        { stores: app.stores, clock: systemClock },
        {
          projectId: PROJECT,
          count: Math.min(PORTION, howMany - from),
          createdAt: (n) => since + from + n,
          properties: (n) => JSON.parse(propertiesOf(from + n)),
          name: `user-${from}`,
        },
      )
    }
  } finally {
    await app.close()
  }
  say(`${howMany.toLocaleString('en-US')} people`)
  const server = await startServer(dataDir)
  const { page, close } = await signedInPage(server).catch(async (error) => {
    await server.stop()
    throw error
  })
  const closeAll = async () => {
    await close()
    await server.stop()
  }
  return { server, page, close: closeAll }
}

const shown = ({ page, server }: OpenList) => shownAfter(page, server, PATH, FIRST_ROW)

export const peopleGrowth: Figure = {
  name: 'first rows of 100,000 people over those of 1,000',
  bar: { atMost: 2 },
  async measure(say) {
    const many = await openList(MANY, say)
    try {
      const few = await openList(FEW, say)
      try {
        const { ratio, ours, theirs } = await inTurns(ROUNDS, async () => [await shown(many), await shown(few)])
        return { ratio, from: `${Math.round(ours)} ms over ${Math.round(theirs)} ms, median of ${ROUNDS} rounds` }
      } finally {
        await few.close()
      }
    } finally {
      await many.close()
    }
  },
}

/** What browsers call a long task, and what one that scrolls begins to notice. */
const LONG_MS = 50
const MOST_ROWS = 60
/** The list rests as often, until the rows that are in sight then have come. */
const RESTS = 50
/** So far in one frame: all rows are others. */
const SCREENS = 4

interface Scrolled {
  /** The most that were in the page after a frame. */
  rows: number
  /** The number of the last row that came into sight. */
  last: number
  /** As the page's own observer counts it, with the time in which the task had no core. */
  longestTask: number
  seconds: number
}

const scrollThrough = (page: Page): Promise<Scrolled> =>
  page.evaluate(`(async () => {
    let longestTask = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration)
    })
    observer.observe({ type: 'longtask', buffered: false })
    const main = document.getElementById('main')
    const drawn = () => [...document.querySelectorAll('tbody tr')]
    let rows = 0
    const frame = async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      rows = Math.max(rows, drawn().length)
    }
    const isThere = (row) => row.querySelector('[data-row]') !== null
    const end = main.scrollHeight - main.clientHeight
    const since = performance.now()
    for (let rest = 1; rest <= ${RESTS}; rest++) {
      const to = Math.ceil((end * rest) / ${RESTS})
      while (main.scrollTop + 1 < to) {
        main.scrollTop = Math.min(to, main.scrollTop + ${SCREENS} * main.clientHeight)
        await frame()
      }
      do await frame()
      while (!drawn().every(isThere))
    }
    const last = Math.max(...drawn().map((row) => Number(row.dataset.index)))
    return { rows, last, longestTask, seconds: (performance.now() - since) / 1000 }
  })()`)

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of a core. */
  tdur?: number
  args: { name?: string }
}

/** Milliseconds of a core of the longest task of the page's thread: on a busy machine the time of the clock says little. */
function longestOf(events: TraceEvent[]): number {
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const main = new Set(named.map(thread))
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && main.has(thread(event)))
  if (tasks.length === 0) throw new Error('The browser told of no tasks.')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000
}

/** What the page did meanwhile, as the browser notes it. */
async function traced<T>(page: Page, run: () => Promise<T>): Promise<{ result: T; longest: number }> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: ['toplevel'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  const result = await run()
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  return { result, longest: longestOf(events) }
}

export const peopleScroll: Figure = {
  name: 'longest task over 50 ms, scrolling by 100,000 people',
  bar: { atMost: 1 },
  async measure(say) {
    const list = await openList(MANY, say)
    try {
      await shown(list)
      const { result, longest } = await traced(list.page, () => scrollThrough(list.page))
      const { rows, last, longestTask, seconds } = result
      if (last !== MANY - 1) throw new Error(`The list ends with row ${last}.`)
      if (rows > MOST_ROWS) throw new Error(`There are ${rows} rows in the page, more than ${MOST_ROWS}.`)
      const wall = longestTask === 0 ? 'none long by the clock' : `${Math.round(longestTask)} ms by the clock`
      const from = `${Math.round(longest)} ms of a core (${wall}); at most ${rows} rows in the page; ${Math.round(seconds)} s`
      return { ratio: longest / LONG_MS, from }
    } finally {
      await list.close()
    }
  },
}
