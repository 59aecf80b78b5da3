/** Recordings that are unlike others: long, without a beginning, of an app, gone, or made to do harm. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { askedOf } from '../../support/asked-of-server.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { openStranger, type Stranger } from '../../support/browser/stranger.ts'
import { COUNT_BLOCKS } from '../../support/replay/count-blocks.ts'
import { click, pageOf, type Rrweb, saying, sendRecorded } from '../../support/replay/hand-made-recording.ts'
import { added, type Hostile, hostileChanges, hostileNodes } from '../../support/replay/hostile-nodes.ts'
import { makeSnapshot, send } from '../../support/replay/replay.ts'
import { replayPage } from '../../support/web/replay-page.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const HALF_A_MINUTE = 30_000
const DAY = 86_400_000
/** What a browser says of a video that it was not let load: which of them depends on when the player asks it to play. */
const VIDEO_REFUSED =
  /^error: (?:play\(\) failed|The element has no supported sources|Failed to load because no supported)/

describe.skipIf(noBrowser !== null)(`a replay ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())
  const { pathOf, recorded, shows, rows, position, seconds, pause, record, recordBlocks } = replayPage(web)
  const heading = (name: string) => web.page.getByRole('heading', { name }).waitFor()

  /** A block each half a minute, a full snapshot with every tenth. */
  const steps = (count: number) => (start: number) =>
    Array.from({ length: count }, (_, step): Rrweb[] => {
      const at = start + step * HALF_A_MINUTE
      return [...(step % 10 === 0 ? pageOf(at, `step ${step}`) : [saying(at, `step ${step}`)]), click(at + 1_000)]
    })
  const asked = (page: Page): Promise<[before: number[], after: number[]]> => {
    const frame = page.frames().find((one) => one.url().includes('/player-frame'))
    if (!frame) throw new Error('There is no frame.')
    return frame.evaluate('window.asked')
  }

  describe('of an hour', () => {
    let session: string
    beforeAll(async () => {
      session = (await recordBlocks(steps(120))).session
    })

    it('shows 0:59:00 after at most 4 blocks, from the full snapshot before it on', async () => {
      await web.page.addInitScript(COUNT_BLOCKS)
      await web.open(pathOf(session, `&t=${59 * 60}`))
      await shows('step 118')
      const [before, after] = await asked(web.page)
      expect(before.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThanOrEqual(4)
      expect(Math.min(...before, ...after)).toBe(110)
      expect(await seconds()).toBeGreaterThanOrEqual(59 * 60)
      expect(Number(await position().getAttribute('max'))).toBeCloseTo(119 * 30 + 1, 0)
    })

    it('goes back to what comes before, and forth again, and lists all of it once', async () => {
      await web.open(pathOf(session, `&t=${59 * 60}&tab=all&only=clicks`))
      await shows('step 118')
      await pause()
      for (const step of [93, 2, 115, 57]) {
        await position().fill(String(step * 30 + 5))
        await shows(`step ${step}`)
      }
      await expect
        .poll(() => web.page.getByRole('table', { name: 'What happened' }).getAttribute('aria-rowcount'))
        .toBe('121')
    })
  })

  it('of eight hours begins close to where a link says', async () => {
    const { session } = await recordBlocks(steps(960))
    await web.page.addInitScript(COUNT_BLOCKS)
    await web.open(pathOf(session, `&t=${8 * 3_600 - 60}`))
    await shows('step 958')
    const [before] = await asked(web.page)
    expect(before.length).toBeLessThanOrEqual(4)
    await web.page.getByText('7:59:31', { exact: true }).first().waitFor()
    await pause()
    await position().fill('5')
    await shows('step 0')
  })

  it('skips idle time, all of it, and nothing else', async () => {
    const { session, at } = await recordBlocks((start) => [
      [...pageOf(start, 'Before'), ...[1, 2, 3].map((second) => click(start + second * 1_000))],
      [click(start + 200_000), saying(start + 200_500, 'After'), click(start + 230_000)],
    ])
    await web.page.addInitScript(`window.seen = []
      if (top === window) addEventListener('message', ({ data }) => {
        if (data?.is === 'state' && !data.state.isWaiting) window.seen.push(data.state.time)
      })`)
    await web.open(`/project/1/replay/${session}`)
    await shows('After')
    const seen = ((await web.page.evaluate('window.seen')) as number[]).map((time) => (time - at(0)) / 1_000)
    const jump = seen.findIndex((second) => second > 100)
    // Nobody does anything from 3 s on; a second of it is left before the next click.
    expect(seen[jump - 1]).toBeGreaterThan(0)
    expect(seen[jump - 1]).toBeLessThan(100)
    expect(seen[jump]).toBeCloseTo(199, 2)
  })

  it('without a full snapshot says that nothing can be drawn, and lists what happened', async () => {
    const { session } = await recordBlocks((start) => [[saying(start, 'lost'), click(start + 100)]])
    await web.open(pathOf(session))
    await heading('It cannot be played')
    await web.page.getByText('No picture of a whole page has come').waitFor()
    await rows().filter({ hasText: 'Click' }).waitFor()
    await web.look('replay-no-picture')
    const at = web.app.clock.now() - 500_000
    await sendRecorded(web.app, { sessionId: session, events: [...pageOf(at, 'Found'), click(at + 60_000)] })
    await web.page.getByRole('button', { name: 'Try again' }).click()
    await shows('Found')
  })

  it('of a mobile app says what it is', async () => {
    const start = web.app.clock.now() - 60_000
    const session = uuidV7(start)
    const events = [{ type: 2, timestamp: start, data: { wireframes: [] } }, click(start + 1_000)] as never
    const properties = { $snapshot_source: 'mobile', $lib: 'posthog-ios' }
    await send(web.app, [makeSnapshot({ session, events, properties })])
    await web.open(pathOf(session))
    await heading('Recorded by a mobile app')
    expect(await web.page.locator('iframe').count()).toBe(0)
    await web.look('replay-mobile')
  })

  describe('that is malicious', () => {
    let other: Stranger
    let asked: string[]
    beforeAll(async () => {
      other = await openStranger()
      asked = askedOf(web.app)
    })
    afterAll(() => other?.close())

    const FALLEN = 'top.fallen = 1; parent.parent.fallen = 1; parent.fallen = 1'
    const FORGED = 'top.postMessage({ is: "problem", problem: "Forged" }, "*")'
    /** On this server, where the cookies of who watches lead, and elsewhere. */
    const ofUs: Hostile = { runs: `${FALLEN}; ${FORGED}`, at: (kind) => `/recorded/${kind}` }
    const ofOthers: Hostile = { runs: FALLEN, at: (kind) => `${other.url}/${kind}` }
    const harmful = () => [...hostileNodes(ofUs, 100), ...hostileNodes(ofOthers, 400)]
    const changes = (at: number) => [...hostileChanges(ofUs, at, 700), ...hostileChanges(ofOthers, at + 100, 720)]

    it.each(['at the start', 'added later'])('runs nothing, and asks nobody for anything: %s', async (when) => {
      const { session } = await recordBlocks((start) => {
        const page =
          when === 'at the start'
            ? pageOf(start, 'The shop', harmful())
            : [...pageOf(start, 'The shop'), added(start + 200, harmful())]
        return [[...page, ...changes(start + 500), click(start + 1_000), click(start + 60_000)]]
      })
      // What the browser keeps it from is told by its console. Nothing is answered, by this server neither.
      web.wanted.push(/^console: |^elsewhere: /, VIDEO_REFUSED)
      await web.page.goto(web.address + pathOf(session))
      await shows('The shop')
      await expect.poll(seconds).toBeGreaterThan(2)
      expect(await recorded().getByText('A script', { exact: true }).count()).toBe(2)
      // Scripts run in the app and in its player only: those are where something could have fallen.
      const ours = web.page.frames().filter((one) => one.url().startsWith(`${web.address}/p`))
      expect(ours).toHaveLength(2)
      for (const frame of ours) expect(await frame.evaluate('window.fallen')).toBeUndefined()
      expect(asked.filter((path) => path.startsWith('/recorded/'))).toEqual([])
      expect(other.came).toEqual([])
      expect(web.path()).toBe(`/project/1/replay/${session}`)
      expect(web.page.context().pages()).toHaveLength(1)
      expect(await web.page.getByText('Forged').count()).toBe(0)
    })

    it('is not believed when it says that it were the player', async () => {
      const { session } = await record()
      await web.open(pathOf(session))
      await shows('The shop')
      await web.page.evaluate(FORGED)
      await web.page.evaluate(`window.postMessage({ is: 'open', start: 0, end: 1e12 }, location.origin)`)
      await pause()
      expect(await web.page.getByText('Forged').count()).toBe(0)
      expect(Number(await position().getAttribute('max'))).toBeCloseTo(300, 0)
    })
  })

  describe('that is gone', () => {
    beforeEach(() => void web.wanted.push(/^4(?:04|10) GET .*session_recordings/))
    const remove = (session: string) => web.app.call('DELETE', `/api/projects/1/session_recordings/${session}/`)

    it('tells that it never was', async () => {
      await web.open(pathOf('unknown'))
      await heading('There is no such recording')
      await web.look('replay-unknown')
    })

    it('tells that it was deleted, also to who is looking at it', async () => {
      const { session } = await record()
      await web.open(pathOf(session))
      await shows('The shop')
      await remove(session)
      await position().fill('241')
      await heading('This recording was deleted')
      expect(await web.page.locator('iframe').count()).toBe(0)
      await web.page.reload()
      await heading('This recording was deleted')
    })

    it('tells that it has expired', async () => {
      const { session } = await record()
      web.app.clock.advance(31 * DAY)
      await web.enter()
      await web.page.clock.setFixedTime(web.app.clock.now())
      await web.open(pathOf(session))
      await heading('This recording has expired')
      await web.look('replay-expired')
    })
  })
})
