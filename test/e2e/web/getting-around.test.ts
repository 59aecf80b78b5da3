/** Getting around: addresses, keys, the palette, the theme, screens on a wall and on a phone, and translated pages. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PROJECT_TOKEN } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

/** What a browser's translator does: each text is in an element that nobody has made. */
const TRANSLATE = `{
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    const font = document.createElement('font')
    text.replaceWith(font)
    font.append(text.textContent.toUpperCase())
  }
}`

describe.skipIf(noBrowser !== null)(`getting around ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())
  const theme = () => web.page.locator('html').getAttribute('data-theme')

  it('keeps the language of the snippet in the address, which goes back and forth', async () => {
    await web.open('/project/1/start')
    await web.page.getByRole('tab', { name: 'Python' }).click()
    await expect.poll(() => web.page.url()).toContain('?lang=python')
    await web.page.getByText('pip install posthog').waitFor()
    await web.page.keyboard.press('ArrowRight')
    await expect.poll(() => web.page.url()).toContain('?lang=curl')
    await web.page.goBack()
    await web.page.getByText('pip install posthog').waitFor()
    await web.page.reload()
    await web.page.getByText('pip install posthog').waitFor()
  })

  it('falls back where an address is broken, and says so', async () => {
    await web.open('/project/1/start?lang=cobol&x=1')
    await web.page.getByText('The address has parts that this screen does not understand: “x”, “lang”.').waitFor()
    await web.page.getByText('npm install posthog-js').waitFor()
    await web.look('broken-address')
    for (const path of ['/project/1/nonsense', '/project/99/start', '/project/phc_unknown/start']) {
      await web.open(path)
      await web.page.getByText('There is nothing at this address').waitFor()
    }
    await web.look('not-found')
    await web.open(`/project/${PROJECT_TOKEN}/settings/project`)
    await web.page.getByRole('heading', { name: 'General' }).waitFor()
  })

  it('has keys that go, help and change the theme, and can be switched off', async () => {
    await web.open('/project/1/start')
    await web.page.keyboard.press('g')
    await web.page.keyboard.press('a')
    await web.page.getByRole('heading', { name: 'My account' }).waitFor()
    await web.page.keyboard.press('?')
    await web.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await web.page.getByText('Go to API keys').waitFor()
    await web.page.getByRole('row', { name: 'u Undo, as long as it is offered' }).waitFor()
    await web.look('help')
    await web.page.keyboard.press('Escape')
    await web.page.getByRole('switch', { name: 'Single keys are shortcuts' }).click()
    await web.page.getByRole('heading', { level: 1 }).click()
    await web.page.keyboard.press('t')
    await web.page.keyboard.press('?')
    expect(await theme()).toBe('system')
    expect(await web.page.getByRole('dialog').count()).toBe(0)
    await web.page.getByRole('switch', { name: 'Single keys are shortcuts' }).click()
  })

  it('reaches the content first', async () => {
    await web.open('/project/1/start')
    await web.page.keyboard.press('Tab')
    await web.page.keyboard.press('Enter')
    expect(await web.page.evaluate('document.activeElement.id')).toBe('main')
  })

  it('does everything by the palette: screens, other projects, commands', async () => {
    const other = (await web.app.call('POST', '/api/projects/', { body: { name: 'Vineyard' } })).json()
    await web.open('/project/1/start')
    await web.page.keyboard.press('Control+k')
    const field = web.page.getByRole('combobox', { name: /^Search screens/ })
    await field.fill('rec')
    await web.page.getByRole('option', { name: /^Recording/ }).waitFor()
    await web.look('palette')
    await web.page.keyboard.press('Enter')
    await web.page.getByRole('heading', { name: 'Session recording' }).waitFor()
    await web.page.keyboard.press('Control+k')
    await field.fill('vine')
    await web.page.keyboard.press('Enter')
    await web.page.waitForURL(`**/project/${other.id}/settings/project-replay`)
    await web.page.getByRole('button', { name: 'Project: Vineyard' }).click()
    await web.look('project-switcher')
    await web.page.keyboard.press('Escape')
    await web.page.keyboard.press('Control+k')
    await field.fill('nothing like this')
    await web.page.getByText('Nothing by these words.').waitFor()
    await web.page.keyboard.press('Escape')
    await expect.poll(() => web.page.getByRole('dialog').count()).toBe(0)
  })

  it('keeps the theme with the user', async () => {
    const kept = async () => (await web.app.call('GET', '/api/users/@me/')).json().theme_mode
    await web.open('/project/1/start')
    for (const [next, stored] of [
      ['light', 'light'],
      ['dark', 'dark'],
      ['system', null],
    ]) {
      await web.page.keyboard.press('t')
      await expect.poll(theme).toBe(next)
      await expect.poll(kept).toBe(stored)
      await web.page.reload()
      expect(await theme()).toBe(next)
      await web.settled()
    }
  })

  it('has a theme and a frame by the address, which stay from screen to screen', async () => {
    await web.open('/project/1/start?theme=dark&kiosk=1')
    await web.look('kiosk')
    expect(await web.page.getByRole('navigation').count()).toBe(0)
    expect(await web.page.getByRole('banner').count()).toBe(0)
    await web.page.getByRole('tab', { name: 'Python' }).click()
    await web.page.waitForURL('**/start?lang=python&theme=dark&kiosk=1')
    await web.page.keyboard.press('g')
    await web.page.keyboard.press('k')
    await web.page.waitForURL('**/settings/user-api-keys?theme=dark&kiosk=1')
    await web.page.reload()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    expect(await theme()).toBe('dark')
    await web.page.keyboard.press('Control+k')
    await web.page.getByRole('combobox').fill('show menu')
    await web.page.keyboard.press('Enter')
    await web.page.getByRole('navigation').waitFor()
    await web.page.keyboard.press('t')
    await expect.poll(() => web.page.url()).toMatch(/user-api-keys$/)
    await web.page.keyboard.press('t')
    await web.page.keyboard.press('t')
  })

  it('has a drawer on a phone', async () => {
    await web.page.setViewportSize({ width: 360, height: 740 })
    await web.open('/project/1/start')
    await web.page.getByRole('button', { name: 'Menu' }).click()
    await web.look('phone-drawer')
    await web.page.getByRole('dialog').getByRole('link', { name: 'API keys' }).click()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    expect(await web.page.getByRole('dialog').count()).toBe(0)
  })

  it('goes on when the browser has translated the page', async () => {
    await web.open('/project/1/settings/project')
    await web.page.evaluate(TRANSLATE)
    await web.page.getByLabel('NAME', { exact: true }).fill('Translated')
    await web.page.getByRole('button', { name: 'SAVE' }).click()
    await web.page.getByText('Saved', { exact: true }).waitFor()
    await web.page.evaluate(TRANSLATE)
    await web.page.getByRole('link', { name: 'FIRST EVENT' }).click()
    await web.page.getByRole('tab', { name: 'Python' }).click()
    await web.page.getByText('pip install posthog').waitFor()
    await web.page.evaluate(TRANSLATE)
    await web.page.getByRole('tab', { name: 'CURL' }).click()
    await web.page.getByRole('link', { name: 'API KEYS' }).click()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
  })
})
