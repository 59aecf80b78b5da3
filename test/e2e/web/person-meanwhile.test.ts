/** A person whom others edit, merge or delete while one looks at them: in each tab, and with each dialog open. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { makePerson } from '../../support/make.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const TABS = ['properties', 'timeline', 'events', 'sessions', 'recordings', 'history']

describe.skipIf(noBrowser !== null)(`a person, changed meanwhile, ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  let made = 0
  const make = (properties: object = {}): Promise<Person> => {
    made += 1
    const distinctIds = [`m${made}-a`, `m${made}-b`]
    return makePerson(web.app, { distinctIds, properties: { email: `m${made}@example.com`, ...properties } })
  }
  const nameOf = ({ properties }: Person) => String(properties.email)
  const pathOf = ({ uuid }: Person, search = '') => `/project/1/persons/${uuid}${search}`
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const answer = await web.app.call(method, `/api/projects/1/persons/${path}`, body ? { body } : {})
    expect(answer.statusCode).toBeLessThan(300)
    return answer
  }
  const stored = async ({ uuid }: Person) => (await call('GET', `${uuid}/`)).json().properties
  const set = (person: Person, key: string, value: unknown) =>
    call('POST', `${person.uuid}/update_property/`, { key, value })
  const unset = (person: Person, key: string) => call('POST', `${person.uuid}/delete_property/`, { $unset: key })
  const mergeInto = (person: Person, other: Person) => call('POST', `${person.uuid}/merge/`, { person: other.uuid })
  const remove = ({ uuid }: Person) => call('DELETE', `${uuid}/`)
  /** As when somebody comes back from another tab. */
  const comeBack = () => web.page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
  const button = (name: string) => web.page.getByRole('button', { name, exact: true })
  const heading = (name: string) => web.page.getByRole('heading', { name, exact: true })
  const told = (text: string) => web.page.getByText(text, { exact: true })
  const startEdit = async (key: string, value: string) => {
    await button(`Edit ${key}`).click()
    await web.page.getByLabel('Value').fill(value)
  }

  it('keeps edits of different properties in two tabs', async () => {
    const person = await make({ plan: 'free', city: 'Bonn' })
    await web.open(pathOf(person))
    await startEdit('plan', 'gold')
    await set(person, 'city', 'Berlin')
    await button('Save').click()
    await told('“plan” is saved').waitFor()
    expect(await stored(person)).toMatchObject({ plan: 'gold', city: 'Berlin' })
    await web.page.getByRole('row', { name: /^city Berlin/ }).waitFor()
  })

  it('asks before a property is written that somebody has deleted, and keeps what was typed', async () => {
    const person = await make({ plan: 'free' })
    await web.open(pathOf(person))
    await startEdit('plan', 'gold')
    await unset(person, 'plan')
    await comeBack()
    await expect.poll(() => button('Edit plan').count()).toBe(0)
    expect(await web.page.getByLabel('Value').inputValue()).toBe('gold')
    await button('Save').click()
    await web.page.getByText('“plan” was deleted by somebody else meanwhile.').waitFor()
    await web.look('property-deleted-meanwhile')
    expect(await stored(person)).not.toHaveProperty('plan')
    await button('Save mine').click()
    await told('“plan” is saved').waitFor()
    expect(await stored(person)).toMatchObject({ plan: 'gold' })
  })

  it('shows what is there now when somebody leaves it so', async () => {
    const person = await make({ plan: 'free' })
    await web.open(pathOf(person))
    await startEdit('plan', 'gold')
    await set(person, 'plan', 'team')
    await button('Save').click()
    await button('Keep what is there now').click()
    await web.page.getByRole('row', { name: /^plan team/ }).waitFor()
    await button('Delete plan').click()
    await set(person, 'plan', 'pro')
    await button('Delete the property').click()
    await web.page.getByText('It was changed by somebody else meanwhile, to pro. Nothing is deleted yet.').waitFor()
    await button('Delete it anyway').click()
    await told('“plan” is deleted').waitFor()
    expect(await stored(person)).not.toHaveProperty('plan')
  })

  it('asks before a new property takes the place of one that is there', async () => {
    const person = await make({ plan: 'free' })
    await web.open(pathOf(person))
    await button('Add property').click()
    await web.page.getByLabel('Name').fill('plan')
    await web.page.getByLabel('Value').fill('gold')
    await button('Save').click()
    await web.page.getByText('There is a property “plan” already.').waitFor()
    expect(await stored(person)).toMatchObject({ plan: 'free' })
    await button('Keep what is there now').click()
    await expect.poll(() => button('Save mine').count()).toBe(0)
  })

  it('keeps what was typed when its row is out of sight', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key_${String(n).padStart(4, '0')}`, n]))
    const person = await make(many)
    await web.open(pathOf(person))
    await startEdit('key_0003', '42')
    await web.page.evaluate('document.getElementById("main").scrollTop = 1e9')
    await web.page.getByRole('row', { name: /^key_0999/ }).waitFor()
    await expect.poll(() => web.page.getByLabel('Value').count()).toBe(0)
    await web.page.evaluate('document.getElementById("main").scrollTop = 0')
    await expect.poll(() => web.page.getByLabel('Value').inputValue()).toBe('42')
    await web.page.getByRole('searchbox', { name: 'Search properties' }).fill('key_0500')
    await expect.poll(() => web.page.locator('tbody tr').count()).toBe(1)
    await button('Save').click()
    await told('“key_0003” is saved').waitFor()
    expect(await stored(person)).toMatchObject({ key_0003: 42 })
  })

  it('tells in each tab that it is a part of another person, or deleted', { timeout: 240_000 }, async () => {
    web.wanted.push(/^404 GET \/api\/environments\/1\/persons\//)
    for (const tab of TABS) {
      const [person, other] = [await make(), await make()]
      await web.open(pathOf(person, `?tab=${tab}`))
      await mergeInto(other, person)
      await comeBack()
      await heading(`${nameOf(person)} is a part of ${nameOf(other)} now`).waitFor()
      await web.look('merged-meanwhile')
      await web.page.getByRole('link', { name: `Go to ${nameOf(other)}` }).click()
      await web.page.getByRole('heading', { level: 1, name: nameOf(other) }).waitFor()
      await web.open(pathOf(other, `?tab=${tab}`))
      await remove(other)
      await comeBack()
      await heading(`${nameOf(other)} is no longer there`).waitFor()
    }
  })

  it('is asked for again whenever another tab is chosen', async () => {
    web.wanted.push(/^404 GET \/api\/environments\/1\/persons\//)
    const [person, other] = [await make(), await make()]
    await web.open(pathOf(person))
    await mergeInto(other, person)
    await web.page.keyboard.press('6')
    await heading(`${nameOf(person)} is a part of ${nameOf(other)} now`).waitFor()
  })

  it('leads by an id to whoever has it now', async () => {
    web.wanted.push(/^404 GET \/api\/environments\/1\/persons\//)
    const [person, other] = [await make(), await make()]
    const [, id = ''] = person.distinctIds
    await web.open(`/project/1/person/${id}`)
    await web.page.getByRole('heading', { level: 1, name: nameOf(person) }).waitFor()
    await mergeInto(other, person)
    await comeBack()
    await web.page.getByRole('heading', { level: 1, name: nameOf(other) }).waitFor()
    await web.page.getByText(`“${id}” is one of 4 ids that were merged`).waitFor()
    await remove(other)
    await comeBack()
    await web.page.getByText(`Nobody has the id “${id}”.`).waitFor()
  })

  const GONE: [dialog: string, open: () => Promise<void>, confirm: string | RegExp][] = [
    ['an edit', () => startEdit('plan', 'gold'), 'Save'],
    [
      'a split',
      () => web.page.getByRole('listitem').getByRole('button', { name: 'let it leave' }).last().click(),
      /^Split off/,
    ],
    [
      'a deletion',
      async () => {
        const field = web.page.getByRole('dialog').getByRole('textbox')
        const label = (await web.page.getByText(/^Type “/).innerText()).replace(/^Type “(.+)” to go on$/, '$1')
        await field.fill(label)
      },
      /^Delete the person$/,
    ],
  ]

  it.each(GONE)('says so where %s was begun', async (what, begin, confirm) => {
    web.wanted.push(/^404 (?:GET|POST|DELETE) \/api\/environments\/1\/persons\//)
    const doing = { 'a split': '?do=split', 'a deletion': '?do=delete' }[what] ?? ''
    for (const way of ['merged', 'deleted'] as const) {
      const [person, other] = [await make({ plan: 'free' }), await make()]
      await web.open(pathOf(person, doing))
      await begin()
      if (way === 'merged') await mergeInto(other, person)
      else await remove(person)
      await web.page.getByRole('button', { name: confirm }).last().click()
      const gone = way === 'merged' ? `is a part of ${nameOf(other)} now` : 'is no longer there'
      await heading(`${nameOf(person)} ${gone}`).waitFor()
      expect(await web.page.getByRole('dialog').count()).toBe(0)
      if (way === 'merged') expect(await stored(other)).not.toMatchObject({ plan: 'gold' })
    }
  })

  it('is not merged with somebody who is gone meanwhile, nor is anybody merged into it', async () => {
    web.wanted.push(/^404 (?:GET|POST) \/api\/environments\/1\/persons\//)
    const [person, other] = [await make(), await make()]
    await web.open(pathOf(person, '?do=merge'))
    const dialog = web.page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill(nameOf(other))
    await dialog.getByRole('radio').check()
    await dialog.getByRole('row', { name: /^Ids/ }).waitFor()
    await remove(other)
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByText(`${nameOf(other)} is no longer there.`).waitFor()
    await web.look('merge-gone')
    const third = await make()
    await dialog.getByRole('searchbox').fill(nameOf(third))
    await dialog.getByRole('radio', { name: nameOf(third) }).check()
    await dialog.getByRole('row', { name: /^Ids/ }).waitFor()
    await remove(person)
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await heading(`${nameOf(person)} is no longer there`).waitFor()
  })

  it('splits the ids that it still has', async () => {
    web.wanted.push(/^400 POST \/api\/environments\/1\/persons\//)
    const person = await make()
    const [, second = ''] = person.distinctIds
    const { uuid } = await makePerson(web.app, { distinctIds: [`${second}-c`] })
    await call('POST', `${person.uuid}/merge/`, { person: uuid })
    await web.open(pathOf(person, '?do=split'))
    const stays = web.page.getByRole('region', { name: /^Stays/ }).getByRole('button')
    await stays.filter({ has: web.page.getByText(second, { exact: true }) }).click()
    await call('POST', `${person.uuid}/split/`, { distinct_ids_to_split: [second] })
    await button('Split off one id').click()
    await web.page.getByText(/not on this person/).waitFor()
    await expect.poll(() => stays.count()).toBe(2)
    await stays.filter({ hasText: `${second}-c` }).click()
    await button('Split off one id').click()
    await told('One id is a person of its own now').waitFor()
  })
})
