/** Events: the list with its filters and columns, pages both ways, one event as a whole, and one of a megabyte. */
import { beforeEach, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const SCREEN = '/project/1/activity/explore'
const SECOND = 1_000

describe.skipIf(noBrowser !== null)(`events ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  const row = (text: string) => web.page.getByRole('row').filter({ hasText: text })
  const rows = () => web.page.getByRole('table', { name: 'Events' }).locator('tbody tr')
  const dialog = (name: string) => web.page.getByRole('dialog', { name, exact: true })
  const parameter = (name: string) => new URL(web.page.url()).searchParams.get(name)
  const make = (event: string, properties = {}, ago = 60) =>
    makeEvents(web.app, [
      { event, distinctId: 'jane@example.com', timestamp: web.app.clock.now() - ago * SECOND, properties },
    ])

  it('are listed newest first; one opens, and its properties become a filter and a column', async () => {
    await makePerson(web.app, { distinctIds: ['jane@example.com'], properties: { email: 'jane@example.com' } })
    await make('order placed', { plan: 'paid', price: 129, $current_url: 'https://shop.example/cart' }, 30)
    await make('order placed', { plan: 'free' }, 60)
    await make('hedge trimmed', { plan: 'paid', tools: ['shears'] }, 90)
    await web.open(SCREEN)
    expect(await rows().locator('td:first-child').allInnerTexts()).toEqual([
      'order placed',
      'order placed',
      'hedge trimmed',
    ])
    await web.look('events')
    await row('shop.example/cart').getByRole('link', { name: 'order placed' }).click()
    await dialog('order placed').getByText('129').waitFor()
    expect(parameter('open')).toMatch(/^[\da-f-]{36}$/)
    await web.look('event')
    await dialog('order placed').getByRole('button', { name: 'plan as filter' }).click()
    await dialog('order placed').waitFor({ state: 'detached' })
    await expect.poll(() => rows().count()).toBe(2)
    expect(JSON.parse(parameter('properties') ?? '')).toEqual([
      { key: 'plan', value: 'paid', operator: 'exact', type: 'event' },
    ])
    await row('hedge trimmed').getByRole('link', { name: 'hedge trimmed' }).click()
    await dialog('hedge trimmed').getByRole('button', { name: 'plan as column' }).click()
    await web.page.getByRole('columnheader', { name: 'plan' }).waitFor()
    expect(parameter('columns')).toBe('plan')
    await web.page.reload()
    await row('hedge trimmed').getByRole('cell', { name: 'paid' }).waitFor()
    await web.look('events-filtered')
    await web.page.getByRole('button', { name: 'Remove plan = paid' }).click()
    await expect.poll(() => rows().count()).toBe(3)
    await web.page.goBack()
    await expect.poll(() => rows().count()).toBe(2)
    await web.page.goForward()
    await expect.poll(() => rows().count()).toBe(3)
  })

  it('are narrowed by name and time; what matches nothing says which filter to drop', async () => {
    await make('tree felled', {}, 2 * 86_400)
    await web.open(SCREEN)
    await web.page.getByLabel('Event', { exact: true }).fill('tree felled')
    await web.page.keyboard.press('Enter')
    await expect.poll(() => rows().count()).toBe(1)
    await web.page.getByLabel('When').selectOption('Last 24 hours')
    await web.page.getByRole('heading', { name: 'No event matches' }).waitFor()
    await web.look('events-nothing-matches')
    await web.page.getByRole('button', { name: 'last 24 hours' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    expect(new URL(web.page.url()).search).toBe('?event=tree+felled')
    await web.page.getByLabel('When').selectOption('Between two times…')
    await web.page.getByRole('heading', { name: 'No event matches' }).waitFor()
    await web.page.getByLabel('After, in your time zone').fill('2020-01-01T00:00')
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('come in pages, both ways', async () => {
    const at = web.app.clock.now()
    const many = Array.from({ length: 60 }, (_, i) => ({ event: 'leaf', distinctId: 'j', timestamp: at - i * SECOND }))
    await makeEvents(web.app, many)
    await web.open(`${SCREEN}?event=leaf`)
    await expect.poll(() => rows().count()).toBe(50)
    await web.page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => rows().count()).toBe(10)
    await web.page.reload()
    await expect.poll(() => rows().count()).toBe(10)
    await web.page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(() => rows().count()).toBe(50)
  })

  it('of a megabyte open, a little of them at a time; all is copied', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`property ${i}`, `value ${i}`]))
    await make('large', { ...many, note: 'x'.repeat(1_000_000) })
    await web.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await web.open(`${SCREEN}?event=large`)
    await row('large').getByRole('link', { name: 'large' }).click()
    const large = dialog('large')
    await large.getByText('Find among 3001 properties').waitFor()
    const drawn = async () => ((await large.textContent()) ?? '').length
    expect(await drawn()).toBeLessThan(20_000)
    await large.getByLabel('Find among').fill('note')
    await large.getByRole('button', { name: 'Show more, 999,600 characters are left' }).click()
    await large.getByText('979,600 characters are left').waitFor()
    await large.getByRole('tab', { name: 'JSON' }).click()
    await large.getByRole('button', { name: 'Copy the JSON' }).waitFor()
    expect(await drawn()).toBeLessThan(30_000)
    await web.look('event-large')
    await large.getByRole('button', { name: 'Copy the JSON' }).click()
    await large.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = JSON.parse((await web.page.evaluate('navigator.clipboard.readText()')) as string)
    expect(copied.properties.note).toHaveLength(1_000_000)
  })

  it('are gone through and opened by keys, which do nothing while somebody types, in a dialog, or switched off', async () => {
    const seed = { distinctId: 'gardener', timestamp: web.app.clock.now() - SECOND }
    await makeEvents(web.app, [
      { ...seed, event: 'first seed' },
      { ...seed, event: 'second seed', timestamp: seed.timestamp - SECOND },
    ])
    const focused = () => web.page.evaluate('document.activeElement.textContent')
    const press = async (...keys: string[]) => {
      for (const key of keys) await web.page.keyboard.press(key)
    }
    await web.open(`${SCREEN}?distinct_id=gardener`)
    await row('second seed').waitFor()
    await press('j', 'j', 'k', 'j')
    expect(await focused()).toBe('second seed')
    await web.look('events-row')
    await press('k', 'Control+j', 'Alt+j')
    expect(await focused()).toBe('first seed')
    await press('Enter')
    await dialog('first seed').getByText('UUID').waitFor()
    await press('j', 'Escape')
    await dialog('first seed').waitFor({ state: 'detached' })
    expect(await focused()).toBe('first seed')
    await press('/', 'j', 'd')
    expect(await web.page.getByLabel('Event', { exact: true }).inputValue()).toBe('jd')
    expect(parameter('after')).toBeNull()
    await press('Control+A', 'Delete', 'Tab')
    await web.page.getByRole('heading', { level: 1 }).click()
    await press('w')
    await expect.poll(() => parameter('after')).toBe('-7d')
    await web.page.evaluate('localStorage.setItem("hedgerow:keys", "off")')
    await web.page.reload()
    await row('second seed').waitFor()
    await press('j', 'd')
    expect(await web.page.locator('tr:focus-within').count()).toBe(0)
    expect(parameter('after')).toBe('-7d')
  })

  it('that do not exist say so where they would stand; and the list is had as CSV', async () => {
    web.wanted.push(/^404 GET .*\/events\/[\da-f-]+\/$/)
    await web.open(`${SCREEN}?open=0195b0f0-7a3c-7d2e-9b1f-4c5d6e7f8a90`)
    await dialog('Event').getByRole('alert').waitFor()
    await web.page.keyboard.press('Escape')
    await dialog('Event').waitFor({ state: 'detached' })
    const [download] = await Promise.all([web.page.waitForEvent('download'), web.page.keyboard.press('e')])
    expect(download.suggestedFilename()).toBe('events.csv')
  })
})
