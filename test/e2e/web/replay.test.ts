/** A recording in the app: it plays in its frame, begins where a link says, lists what happened, and obeys the keyboard. */

import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { click, pageOf, sendRecorded } from '../../support/replay/hand-made-recording.ts'
import { replayPage } from '../../support/web/replay-page.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

describe.skipIf(noBrowser !== null)(`a replay ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  const { pathOf, shows, rows, position, seconds, pause, record } = replayPage(web)

  it('plays, is seen then, and lists what happened', async () => {
    const { session } = await record()
    await web.open(pathOf(session))
    await shows('The shop')
    await expect.poll(seconds).toBeGreaterThan(1)
    await web.page.getByRole('button', { name: 'Pause' }).click()
    for (const text of ['order failed', 'cart is null', '/api/cart']) await rows().filter({ hasText: text }).waitFor()
    await web.look('replay')
    await expect
      .poll(async () => (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/`)).json().viewed)
      .toBe(true)
    await web.page.getByRole('tab', { name: 'Network' }).click()
    await rows().filter({ hasText: 'POST · 500 · 812 ms' }).waitFor()
    await expect.poll(() => rows().filter({ hasText: 'order failed' }).count()).toBe(0)
    await web.page.getByRole('tab', { name: 'All' }).click()
    await web.page.getByRole('searchbox', { name: 'Search what happened' }).fill('null')
    await expect.poll(() => rows().count()).toBe(2)
    await rows()
      .getByRole('link', { name: /Go to 4:02/ })
      .click()
    await shows('The till')
    await expect.poll(seconds).toBeCloseTo(242, 0)
    const save = async (kind: string): Promise<string> => {
      const [download] = await Promise.all([
        web.page.waitForEvent('download'),
        web.page.getByRole('button', { name: kind }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${session}.${kind.toLowerCase()}`)
      return readFileSync(await download.path(), 'utf8')
    }
    expect(JSON.parse(await save('JSON'))).toMatchObject([{ kind: 'error', seconds: 242, text: 'cart is null' }])
    expect((await save('CSV')).trim().split('\r\n')).toHaveLength(2)
  })

  it('shows in a band where the visitor was active, as far as it has been read', async () => {
    const { session, at } = await record()
    await web.open(pathOf(session, '&t=241'))
    await shows('The till')
    await pause()
    const drawn = `[...document.querySelector('[aria-label="Position"]').previousElementSibling.children]`
    await expect.poll(() => web.page.evaluate(`${drawn}.length`)).toBeGreaterThan(4)
    const parts = (await web.page.evaluate(`${drawn}.map((part) => {
      const [from, length] = [part.style.left, part.style.width].map((share) => (Number.parseFloat(share) / 100) * 300)
      return { from, to: from + length, isActive: part.className.includes('active') }
    })`)) as { from: number; to: number; isActive: boolean }[]
    const isActiveAt = (second: number) => parts.find(({ from, to }) => from <= second && second < to)?.isActive
    expect([1, 2, 3.2, 243.2, 299.8].map(isActiveAt)).toEqual([true, true, true, true, true])
    expect([5, 120, 239, 250, 290].map(isActiveAt)).toEqual([false, false, false, false, false])
    expect(parts.at(-1)?.to).toBeCloseTo((at(300) - at(0)) / 1_000, 5)
  })

  it('lists what a small filter leaves, by the clock that is wanted, and stays where somebody has scrolled to', async () => {
    const { session, at } = await record()
    await web.open(pathOf(session, '&t=241&clock=utc'))
    await shows('The till')
    await pause()
    const second = new Date(at(242)).toISOString().slice(11, 19)
    const link = web.page.getByRole('link', { name: `Go to ${second}: cart is null` })
    expect(new URL(String(await link.getAttribute('href'))).searchParams.get('t')).toBe('242')
    await web.page.getByLabel('Show', { exact: true }).selectOption('Errors')
    await expect.poll(() => rows().count()).toBe(3)
    await web.page.getByRole('tab', { name: 'Network' }).click()
    await web.page.getByText('is not recorded').waitFor()
    await web.page.getByLabel('Show', { exact: true }).selectOption('A second or more')
    await web.page.getByRole('heading', { name: 'Nothing of this kind' }).waitFor()
    await web.page.getByRole('tab', { name: 'Events' }).click()
    await rows().filter({ hasText: 'order failed' }).hover()
    await web.page.mouse.wheel(0, 40)
    await web.page.getByRole('button', { name: 'Back to now' }).click()
    await expect.poll(() => web.page.getByRole('button', { name: 'Back to now' }).count()).toBe(0)
    await web.page.getByRole('link', { name: 'Recordings with order failed' }).click()
    await web.page.getByRole('table', { name: 'Recordings' }).locator(`a[href$="/replay/${session}"]`).waitFor()
  })

  it('begins where the address says, in seconds or by a time of day, and copies such an address', async () => {
    const { session, at } = await record()
    await web.open(pathOf(session, '&t=241'))
    await shows('The till')
    await pause()
    await web.page.getByRole('button', { name: 'Copy link to this second' }).click()
    await web.page.getByText(/The link is copied|did not let/).waitFor()
    await web.open(pathOf(session, `&t=${encodeURIComponent(new Date(at(1)).toISOString())}`))
    await shows('The shop')
  })

  it('obeys the keyboard, and keeps how it plays in the address', async () => {
    const { session } = await record()
    await web.open(pathOf(session))
    await shows('The shop')
    await pause()
    const before = await seconds()
    await web.page.keyboard.press('ArrowRight')
    await expect.poll(seconds).toBeCloseTo(before + 10, 0)
    await web.page.keyboard.press('.')
    await expect.poll(() => new URL(web.page.url()).searchParams.get('speed')).toBe('2')
    await web.page.keyboard.press('6')
    await expect.poll(() => new URL(web.page.url()).searchParams.get('speed')).toBe('16')
    await web.page.keyboard.press('s')
    await expect.poll(() => web.page.getByLabel('Skip idle time').isChecked()).toBe(true)
    await web.page.reload()
    await position().waitFor()
    expect(await web.page.getByLabel('Speed').inputValue()).toBe('16')
  })

  it('goes by keys from one thing that happened to the next, frame by frame, and to the recording before', async () => {
    web.app.clock.advance(1_200_000)
    const { session: earlier } = await record()
    web.app.clock.advance(1_200_000)
    const { session } = await record()
    await web.open(pathOf(session))
    await shows('The shop')
    await pause()
    for (const text of ['order failed', '/api/cart']) await rows().filter({ hasText: text }).waitFor()
    await position().fill('0')
    await web.page.keyboard.press('Shift+ArrowRight')
    await expect.poll(seconds).toBe(1)
    await web.page.keyboard.press('Shift+ArrowRight')
    await expect.poll(seconds).toBe(3)
    await web.page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(seconds).toBe(1)
    await web.page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => position().getAttribute('aria-valuetext')).toMatch(/^0:01 of/)
    await expect.poll(async () => Number(await position().inputValue())).toBeCloseTo(1, 1)
    await web.page.getByText('https://shop.example/', { exact: true }).first().waitFor()
    await web.page.getByText('800 × 600').waitFor()
    await web.page.keyboard.press('i')
    await expect.poll(() => rows().count()).toBe(0)
    await web.page.keyboard.press('i')
    await expect.poll(() => rows().count()).toBeGreaterThan(2)
    await web.page.keyboard.press('p')
    await expect.poll(() => web.path()).toBe(`/project/1/replay/${earlier}`)
    await shows('The shop')
    await web.page.keyboard.press('n')
    await expect.poll(() => web.path()).toBe(`/project/1/replay/${session}`)
  })

  it('goes by keys from where the last one led, though the frame still tells of the one before', async () => {
    const { session } = await record()
    await web.open(pathOf(session))
    await shows('The shop')
    await pause()
    await position().fill('0')
    await expect.poll(() => rows().filter({ hasText: 'Click' }).count()).toBeGreaterThan(1)
    const shown = await web.page.evaluate(`new Promise((resolve) => {
      const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true, cancelable: true }))
      const position = () => Number(document.querySelector('[aria-label="Position"]').value)
      const told = []
      addEventListener('message', ({ data }) => {
        if (data.is !== 'state') return
        told.push(data.seeks)
        if (data.seeks === 2) press('ArrowLeft')
        if (data.seeks === 4) resolve({ told, seconds: position() })
      })
      press('ArrowRight')
      press('ArrowRight')
    })`)
    expect(shown).toEqual({ told: [2, 3, 4], seconds: 1 })
  })

  it('is played and paused by a click, which leaves the keys where they were; it pauses while nobody looks', async () => {
    const { session } = await record()
    await web.open(pathOf(session))
    await shows('The shop')
    const [play, pauses] = ['Play', 'Pause'].map((name) => web.page.getByRole('button', { name, exact: true }))
    await pauses?.waitFor()
    const box = await web.page.locator('iframe').boundingBox()
    await web.page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 40)
    await play?.waitFor()
    await web.page.keyboard.press('Space')
    await pauses?.waitFor()
    // No element of the recorded page can be reached by the keyboard either.
    expect(await web.page.locator('iframe').getAttribute('inert')).not.toBeNull()
    const frame = web.page.frames().find((one) => one.url().includes('/player-frame'))
    const hide = (isHidden: boolean) =>
      frame?.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await hide(true)
    await play?.waitFor()
    await hide(false)
    await pauses?.waitFor()
  })

  it('is not seen any more when somebody takes that back', async () => {
    const { session } = await record()
    const viewed = async () =>
      (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/`)).json().viewed
    await web.open(pathOf(session))
    await expect.poll(viewed).toBe(true)
    await web.page.getByRole('button', { name: 'Mark as not seen' }).click()
    await web.page.getByRole('button', { name: 'Mark as seen' }).waitFor()
    expect(await viewed()).toBe(false)
  })

  it('goes on where it was, with nothing listed twice, when images are to be loaded from the site', async () => {
    const { session } = await record()
    await web.open(pathOf(session, '&t=241'))
    await shows('The till')
    await pause()
    await rows().filter({ hasText: 'cart is null' }).waitFor()
    const listed = await rows().count()
    await web.page.getByLabel('Remote images').check()
    await expect.poll(() => web.page.locator('iframe').getAttribute('src')).toContain('remote=1')
    await shows('The till')
    await expect.poll(seconds).toBeGreaterThanOrEqual(241)
    await web.page.getByRole('button', { name: 'Play' }).waitFor()
    await expect.poll(() => rows().count()).toBe(listed)
  })

  it('is loaded as far as it goes by now while it is still being made', async () => {
    const { session, at } = await record()
    await web.open(pathOf(session, '&t=241'))
    await shows('The till')
    await sendRecorded(web.app, { sessionId: session, events: [...pageOf(at(400), 'The thanks'), click(at(401))] })
    await web.page.getByText('1:41 more was recorded meanwhile.').waitFor()
    await web.page.getByRole('button', { name: 'Load it' }).click()
    await expect.poll(async () => Number(await position().getAttribute('max'))).toBeCloseTo(401, 0)
    await expect.poll(seconds).toBeGreaterThanOrEqual(241)
  })

  it('is shared by a link that plays from a second on, with a password, until it is switched off', async () => {
    const { session } = await record()
    await web.open(pathOf(session, '&t=241'))
    await shows('The till')
    await pause()
    await web.page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('do')).toBe('share')
    const dialog = web.page.getByRole('dialog', { name: 'Share this recording' })
    await dialog.getByRole('switch', { name: 'Anybody with the link can watch it' }).click()
    await dialog.getByRole('switch', { name: /^Begin at 4:0/ }).click()
    await dialog.getByRole('switch', { name: 'With the list of what happened' }).click()
    const link = async () => String(await dialog.locator('code').first().textContent())
    await expect.poll(link).toMatch(/\/shared\/[\w-]+\?t=24\d$/)
    await web.look('share')
    const guest = await web.another()
    await guest.page.goto(await link())
    await guest.page
      .frameLocator('.replayer-wrapper > iframe')
      .getByRole('heading', { name: 'The till', exact: true })
      .waitFor()
    await dialog.getByRole('switch', { name: 'Only with a password' }).click()
    await dialog.getByText('There is no password yet: nobody can watch it.').waitFor()
    await dialog.getByLabel('Who it is for').fill('The agency')
    await dialog.getByRole('button', { name: 'Add the password' }).click()
    const password = await dialog.getByText('Copy it now').locator('code').textContent()
    await dialog.getByRole('row', { name: /The agency/ }).waitFor()
    await web.look('share-password')
    await guest.page.reload()
    await guest.page.getByLabel('Password').fill(String(password))
    await guest.page.keyboard.press('Enter')
    await guest.page.locator('.replayer-wrapper').waitFor()
    const before = await link()
    await dialog.getByRole('button', { name: 'Replace the link' }).click()
    await expect.poll(link).not.toBe(before)
    await dialog.getByRole('button', { name: 'Remove the password for The agency' }).click()
    await dialog.getByText('There is no password yet').waitFor()
    await dialog.getByRole('switch', { name: 'Anybody with the link can watch it' }).click()
    await expect.poll(() => dialog.locator('code').count()).toBe(0)
  })

  it('is deleted after a question, and is told to be deleted', async () => {
    const { session } = await record()
    web.wanted.push(/^4(?:04|10) GET .*session_recordings/)
    await web.open(pathOf(session))
    await shows('The shop')
    await web.page.getByRole('button', { name: 'Delete' }).click()
    await web.page.getByRole('button', { name: 'Delete the recording' }).click()
    await web.page.getByText('The recording is deleted').waitFor()
    await web.open(pathOf(session))
    await web.page.getByRole('heading', { name: 'This recording was deleted' }).waitFor()
    await web.look('replay-deleted')
  })
})
