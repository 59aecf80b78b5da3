/** A recording in the app: how soon there is something to see, however long it is, and how soon after a seek. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { uuidV7 } from '../../src/lib/ids.ts'
import { PROJECT_TOKEN, type RunningServer, startServer } from '../child.ts'
import { type Figure, inTurns } from '../figure.ts'
import { percentile } from '../percentile.ts'
import { makeSession, type RrwebEvent } from '../replay-session.ts'
import { tempFolder } from '../temp-folder.ts'
import { shownAfter, signedInPage } from './signed-in.ts'

const MINUTE = 60_000
/** A request of the SDK every six seconds. */
const EVERY_MS = 6_000
const ROUNDS = 7
/** 0:59:00 of the hour. */
const LATE = 59 * 60
const SEEKS = 40
export const POSITION = 'input[aria-label="Position"]'

/** The requests of so many minutes, each at its time. */
function requestsOf(minutes: number, start: number): RrwebEvent[][] {
  const wanted = (minutes * MINUTE) / EVERY_MS
  const requests: RrwebEvent[][] = []
  for (let seed = 1; requests.length < wanted; seed++) requests.push(...makeSession(seed, start))
  return requests.slice(0, wanted).map((events, place) => {
    const from = start + place * EVERY_MS
    const step = EVERY_MS / (events.length + 1)
    return events.map((event, n) => ({ ...event, timestamp: Math.round(from + n * step) }))
  })
}

export async function record(
  { port }: RunningServer,
  minutes: number,
  say: (progress: string) => void,
): Promise<string> {
  const start = Date.now() - minutes * MINUTE
  const session = uuidV7(start)
  for (const events of requestsOf(minutes, start)) {
    const properties = {
      token: PROJECT_TOKEN,
      distinct_id: 'jane',
      $session_id: session,
      $window_id: session,
      $snapshot_data: events,
      $lib: 'web',
    }
    const body = gzipSync(JSON.stringify([{ event: '$snapshot', uuid: uuidV7(Date.now()), properties }]))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await fetch(`http://127.0.0.1:${port}/s/`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`The recording was refused: ${answer.status} ${await answer.text()}`)
  }
  say(`a recording of ${minutes} minutes`)
  return session
}

/** Milliseconds until the player tells that it shows this second of the recording, and the app has drawn that. */
export const seek = async (page: Page, second: number): Promise<number> =>
  (await page.evaluate(`(async () => {
    const slider = document.querySelector('${POSITION}')
    const session = location.pathname.split('/').at(-1)
    const time = parseInt(session.replaceAll('-', '').slice(0, 12), 16) + ${second} * 1_000
    const since = performance.now()
    const shown = new Promise((resolve) => {
      const told = ({ data: { is, state } }) => {
        if (is !== 'state' || state.isWaiting || Math.abs(state.time - time) > 1_000) return
        removeEventListener('message', told)
        resolve()
      }
      addEventListener('message', told)
    })
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, '${second}')
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await shown
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - since
  })()`)) as number

export const replayStart: Figure = {
  name: 'first frame of an hour of replay over that of a minute',
  bar: { atMost: 2 },
  async measure(say) {
    const server = await startServer(tempFolder())
    const { page, close } = await signedInPage(server)
    try {
      const [hour, minute] = [await record(server, 60, say), await record(server, 1, say)]
      const open = (session: string, search = '') =>
        shownAfter(page, server, `/project/1/replay/${session}?skip=off${search}`, POSITION)
      const { ratio, ours, theirs } = await inTurns(ROUNDS, async () => [await open(hour), await open(minute)])
      const links: number[] = []
      for (let n = 0; n < ROUNDS; n++) links.push(await open(hour, `&t=${LATE}`))
      await open(hour)
      // What is on the way there is read, too.
      await seek(page, LATE)
      const seeks: number[] = []
      for (let n = 0; n < SEEKS; n++) seeks.push(await seek(page, 1 + ((n * 977) % LATE)))
      const shown = `${Math.round(ours)} ms over ${Math.round(theirs)} ms, median of ${ROUNDS} rounds`
      const link = `a link to 0:59:00 ${Math.round(percentile(links, 0.5))} ms`
      return { ratio, from: `${shown}; ${link}; seek in all of it p95 ${Math.round(percentile(seeks, 0.95))} ms` }
    } finally {
      await close()
      await server.stop()
    }
  },
}
