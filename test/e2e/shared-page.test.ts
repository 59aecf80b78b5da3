/** The page of a share in a browser: long recordings, several windows, passwords, frames, and what it must not do. */
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../support/app.ts'
import { noBrowser, openBrowser, type TestBrowser } from '../support/browser/browser.ts'
import { openShop, type Shop } from '../support/browser/shop.ts'
import { click, node, pageOf, type Rrweb, saying, sendRecorded } from '../support/replay/hand-made-recording.ts'

/** The reason for skipping is in its name. */
const inABrowser = noBrowser === null ? 'in a browser' : `in a browser (skipped: ${noBrowser})`
const REPLAY = '.replayer-wrapper > iframe'
const MINUTE = 60_000
/** In the page: keys of the blocks that it asks for, first those before there is a frame to see. */
const COUNT_BLOCKS = `
  window.asked = [[], []]
  const load = window.fetch
  window.fetch = (input, init) => {
    const range = new URL(String(input)).searchParams
    const text = document.querySelector('${REPLAY}')?.contentDocument?.querySelector('h1')?.textContent
    for (let key = Number(range.get('start_blob_key')); key <= Number(range.get('end_blob_key') ?? -1); key++)
      window.asked[text ? 1 : 0].push(key)
    return load(input, init)
  }
`

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
      expect(await page.locator('.rr-timeline__time').last().innerText()).toBe('59:31')
      letGo()
      await shows(page, 'step 1')
      const keys = asked.flatMap((range) => range.split('-').map(Number))
      expect(Math.max(...keys)).toBeLessThan(STEPS / 2)
      await page.close()
    })
    it('goes where the address says', async () => {
      const page = await open(`/shared/${token}?t=3005`)
      await shows(page, 'step 100')
      expect(await page.locator('.rr-timeline__time').first().innerText()).toMatch(/^50:/)
      await page.close()
    })
    it('goes where the visitor clicks, also to what has not been read, and back', async () => {
      const page = await open(`/shared/${token}`)
      await shows(page, 'step 0')
      const bar = page.locator('.rr-progress')
      const width = (await bar.boundingBox())?.width ?? 0
      await bar.click({ position: { x: width * (40.5 / 119), y: 5 } })
      await shows(page, 'step 40')
      await bar.click({ position: { x: width * (10.5 / 119), y: 5 } })
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
    const clickAt = async (page: Page, step: number) => {
      const bar = page.locator('.rr-progress')
      const width = (await bar.boundingBox())?.width ?? 0
      await bar.click({ position: { x: width * ((step + 0.5) / (STEPS - 1)), y: 5 } })
    }

    it('begins close to where the address says, with few blocks, at its full length', async () => {
      const { page, asked } = await openAt(59 * 60)
      await shows(page, 'step 118')
      const [before, after] = await asked()
      expect(before.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThanOrEqual(4)
      expect(Math.min(...before, ...after)).toBe(110)
      expect(await page.locator('.rr-timeline__time').first().innerText()).toMatch(/^59:/)
      expect(await page.locator('.rr-timeline__time').last().innerText()).toBe('59:31')
      await page.close()
    })
    it('goes back to what comes before, and forth again', async () => {
      const { page, asked } = await openAt(59 * 60)
      await shows(page, 'step 118')
      await clickAt(page, 93)
      await shows(page, 'step 93')
      expect(Math.min(...(await asked()).flat())).toBeGreaterThanOrEqual(80)
      await clickAt(page, 2)
      await shows(page, 'step 2')
      await clickAt(page, 115)
      await shows(page, 'step 115')
      await clickAt(page, 57)
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
    expect(await page.locator('.rr-timeline__time').last().innerText()).toBe('00:04')
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
      await page.getByText('00:05').first().waitFor()
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
