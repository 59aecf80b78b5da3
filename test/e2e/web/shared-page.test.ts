/** The page of a share in a browser: long recordings, several windows, passwords, frames, and what it must not do. */
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { askedOf } from '../../support/asked-of-server.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser.ts'
import { openShop, type Shop } from '../../support/browser/shop.ts'
import { openStranger, type Stranger } from '../../support/browser/stranger.ts'
import { COUNT_BLOCKS } from '../../support/replay/count-blocks.ts'
import { click, node, pageOf, type Rrweb, saying, sendRecorded } from '../../support/replay/hand-made-recording.ts'
import { added, type Hostile, hostileChanges, hostileNodes } from '../../support/replay/hostile-nodes.ts'
import { inABrowser } from '../../support/web/web-app.ts'

const REPLAY = '.replayer-wrapper > iframe'
const MINUTE = 60_000
describe.skipIf(noBrowser !== null)(`the shared page ${inABrowser}`, () => {
  let app: TestApp
  let address: string
  let browser: TestBrowser
  let other: Shop
  let sessions = 0
  let start: number

  beforeAll(async () => {
    app = await makeApp()
    address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
    other = await openShop(() => address, 'unused')
    start = app.clock.now() - 60 * MINUTE
  })
  afterAll(async () => {
    await browser?.close()
    await other?.close()
    await app.end()
  })

  const sharing = (session: string) => `/api/environments/1/session_recordings/${session}/sharing/`
  const share = async (session: string, body: object = {}) =>
    (await app.call('PATCH', sharing(session), { body: { enabled: true, ...body } })).json().access_token as string
  const addPassword = (session: string, raw_password: string) =>
    app.call('POST', `${sharing(session)}passwords/`, { body: { raw_password } })
  /** A recording of these blocks; returns its session. */
  async function record(...blocks: (Rrweb[] | { windowId: string; events: Rrweb[] })[]): Promise<string> {
    const sessionId = `session-${++sessions}`
    for (const block of blocks) {
      await sendRecorded(app, { sessionId, ...(Array.isArray(block) ? { events: block } : block) })
    }
    return sessionId
  }
  const replayOf = (page: Page | FrameLocator): FrameLocator => page.frameLocator(REPLAY)
  const shows = (page: Page | FrameLocator, text: string) =>
    replayOf(page).getByRole('heading', { name: text, exact: true }).waitFor()
  const position = (page: Page) => page.getByRole('slider', { name: 'Position' })
  /** By the slider, in seconds from the start. */
  const goTo = (page: Page, seconds: number) => position(page).fill(String(seconds))
  async function open(path: string): Promise<Page> {
    const page = await browser.context.newPage()
    await page.goto(address + path)
    return page
  }

  describe('with an hour of a recording', () => {
    const STEPS = 120
    let token: string
    beforeAll(async () => {
      const steps = Array.from({ length: STEPS }, (_, step) => {
        const at = start + step * (MINUTE / 2)
        return [...(step === 0 ? pageOf(at, 'step 0') : [saying(at, `step ${step}`)]), click(at + 1_000)]
      })
      token = await share(await record(...steps))
    })

    it('shows the first frame before the rest is there, at its full length', async () => {
      const page = await browser.context.newPage()
      const asked: string[] = []
      let letGo: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      await page.route(/\/snapshots\//, async (route) => {
        const range = new URL(route.request().url()).searchParams
        if (range.has('source')) asked.push(`${range.get('start_blob_key')}-${range.get('end_blob_key')}`)
        if (range.has('source') && range.get('start_blob_key') !== '0') await held
        await route.continue()
      })
      await page.goto(`${address}/shared/${token}`)
      await shows(page, 'step 0')
      expect(asked[0]).toBe('0-1')
      expect(asked.length).toBeLessThan(3)
      expect(await page.locator('.length').innerText()).toBe('59:31')
      letGo()
      await shows(page, 'step 1')
      const keys = asked.flatMap((range) => range.split('-').map(Number))
      expect(Math.max(...keys)).toBeLessThan(STEPS / 2)
      await page.close()
    })
    it('goes where the address says', async () => {
      const page = await open(`/shared/${token}?t=3005`)
      await shows(page, 'step 100')
      expect(await page.locator('.time').innerText()).toMatch(/^50:/)
      await page.close()
    })
    it('goes where the slider is moved, also to what has not been read, and back', async () => {
      const page = await open(`/shared/${token}`)
      await shows(page, 'step 0')
      await goTo(page, 40 * 30 + 5)
      await shows(page, 'step 40')
      await goTo(page, 10 * 30 + 5)
      await shows(page, 'step 10')
      await page.close()
    })
    it('goes on without a part that cannot be loaded, and says so', async () => {
      const page = await browser.context.newPage()
      await page.route(/\/snapshots\/.*start_blob_key/, (route) => {
        const range = new URL(route.request().url()).searchParams
        const [first, last] = [Number(range.get('start_blob_key')), Number(range.get('end_blob_key'))]
        return first <= 3 && last >= 3 ? route.fulfill({ status: 404 }) : route.continue()
      })
      await page.goto(`${address}/shared/${token}?t=130`)
      await shows(page, 'step 4')
      await page.getByText('Parts of this recording are missing.').waitFor()
      await page.close()
    })
  })

  describe('with an hour of a recording that has a full snapshot every five minutes', () => {
    const STEPS = 120
    const EVERY = 10
    let session: string
    let token: string
    beforeAll(async () => {
      const steps = Array.from({ length: STEPS }, (_, step) => {
        const at = start + step * (MINUTE / 2)
        const shown = step % EVERY === 0 ? pageOf(at, `step ${step}`) : [saying(at, `step ${step}`)]
        return [...shown, click(at + 1_000)]
      })
      session = await record(...steps)
      token = await share(session, { settings: { showInspector: true } })
    })
    /** Keys of the blocks that the page asks for, before and after there is something to see. */
    async function openAt(seconds: number): Promise<{ page: Page; asked: () => Promise<[number[], number[]]> }> {
      const page = await browser.context.newPage()
      await page.addInitScript(COUNT_BLOCKS)
      await page.goto(`${address}/shared/${token}?t=${seconds}`)
      return { page, asked: () => page.evaluate('window.asked') }
    }
    const goToStep = (page: Page, step: number) => goTo(page, step * 30 + 5)

    it('begins close to where the address says, with few blocks, at its full length', async () => {
      const { page, asked } = await openAt(59 * 60)
      await shows(page, 'step 118')
      const [before, after] = await asked()
      expect(before.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThanOrEqual(4)
      expect(Math.min(...before, ...after)).toBe(110)
      expect(await page.locator('.time').innerText()).toMatch(/^59:/)
      expect(await page.locator('.length').innerText()).toBe('59:31')
      await page.close()
    })
    it('goes back to what comes before, and forth again', async () => {
      const { page, asked } = await openAt(59 * 60)
      await shows(page, 'step 118')
      await goToStep(page, 93)
      await shows(page, 'step 93')
      expect(Math.min(...(await asked()).flat())).toBeGreaterThanOrEqual(80)
      await goToStep(page, 2)
      await shows(page, 'step 2')
      await goToStep(page, 115)
      await shows(page, 'step 115')
      await goToStep(page, 57)
      await shows(page, 'step 57')
      const keys = (await asked()).flat()
      expect(keys.toSorted((a, b) => a - b)).toEqual(Array.from({ length: STEPS }, (_, key) => key))
      const entries = await page.locator('.inspector button').allInnerTexts()
      expect(entries[0]).toBe('0:00 https://shop.example/')
      expect(entries.filter((text) => text.endsWith(' Click'))).toHaveLength(STEPS)
      await page.close()
    })
    it('reads on before the start when it is near', async () => {
      const { page, asked } = await openAt(25 * 60 + 5)
      await shows(page, 'step 50')
      await expect.poll(async () => Math.min(...(await asked()).flat())).toBe(40)
      await shows(page, 'step 51')
      await page.close()
    })
    it('begins at the beginning where blocks do not say what they have', async () => {
      const page = await browser.context.newPage()
      await page.route(/\/snapshots\/[^=]*$/, async (route) => {
        const { sources } = (await (await route.fetch()).json()) as { sources: object[] }
        await route.fulfill({ json: { sources: sources.map((source) => ({ ...source, full_snapshots: null })) } })
      })
      await page.goto(`${address}/shared/${token}?t=1000`)
      await shows(page, 'step 33')
      await page.close()
    })
  })

  describe('with a minute in which nobody does anything', () => {
    const at = (seconds: number) => start + seconds * 1_000
    let token: string
    beforeAll(async () => {
      const session = await record([
        ...pageOf(at(0), 'before'),
        click(at(1)),
        saying(at(61), 'after'),
        click(at(61.5)),
        click(at(3_661)),
        saying(at(3_661), 'an hour later'),
        click(at(3_670)),
      ])
      token = await share(session)
    })
    const time = async (page: Page) => Number(await position(page).inputValue())
    const skipping = (page: Page) => page.getByLabel('Skip idle time')

    it('skips it, however long it is, and begins again after the end', async () => {
      const page = await open(`/shared/${token}`)
      await shows(page, 'an hour later')
      await page.getByRole('button', { name: 'Play' }).waitFor()
      expect(await page.locator('.time').innerText()).toBe('1:01:10')
      await skipping(page).uncheck()
      await page.getByRole('button', { name: 'Play' }).click()
      await shows(page, 'before')
      await page.close()
    })
    it('plays it when it is told to', async () => {
      const page = await open(`/shared/${token}`)
      await skipping(page).uncheck()
      await goTo(page, 1_800)
      await shows(page, 'after')
      await expect.poll(() => time(page)).toBeGreaterThan(1_805)
      expect(await time(page)).toBeLessThan(3_000)
      await page.close()
    })
    it('obeys the keyboard', async () => {
      const page = await open(`/shared/${token}`)
      await position(page).waitFor()
      await page.keyboard.press('s')
      expect(await skipping(page).isChecked()).toBe(false)
      await goTo(page, 20)
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Play' }).waitFor()
      const before = await time(page)
      await page.keyboard.press('ArrowRight')
      expect(await time(page)).toBeCloseTo(before + 10, 0)
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      expect(await time(page)).toBeCloseTo(Math.max(0, before - 10), 0)
      await page.keyboard.press('.')
      await page.keyboard.press('.')
      expect(await page.getByRole('combobox', { name: 'Speed' }).inputValue()).toBe('4')
      await position(page).focus()
      await page.keyboard.press('End')
      await expect.poll(() => time(page)).toBeGreaterThan(3_600)
      await page.close()
    })
  })

  it('shows the window that the visitor is in, also when it was drawn before another', async () => {
    const at = (seconds: number) => start + seconds * 1_000
    const session = await record(
      [...pageOf(at(0), 'first window'), click(at(1))],
      { windowId: 'w2', events: [...pageOf(at(300), 'second window'), click(at(301))] },
      [saying(at(302), 'first window, changed'), click(at(303))],
      [click(at(330)), click(at(360))],
    )
    const page = await open(`/shared/${await share(session)}?t=310`)
    await shows(page, 'first window, changed')
    await page.close()
  })

  it('starts at the first full snapshot when the beginning is missing', async () => {
    const lost = [saying(start, 'lost'), click(start + 100)]
    const session = await record(lost, [...pageOf(start + 5_000, 'found'), click(start + 6_000), click(start + 9_000)])
    const page = await open(`/shared/${await share(session)}`)
    await shows(page, 'found')
    expect(await page.locator('.length').innerText()).toBe('0:04')
    await page.close()
  })
  it('follows the visitor from window to window', async () => {
    const session = await record(
      [...pageOf(start, 'first window'), click(start + 500)],
      { windowId: 'w2', events: pageOf(start + 800, 'second window') },
      { windowId: 'w2', events: [saying(start + 900, 'second window, changed'), click(start + 1_500)] },
      [saying(start + 1_000, 'first window, changed'), click(start + 4_000), click(start + 6_000)],
    )
    const page = await open(`/shared/${await share(session)}`)
    await shows(page, 'first window')
    await shows(page, 'second window, changed')
    await shows(page, 'first window, changed')
    await page.close()
  })
  it('says so when there is nothing to play', async () => {
    const page = await open(`/shared/${await share(await record([saying(start, 'alone'), click(start + 100)]))}`)
    await page.getByText('There is nothing to play in this recording yet.').waitFor()
    await page.close()
  })
  it('lists what happened, and goes there', async () => {
    const log = (timestamp: number, level: string, text: string) => ({
      type: 6,
      timestamp,
      data: { plugin: 'rrweb/console@1', payload: { level, trace: [], payload: [JSON.stringify(text), '{"a":1}'] } },
    })
    const session = await record([
      ...pageOf(start, 'before'),
      click(start + 1_000),
      log(start + 40_000, 'error', 'it has thorns'),
      saying(start + 40_000, 'after'),
      click(start + 50_000),
    ])
    const page = await open(`/shared/${await share(session, { settings: { showInspector: true, theme: 'dark' } })}`)
    await shows(page, 'before')
    const list = page.locator('.inspector button')
    expect(await list.allInnerTexts()).toEqual([
      '0:00 https://shop.example/',
      '0:01 Click',
      '0:40 it has thorns {"a":1}',
      '0:50 Click',
    ])
    // Active at its first click and at its end, idle between.
    expect(await page.locator('.band').getAttribute('style')).toMatch(
      /accent\) 2% 2\.25%.*line\) 2\.25% 99\.75%.*accent\) 99\.75% 100%/,
    )
    await list.nth(3).click()
    await shows(page, 'after')
    await page.close()
  })

  describe('with nodes that no browser can draw', () => {
    const text = (id: number, textContent: string) => ({ type: 3, id, textContent })
    const ODD: Record<string, unknown[]> = {
      CDATA: [{ type: 4, id: 20, textContent: 'cdata' }],
      'a tag name with a sign': [node(20, 'a:b@c', [text(21, 'odd')])],
      'a tag name that is a number': [node(20, '123', [text(21, 'odd')])],
      'an empty tag name': [node(20, '', [text(21, 'odd')])],
      'attribute names that are none': [node(20, 'p', [text(21, 'odd')], { '"': 'x', '9 <b': 'y', '@click': 'z' })],
      'a drawing with odd names': [{ ...node(20, 'svg', [{ ...node(21, 'xml:x y', []), isSVG: true }]), isSVG: true }],
      'a custom element that cannot be one': [{ ...node(20, 'font-face', []), isCustom: true }],
      'a shadow root on an image': [{ ...node(20, 'img', [node(21, 'b', [])]), isShadowHost: true }],
      'media that are none': [node(20, 'div', [], { rr_mediaState: 'played', rr_mediaVolume: 9 })],
      'nodes that are none': [null, {}, 'x', { type: 2, id: 20, tagName: 'p' }, { type: 99, id: 21 }],
      'a document within a document': [{ type: 0, id: 20, childNodes: [{ type: 1, id: 21, name: '<' }] }],
    }

    it.each(Object.entries(ODD))('plays all the others: %s', async (_name, odd) => {
      const session = await record([
        ...pageOf(start, 'still there', [...odd, node(40, 'h2', [text(41, 'and after it')])]),
        click(start + 1_000),
        saying(start + 1_500, 'and goes on'),
        click(start + 5_000),
      ])
      const page = await open(`/shared/${await share(session)}`)
      await shows(page, 'still there')
      await shows(page, 'and after it')
      await shows(page, 'and goes on')
      await page.close()
    })
    it('plays all the others: added while it was recorded, in place of one another', async () => {
      const added = Object.values(ODD).map((nodes, index) => ({
        type: 3,
        timestamp: start + 1_000 + index,
        data: {
          source: 0,
          texts: [],
          attributes: [{ id: 6, attributes: { '<': 'x', '9': 'y' } }],
          removes: [],
          adds: nodes.map((one) => ({ parentId: 5, nextId: null, node: one })),
        },
      }))
      const session = await record([
        ...pageOf(start, 'before'),
        click(start + 500),
        ...added,
        saying(start + 1_500, 'after all of them'),
        click(start + 5_000),
      ])
      const page = await open(`/shared/${await share(session)}`)
      await shows(page, 'after all of them')
      await page.close()
      const later = await open(`/shared/${await share(session)}?t=4`)
      await shows(later, 'after all of them')
      await later.close()
    })
  })

  describe('with a recording that is full of malice', () => {
    let stranger: Stranger
    let asked: string[]
    beforeAll(async () => {
      stranger = await openStranger()
      asked = askedOf(app)
    })
    afterAll(() => stranger?.close())

    const runs = 'top.fallen = 1; parent.fallen = 1'
    const ofUs: Hostile = { runs, at: (kind) => `/recorded/${kind}` }
    const ofOthers: Hostile = { runs, at: (kind) => `${stranger.url}/${kind}` }
    const harmful = () => [...hostileNodes(ofUs, 100), ...hostileNodes(ofOthers, 400)]
    const changes = (at: number) => [...hostileChanges(ofUs, at, 700), ...hostileChanges(ofOthers, at + 100, 720)]

    it.each(['at the start', 'added later'])('asks nobody for anything: %s', async (when) => {
      const first =
        when === 'at the start'
          ? pageOf(start, 'ill', harmful())
          : [...pageOf(start, 'ill'), added(start + 200, harmful())]
      const session = await record([...first, ...changes(start + 500), click(start + 1_000), click(start + 5_000)])
      const pages = browser.context.pages().length
      const page = await open(`/shared/${await share(session)}`)
      await shows(page, 'ill')
      await page.getByText('0:05').first().waitFor()
      await page.getByRole('button', { name: 'Play' }).waitFor()
      // Whoever goes there by the keyboard asks for nothing either.
      const links = replayOf(page).getByText('A link', { exact: true })
      expect(await links.count()).toBe(2)
      for (const link of await links.all()) await link.press('Enter')
      expect(await page.evaluate('window.fallen')).toBeUndefined()
      expect(asked.filter((path) => path.startsWith('/recorded/'))).toEqual([])
      expect(stranger.came).toEqual([])
      expect(page.context().pages()).toHaveLength(pages + 1)
      await page.close()
    })
  })

  describe('with a malicious recording', () => {
    const image = () =>
      node(10, 'img', [], { src: `${other.url}/logo.svg`, onerror: 'top.fallen = 1', onload: 'top.fallen = 1' })
    const script = node(11, 'script', [{ type: 3, id: 12, textContent: 'top.fallen = 1' }], {})
    const frame = () => node(13, 'iframe', [], { src: `${other.url}/frame-of-recording` })
    const ill = () =>
      record([...pageOf(start, 'ill', [image(), script, frame()]), click(start + 1_000), click(start + 5_000)])

    it('runs nothing of it and loads nothing from elsewhere', async () => {
      const page = await browser.context.newPage()
      const answered: string[] = []
      page.on('response', (response) => void answered.push(response.url()))
      await page.goto(`${address}/shared/${await share(await ill())}`)
      await shows(page, 'ill')
      await page.getByText('0:05').first().waitFor()
      expect(await page.evaluate('window.fallen')).toBeUndefined()
      expect(answered.filter((url) => !url.startsWith(`${address}/`) && !/^(?:data|about|blob):/.test(url))).toEqual([])
      expect(other.asked).toEqual([])
      expect(await page.locator(REPLAY).getAttribute('sandbox')).toBe('allow-same-origin')
      await page.close()
    })
    it('loads its images when the share says so, and nothing more', async () => {
      const page = await browser.context.newPage()
      const image = page.waitForResponse(`${other.url}/logo.svg`)
      await page.goto(`${address}/shared/${await share(await ill(), { settings: { loadRemote: true } })}`)
      expect(await (await image).request().allHeaders()).not.toHaveProperty('referer')
      await shows(page, 'ill')
      expect(other.asked).toEqual(['/logo.svg'])
      expect(await page.evaluate('window.fallen')).toBeUndefined()
      await page.close()
    })
  })

  describe('in a frame on another site', () => {
    const framed = async (path: string): Promise<Page> => {
      const page = await browser.context.newPage()
      await page.goto(`${other.url}/frame?${encodeURIComponent(address + path)}`)
      return page
    }
    const plain = () => record([...pageOf(start, 'framed'), click(start + 1_000), click(start + 5_000)])

    it('plays when it is the page for embedding', async () => {
      const page = await framed(`/embedded/${await share(await plain())}`)
      await shows(page.frameLocator('iframe'), 'framed')
      await page.close()
    })
    it('is refused otherwise', async () => {
      const page = await browser.context.newPage()
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
      const token = await share(await plain())
      await page.goto(`${other.url}/frame?${encodeURIComponent(`${address}/shared/${token}`)}`)
      await refused
      await page.close()
    })
    it('asks for the password there, and plays', async () => {
      const session = await plain()
      const token = await share(session, { password_required: true })
      await addPassword(session, 'correct horse')
      const page = await framed(`/embedded/${token}`)
      const frame = page.frameLocator('iframe').first()
      await frame.getByLabel('Password').fill('correct horse')
      await frame.getByRole('button', { name: 'Open' }).click()
      await shows(frame, 'framed')
      await page.close()
    })
  })

  describe('the frame of the web app', () => {
    const at = (seconds: number) => start + seconds * 1_000
    const request = { entryType: 'resource', name: 'https://shop.example/cart', responseStatus: 500, duration: 812.4 }
    const network = (timestamp: number) => ({
      type: 6,
      timestamp,
      data: { plugin: 'rrweb/network@1', payload: { requests: [{ ...request, method: 'POST', timestamp }, null, {}] } },
    })
    let source: string
    beforeAll(async () => {
      const forging = node(20, 'img', [], { src: 'x', onerror: 'parent.postMessage({do: "pause"}, "*")' })
      const session = await record(
        [...pageOf(at(0), 'first', [forging]), click(at(1)), network(at(2))],
        [...pageOf(at(300), 'second'), click(at(301)), click(at(330))],
      )
      source = `${address}/api/projects/1/session_recordings/${session}/snapshots/?sharing_access_token=${await share(session)}`
    })

    /** A page of the app with the frame in it; what the frame reports is kept there. */
    async function openFrame(command: object): Promise<Page> {
      const page = await open('/login')
      await page.evaluate(
        `window.reports = []
        window.addEventListener('message', ({ data, source }) => {
          window.reports.push(data)
          if (data.is === 'ready') source.postMessage(${JSON.stringify(command)}, location.origin)
        })
        const frame = document.createElement('iframe')
        frame.sandbox = 'allow-scripts allow-same-origin'
        frame.width = 800
        frame.height = 600
        frame.src = '/player-frame?theme=dark'
        document.body.replaceChildren(frame)`,
      )
      return page
    }
    const opening = (t = '') => ({ do: 'open', source, start: at(0), at: t })
    const reports = (page: Page, is: string): Promise<Record<string, unknown>[]> =>
      page.evaluate(`window.reports.filter((report) => report.is === '${is}')`)
    const tell = (page: Page, command: object) =>
      page.evaluate(`frames[0].postMessage(${JSON.stringify(command)}, location.origin)`)
    const lastState = async (page: Page) => (await reports(page, 'state')).at(-1)?.state as Record<string, unknown>

    it('does as the app tells it, and reports what there is to show', async () => {
      const page = await openFrame(opening('300'))
      const frame = page.frameLocator('iframe').first()
      await shows(frame, 'second')
      expect(await reports(page, 'open')).toEqual([{ is: 'open', start: at(0), end: at(330) }])
      await tell(page, { do: 'pause' })
      await expect.poll(() => lastState(page)).toMatchObject({ isPlaying: false })
      await tell(page, { do: 'seek', time: at(1), count: 7 })
      await shows(frame, 'first')
      await expect
        .poll(() => lastState(page))
        .toEqual({
          time: at(1),
          isPlaying: false,
          isWaiting: false,
          isSkipping: false,
          windowId: 'w1',
        })
      expect((await reports(page, 'state')).at(-1)).toMatchObject({ seeks: 7 })
      const entries = (await reports(page, 'entries')).at(-1)
      expect(entries?.anew).toBe(true)
      const place = { windowId: 'w1', width: 800, height: 600 }
      expect(entries?.entries).toEqual([
        { kind: 'page', timestamp: at(0), text: 'https://shop.example/', ...place },
        { kind: 'click', timestamp: at(1), text: 'Click' },
        { kind: 'request', timestamp: at(2), text: request.name, method: 'POST', status: 500, milliseconds: 812.4 },
        { kind: 'page', timestamp: at(300), text: 'https://shop.example/', ...place },
        { kind: 'click', timestamp: at(301), text: 'Click' },
        { kind: 'click', timestamp: at(330), text: 'Click' },
      ])
      await page.close()
    })
    it('obeys nobody else', async () => {
      const page = await openFrame(opening())
      const frame = page.frameLocator('iframe').first()
      await expect.poll(() => reports(page, 'open')).toHaveLength(1)
      await tell(page, { do: 'skip', skips: false })
      await tell(page, { do: 'seek', time: at(1), count: 1 })
      await shows(frame, 'first')
      const inside = page.frames().find((one) => one.url().includes('/player-frame'))
      await inside?.evaluate(`window.postMessage({ do: 'pause' }, location.origin)`)
      // Answered after it, as messages keep their order.
      await tell(page, { do: 'seek', time: at(300), count: 2 })
      await shows(frame, 'second')
      expect(await lastState(page)).toMatchObject({ isPlaying: true })
      await page.close()
    })
    it('tells when it cannot play, and is in no frame of another site', async () => {
      const page = await openFrame({ ...opening(), source: `${source}x` })
      await expect.poll(() => reports(page, 'problem')).toHaveLength(1)
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
      await page.goto(`${other.url}/frame?${encodeURIComponent(`${address}/player-frame`)}`)
      await refused
      await page.close()
    })
  })

  it('asks for a password, reports a wrong one, and plays after the right one, also when loaded again', async () => {
    const session = await record([...pageOf(start, 'secret'), click(start + 1_000), click(start + 5_000)])
    const token = await share(session, { password_required: true })
    await addPassword(session, 'correct horse')
    const page = await open(`/shared/${token}?t=2`)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Incorrect password').waitFor()
    await page.getByLabel('Password').fill('correct horse')
    await page.getByRole('button', { name: 'Open' }).click()
    await shows(page, 'secret')
    expect(page.url()).toBe(`${address}/shared/${token}?t=2`)
    await page.reload()
    await shows(page, 'secret')
    await page.close()
  })
})
