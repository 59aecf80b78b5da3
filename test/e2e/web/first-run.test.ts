/**
 * The first run of the real program, by the keyboard alone: the link of a start, a password, the screen that waits for an
 * event, and the real posthog-js in another tab that sends it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser.ts'
import { openShop, type Shop } from '../../support/browser/shop.ts'
import { type Running, removeFolder, start, tempFolder } from '../../support/program.ts'
import { focused, tabTo } from '../../support/web/keyboard.ts'
import { keepPicture } from '../../support/web/pictures.ts'
import { watchedPage } from '../../support/web/watched-page.ts'
import { inABrowser } from '../../support/web/web-app.ts'

const TOKEN = 'phc_e2e_first_run_0123456789'

describe.skipIf(noBrowser !== null)(`the first run ${inABrowser}`, () => {
  let folder: string
  let server: Running
  let browser: TestBrowser
  let shop: Shop

  beforeAll(async () => {
    folder = tempFolder()
    server = await start(folder, { env: { HEDGEROW_PROJECT_TOKEN: TOKEN } })
    shop = await openShop(() => server.url, TOKEN, { defaults: '2025-05-24' })
    // The SDK does nothing in a browser that looks automated.
    browser = await openBrowser({ asVisitor: true })
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.close()
    await server?.stop()
    removeFolder(folder)
  })

  it('leads from the link of a start to the first event, without a mouse', async () => {
    const link = readFileSync(join(folder, 'setup-link'), 'utf8').trim()
    expect(server.stdout()).toContain('setup-link')
    expect(link.startsWith(`${server.url}/setup#`)).toBe(true)
    const { page, problems } = await watchedPage(browser.context, server.url)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set up Hedgerow' }).waitFor()
    expect(await focused(page)).toEqual({ name: 'Your name', isSeen: true })
    await page.keyboard.type('Ann')
    await tabTo(page, 'Password')
    await page.keyboard.type('correct horse battery')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'First event' }).waitFor()
    await page.getByText('Waiting for the first event…').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await keepPicture(page, 'first-run-waiting')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toEqual({ name: 'Skip to the content', isSeen: true })
    await page.keyboard.press('Enter')
    await tabTo(page, 'Browser')
    await page.keyboard.press('ArrowLeft')
    await page.getByText('// the rest stays as it is').waitFor()
    expect(await focused(page)).toEqual({ name: 'I have posthog-js already', isSeen: true })
    expect(await page.getByRole('tabpanel').innerText()).toContain(`posthog.init('${TOKEN}'`)

    const visitor = await browser.context.newPage()
    await visitor.goto(shop.url)
    await visitor.waitForFunction('window.posthog.__loaded')
    await visitor.evaluate("posthog.capture('hedge bought')")
    await page.getByText('It works: events arrive.').waitFor()
    await visitor.close()
    await keepPicture(page, 'first-run-arrived')

    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    await page.getByRole('cell', { name: 'link', exact: true }).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  it('is over then: the link is used, its file is gone, and the project is no longer an empty one', async () => {
    await expect.poll(() => existsSync(join(folder, 'setup-link'))).toBe(false)
    const { page } = await watchedPage(browser.context, server.url)
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.close()
  })
})
