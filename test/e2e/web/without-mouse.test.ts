/** What somebody without a mouse does: splits and merges, and takes it back by a key; shares a recording. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { focused, press, tabTo } from '../../support/web/keyboard.ts'
import { replayPage } from '../../support/web/replay-page.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

describe.skipIf(noBrowser !== null)(`without a mouse ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())
  const { pathOf: replayOf, shows, record } = replayPage(web)

  const keys = (...names: string[]) =>
    names.reduce((before, name) => before.then(() => web.page.keyboard.press(name)), Promise.resolve())
  const dialog = (name: string | RegExp) => web.page.getByRole('dialog', { name })
  /** Of what has the focus, as soon as it has it. */
  const at = (name: string | RegExp) =>
    expect.poll(async () => (await focused(web.page)).name).toMatch(typeof name === 'string' ? `${name}` : name)
  const isClosed = () => expect.poll(() => web.page.getByRole('dialog').count()).toBe(0)
  const stored = async ({ uuid }: Person) => (await web.app.call('GET', `/api/projects/1/persons/${uuid}/`)).json()
  const open = ({ uuid }: Person) => web.open(`/project/1/persons/${uuid}`)

  it('a person is split, by one id after the other, and is one again by “u”', async () => {
    const distinctIds = ['kim', 'kim-phone', 'kim-work', 'kim-tv']
    const person = await makePerson(web.app, { distinctIds, properties: { email: 'kim@example.com' } })
    await makeEvents(
      web.app,
      ['kim', 'kim-phone', 'kim-phone', 'kim-work'].map((distinctId) => ({ distinctId })),
    )
    await open(person)
    await press(web.page, 'Split')
    await dialog('Split kim@example.com').getByRole('button', { name: 'kim-tv 0 events' }).waitFor()
    await at(/^kim1 event/)
    await keys('Escape')
    await isClosed()
    await at('Split')

    await keys('Enter')
    await dialog('Split kim@example.com').getByRole('button', { name: 'kim-tv 0 events' }).waitFor()
    const column = (name: RegExp) => web.page.getByRole('region', { name }).getByRole('button')
    await tabTo(web.page, /^kim-phone2 events/)
    await keys('Space')
    await at(/^kim-work1 event/)
    await keys('Space')
    await at(/^kim-tv0 events/)
    await keys('Enter')
    await at(/^kim1 event/)
    expect(await column(/^Leaves 3 ids, 3 events$/).count()).toBe(3)
    expect(await column(/^Stays 1 id, 1 event$/).count()).toBe(1)
    await keys('Enter')
    await at(/^kimbecomes “kim” · 1 event/)
    await web.page.getByText('At least one id has to stay.').waitFor()
    await keys('Enter')
    await at(/^kim-phonebecomes “kim-phone” · 2 events/)
    expect(await column(/^Stays/).allInnerTexts()).toMatchObject([expect.stringMatching(/^kim\n/)])
    await press(web.page, 'Split off 3 ids')
    await web.page.getByText('3 ids are persons of their own now').waitFor()
    await isClosed()
    // It is locked now, as there is a single id, and says so.
    await at('Split')
    await expect.poll(() => web.page.locator(':focus').getAttribute('title')).toBe('There is only one id')
    await keys('Enter')
    expect(await web.page.getByRole('dialog').count()).toBe(0)
    expect((await stored(person)).distinct_ids).toEqual(['kim'])
    await keys('u')
    await web.page.getByText('It is undone').waitFor()
    expect((await stored(person)).distinct_ids).toEqual(distinctIds)
  })

  it('somebody is found, looked at and merged, and is somebody else again by “u”', async () => {
    const person = await makePerson(web.app, { distinctIds: ['lee'], properties: { email: 'lee@example.com' } })
    const other = await makePerson(web.app, { distinctIds: ['lee-2'], properties: { email: 'second@example.com' } })
    await open(person)
    await press(web.page, 'Merge')
    await at('Search by name, e-mail or id')
    await web.page.keyboard.type('second')
    const merging = dialog(/^Merge somebody/)
    expect(await merging.getByRole('searchbox').inputValue()).toBe('second')
    await expect.poll(() => merging.getByRole('radio').count()).toBe(1)
    await press(web.page, /^second@example.com/, 'Space')
    await merging.getByRole('row', { name: 'Ids 1 1 2' }).waitFor()
    await press(web.page, 'Merge')
    await web.page.getByText('second@example.com is a part of lee@example.com now').waitFor()
    await isClosed()
    await at('Merge')
    expect((await stored(person)).distinct_ids).toEqual(['lee', 'lee-2'])
    await keys('u')
    await web.page.getByText('It is undone').waitFor()
    expect((await stored(other)).distinct_ids).toEqual(['lee-2'])
  })

  it('a recording is shared, with a password that is taken away again', async () => {
    const { session } = await record()
    const sharing = async () =>
      (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/sharing/`)).json()
    await web.open(replayOf(session))
    await shows('The shop')
    await press(web.page, 'Share')
    const link = 'Anybody with the link can watch it'
    await dialog('Share this recording').getByRole('switch', { name: link }).waitFor()
    await press(web.page, link, 'Space')
    await expect.poll(async () => (await sharing()).enabled).toBe(true)
    await dialog('Share this recording').getByRole('figure').waitFor()
    await at(link)
    await tabTo(web.page, 'Copy')
    await keys('Enter')
    await at(/^(?:Copied|Not copied)$/)
    await press(web.page, 'Only with a password', 'Space')
    await web.page.getByText('There is no password yet').waitFor()
    await at('Only with a password')
    await tabTo(web.page, 'Who it is for')
    await web.page.keyboard.type('The agency')
    await press(web.page, 'Add the password')
    await web.page.getByRole('row', { name: /The agency/ }).waitFor()
    await at('Add the password')
    await tabTo(web.page, 'Remove the password for The agency', 'Shift+Tab')
    await keys('Enter')
    await web.page.getByText('There is no password yet').waitFor()
    await at('Who it is for')
    // All around: nothing keeps the focus.
    await tabTo(web.page, 'Close')
    await tabTo(web.page, 'Add the password')
    await tabTo(web.page, 'Close')
    await keys('Enter')
    await isClosed()
    await at('Share')
    expect(await sharing()).toMatchObject({ enabled: true, password_required: true, share_passwords: [] })
  })

  it('“u” takes back what a toast offers, not while somebody types or holds another key, nor where keys are off', async () => {
    const person = await makePerson(web.app, { distinctIds: ['max'], properties: { plan: 'free' } })
    // What goes by itself goes when the test says so.
    await web.page.clock.install()
    await open(person)
    const undo = web.page.getByRole('button', { name: 'Undo' })
    const rename = async (plan: string) => {
      await web.page.getByRole('button', { name: 'Edit plan' }).click()
      await web.page.getByLabel('Value').fill(plan)
      await web.page.getByRole('button', { name: 'Save' }).click()
      await undo.waitFor()
      await web.page.clock.pauseAt((await web.page.evaluate<number>('Date.now()')) + 100)
    }
    await rename('team')
    const search = web.page.getByRole('searchbox', { name: 'Search properties' })
    await search.focus()
    await keys('u', 'Shift+U')
    expect([await search.inputValue(), await undo.count()]).toEqual(['uU', 1])
    await search.fill('')
    await keys('Tab', 'Alt+u', 'Shift+U')
    expect(await undo.count()).toBe(1)
    await web.page.clock.resume()
    await keys('u')
    await web.page.getByText('It is undone').waitFor()
    expect((await stored(person)).properties.plan).toBe('free')

    await web.page.evaluate("localStorage.setItem('hedgerow:keys', 'off')")
    await web.page.reload()
    await rename('gold')
    await keys('u')
    expect(await undo.count()).toBe(1)
    await undo.focus()
    await web.page.clock.runFor(60_000)
    expect(await undo.count()).toBe(1)
    await web.page.getByRole('searchbox', { name: 'Search properties' }).focus()
    await web.page.clock.runFor(60_000)
    expect(await undo.count()).toBe(0)
    expect((await stored(person)).properties.plan).toBe('gold')
  })
})
