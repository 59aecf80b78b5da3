/** One person: properties edited, also by two at once; the past; ids split; forgotten; by keys, with very many properties. */
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { Person } from '../../../src/model/persons/person.ts'
import { PROJECT_TOKEN } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { answerWith, inABrowser, refusal, useWebApp } from '../../support/web/web-app.ts'

const DAY = 86_400_000

describe.skipIf(noBrowser !== null)(`a person ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  let made = 0
  const make = (properties: object = {}, ids = 1): Promise<Person> => {
    made += 1
    const email = `p${made}@example.com`
    const distinctIds = Array.from({ length: ids }, (_, n) => `p${made}-${n}`)
    return makePerson(web.app, { distinctIds, properties: { email, ...properties } })
  }
  const pathOf = ({ uuid }: Person, search = '') => `/project/1/persons/${uuid}${search}`
  const stored = async ({ uuid }: Person) => (await web.app.call('GET', `/api/projects/1/persons/${uuid}/`)).json()
  const edit = async (page: Page, key: string, value: string) => {
    await page.getByRole('button', { name: `Edit ${key}` }).click()
    const form = page.getByRole('form', { name: `Edit ${key}` })
    await form.getByLabel('Value').fill(value)
    await form.getByRole('button', { name: 'Save' }).click()
  }

  it('is known by properties, which are searched, edited by their kind, added and deleted', async () => {
    const person = await make({ plan: 'free', seats: 2, tags: ['a'] })
    await web.open(pathOf(person))
    await edit(web.page, 'seats', '12')
    await web.page.getByText('“seats” is saved').waitFor()
    await web.page.getByRole('button', { name: 'Edit tags' }).click()
    await web.page.getByLabel('Value').fill('{')
    await web.page.getByText('This is not JSON.').waitFor()
    await web.look('property-editor')
    await web.page.getByLabel('Value').fill('["a", "b"]')
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByText('“tags” is saved').waitFor()
    await web.page.getByRole('button', { name: 'Add property' }).click()
    await web.page.getByLabel('Name').fill('vip')
    await web.page.getByLabel('Kind').selectOption('boolean')
    await web.page.getByLabel('Value').selectOption('true')
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByText('“vip” is saved').waitFor()
    await web.page.getByRole('button', { name: 'Delete plan' }).click()
    await web.page.getByRole('button', { name: 'Delete the property' }).click()
    await web.page.getByText('“plan” is deleted').waitFor()
    expect((await stored(person)).properties).toMatchObject({ seats: 12, tags: ['a', 'b'], vip: true })
    expect((await stored(person)).properties).not.toHaveProperty('plan')
    await web.page.getByRole('searchbox', { name: 'Search properties' }).fill('vip')
    await expect.poll(() => web.page.getByRole('row').count()).toBe(2)
    await web.page.getByRole('button', { name: 'Since when: vip' }).click()
    await web.page.getByText(/edited by/).waitFor()
    await web.page.getByRole('tab', { name: 'History' }).click()
    await web.page.getByText(/^seats: .+ → 12$/).waitFor()
    await web.look('person-history')
    const deleting = web.page.getByRole('listitem').filter({ hasText: 'deleted a property' })
    await deleting.getByRole('button', { name: 'Undo' }).click()
    await web.page.getByText('It is undone').waitFor()
    await web.page.getByText('undid a change of the person').waitFor()
    await expect.poll(() => deleting.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect((await stored(person)).properties).toHaveProperty('plan')
  })

  it('edited in two tabs: the later one sees both values and chooses', async () => {
    const person = await make({ plan: 'free' })
    const other = await web.another()
    await web.enter(undefined, other.page.context())
    await other.page.goto(web.address + pathOf(person))
    await other.page.getByRole('button', { name: 'Edit plan' }).click()
    await web.open(pathOf(person))
    await edit(web.page, 'plan', 'team')
    await web.page.getByText('“plan” is saved').waitFor()
    const form = other.page.getByRole('form', { name: 'Edit plan' })
    await form.getByLabel('Value').fill('gold')
    await form.getByRole('button', { name: 'Save' }).click()
    await other.page.getByText('“plan” was changed by somebody else meanwhile').waitFor()
    const told = other.page.locator('dl > div')
    const shown = (name: string) =>
      told
        .filter({ has: other.page.getByText(name, { exact: true }) })
        .locator('dd')
        .innerText()
    for (const [name, value] of [
      ['When you began', 'free'],
      ['Now', 'team'],
      ['Yours', 'gold'],
    ] as const)
      expect(await shown(name)).toBe(value)
    expect((await stored(person)).properties.plan).toBe('team')
    await other.page.getByRole('button', { name: 'Save mine' }).click()
    await other.page.getByText('“plan” is saved').waitFor()
    expect((await stored(person)).properties.plan).toBe('gold')
  })

  it('has a past that one goes through by the arrows', async () => {
    const now = web.app.clock.now()
    const capture = (at: number, set: object) => ({
      event: 'order placed',
      distinct_id: 'past-1',
      timestamp: new Date(at).toISOString(),
      properties: { $set: set },
    })
    const batch = [
      capture(now - 3 * DAY, { plan: 'free' }),
      capture(now - 2 * DAY, { plan: 'team' }),
      capture(now - DAY, { plan: 'gold' }),
    ]
    for (const event of batch) {
      const body = { api_key: PROJECT_TOKEN, batch: [event] }
      await web.app.call('POST', '/batch/', { key: null, body })
    }
    await web.open('/project/1/person/past-1?tab=timeline')
    const points = web.page.getByRole('table', { name: 'Points in time' })
    await points.getByRole('row', { name: /team → gold/ }).waitFor()
    await web.look('person-timeline')
    await web.page.keyboard.press('ArrowLeft')
    const then = web.page.getByRole('table', { name: 'Properties then' })
    await then.getByRole('row', { name: /plan team now: gold/ }).waitFor()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('at')).not.toBeNull()
    await web.page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /plan free now: gold/ }).waitFor()
    await web.page.reload()
    await then.getByRole('row', { name: /plan free now: gold/ }).waitFor()
    await web.page.getByRole('tab', { name: 'Properties' }).click()
    await web.page.getByRole('button', { name: 'Since when: plan' }).click()
    await web.page.getByText(/, by the event order placed/).waitFor()
    await web.page.keyboard.press('3')
    await web.page.getByRole('button', { name: 'order placed' }).first().click()
    await web.page.getByText('"$set"').waitFor()
    await web.look('person-events')
  })

  it('is found by any of its ids, which are split: some stay, each of the others is a person of its own', async () => {
    const person = await make({}, 3)
    const [first = '', second = '', third = ''] = person.distinctIds
    await makeEvents(web.app, [{ distinctId: third }])
    await web.open(`/project/1/person/${third}`)
    await web.page.getByText('is one of 3 ids that were merged').waitFor()
    await web.page.getByRole('button', { name: 'Split' }).click()
    await expect.poll(() => web.page.url()).toContain('do=split')
    const dialog = web.page.getByRole('dialog')
    await dialog.getByRole('button', { name: `${second} 0 events let it leave` }).click()
    await dialog.getByRole('button', { name: `${third} 1 event let it leave` }).click()
    await dialog.getByRole('button', { name: `${third} becomes “${third}” · 1 event let it stay` }).waitFor()
    await dialog.getByRole('heading', { name: 'Leaves 2 ids, 1 event' }).waitFor()
    await web.look('split')
    await web.page.getByRole('button', { name: 'Split off 2 ids' }).click()
    await web.page.getByText('2 ids are persons of their own now').waitFor()
    expect((await stored(person)).distinct_ids).toEqual([first])
    await web.page.reload()
    await web.page.getByRole('heading', { level: 1, name: third }).waitFor()
  })

  it('is split also while nobody can count its events, which is told', async () => {
    const person = await make({}, 2)
    web.wanted.push(/^500 GET .*\/counts\//)
    let isBroken = true
    await web.page.route(/\/counts\/\?by_distinct_id/, (route) =>
      isBroken ? answerWith(500, refusal('server_error', 'error', 'It is broken.'))(route) : route.continue(),
    )
    await web.open(pathOf(person, '?do=split'))
    const dialog = web.page.getByRole('dialog')
    const [first = '', second = ''] = person.distinctIds
    await dialog.getByRole('alert').getByText('It is broken.').waitFor()
    await dialog.getByRole('button', { name: `${second} events not counted let it leave` }).click()
    isBroken = false
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('heading', { name: 'Stays 1 id, 0 events' }).waitFor()
    isBroken = true
    await web.page.getByRole('button', { name: 'Split off one id' }).click()
    await web.page.getByText('One id is a person of its own now').waitFor()
    expect((await stored(person)).distinct_ids).toEqual([first])
  })

  it('may have ten thousand ids, of which one is found and split off', async () => {
    const person = await make({}, 10_000)
    const leaving = person.distinctIds[9_876] ?? ''
    await makeEvents(web.app, [{ distinctId: leaving }, { distinctId: leaving }])
    await web.open(pathOf(person, '?do=split'))
    const dialog = web.page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Stays 10,000 ids, 2 events' }).waitFor()
    await dialog.getByText('And 9,900 more: search for them.').waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(100)
    await web.page.keyboard.type(leaving.toUpperCase())
    await dialog.getByRole('button', { name: `${leaving} 2 events let it leave` }).click()
    await dialog.getByRole('heading', { name: 'Leaves 1 id, 2 events' }).waitFor()
    await dialog.getByRole('button', { name: `${leaving} becomes` }).waitFor()
    await dialog.getByRole('searchbox').fill('nobody at all')
    await expect.poll(() => dialog.getByText('None has this in it.').count()).toBe(2)
    await dialog.getByRole('button', { name: 'Split off one id' }).click()
    await web.page.getByText('One id is a person of its own now').waitFor()
    expect((await stored(person)).distinct_ids).toHaveLength(9_999)
  })

  it('is made one with somebody else after what becomes of both is told, and two again by an undo', async () => {
    const [person, other] = [await make({ plan: 'pro', city: 'Bonn' }), await make({ plan: 'free', seats: 2 }, 2)]
    await makeEvents(web.app, [{ distinctId: other.distinctIds[1] ?? '' }])
    await web.open(pathOf(person))
    await web.page.getByRole('button', { name: 'Merge' }).click()
    await expect.poll(() => web.page.url()).toContain('do=merge')
    const dialog = web.page.getByRole('dialog')
    const search = dialog.getByRole('searchbox')
    await search.fill('nobody at all')
    await dialog.getByText('Nobody else is found.').waitFor()
    await search.fill(String(person.properties.email))
    await dialog.getByText('Nobody else is found.').waitFor()
    await search.fill(String(other.properties.email))
    await dialog.getByRole('radio').check()
    await dialog.getByRole('row', { name: 'Ids 1 2 3' }).waitFor()
    await dialog.getByRole('row', { name: 'Events 0 1 1' }).waitFor()
    await dialog.getByText('1 property is added. 2 differ: the value on the left stays.').waitFor()
    await dialog.getByRole('row', { name: 'plan pro free' }).waitFor()
    await web.look('merge')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await web.page.getByText('is a part of').waitFor()
    expect(await stored(person)).toMatchObject({ properties: { plan: 'pro', city: 'Bonn', seats: 2 } })
    expect((await stored(person)).distinct_ids).toHaveLength(3)
    await web.page.getByRole('button', { name: 'Undo' }).click()
    await web.page.getByText('It is undone').waitFor()
    expect((await stored(person)).distinct_ids).toEqual(person.distinctIds)
    expect((await stored(other)).distinct_ids).toEqual(other.distinctIds)
    await edit(web.page, 'city', 'Berlin')
    await web.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await stored(person)).properties.city).toBe('Bonn')
  })

  it('has sessions, each with its pages, where it came from and what was done in it', async () => {
    const person = await make()
    const start = web.app.clock.now() - DAY
    const sessionId = uuidV7(start)
    const page = (second: number, path: string) => ({
      distinctId: person.distinctIds[0] ?? '',
      event: '$pageview',
      timestamp: start + second * 1_000,
      sessionId,
      properties: { $session_id: sessionId, $current_url: `https://shop.example${path}`, $pathname: path },
    })
    await makeEvents(web.app, [page(0, '/pricing?utm_source=news'), page(75, '/thanks')])
    await web.open(pathOf(person, '?tab=sessions'))
    const row = web.page.getByRole('row', { name: /1:15 2 .*\/thanks/ })
    await row.waitFor()
    await web.look('person-sessions')
    await web.open('/project/1/sessions?ordering=-duration')
    await row.first().waitFor()
    await web.look('sessions')
    await web.page.getByLabel('Recording').selectOption('Recorded')
    await web.page.getByText('No session matches').waitFor()
    await web.page.getByRole('button', { name: 'recorded', exact: true }).click()
    await row.first().waitFor()
    await web.page.getByLabel('Recording').selectOption('Recorded')
    await web.page.getByRole('button', { name: 'began in the last 30 days' }).click()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('date_from')).toBe('all')
    await web.page.getByLabel('Recording').selectOption('Not recorded')
    await row.first().getByRole('link').nth(1).click()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('session_id')).toBe(sessionId)
    await expect.poll(() => web.page.getByRole('row').count()).toBe(3)
  })

  it('has lists that are gone through and opened by keys, as all sessions are', async () => {
    const person = await make({ plan: 'free' })
    const at = web.app.clock.now() - DAY / 2
    const visit = (n: number) => {
      const start = at + n * 3_600_000
      const sessionId = uuidV7(start)
      const properties = { $session_id: sessionId, $pathname: `/visit-${n}` }
      return { distinctId: person.distinctIds[0] ?? '', event: `visit ${n}`, timestamp: start, sessionId, properties }
    }
    const visits = [visit(0), visit(1)]
    await makeEvents(web.app, visits)
    await web.app.call('PATCH', `/api/projects/1/persons/${person.uuid}/`, { body: { properties: { plan: 'paid' } } })
    const focused = () => web.page.evaluate('document.activeElement.textContent')
    const press = async (...keys: string[]) => {
      for (const key of keys) await web.page.keyboard.press(key)
    }
    await web.open(pathOf(person, '?tab=events'))
    await web.page.getByRole('button', { name: 'visit 0' }).waitFor()
    await press('j', 'j')
    expect(await focused()).toContain('visit 0')
    await press('Enter')
    await web.page.getByRole('figure', { name: 'Properties of visit 0' }).waitFor()
    await press('k')
    expect(await focused()).toContain('visit 1')
    await press('6')
    await web.page.getByText('plan: free → paid').waitFor()
    await press('j', 'Enter')
    await web.page.getByText('After').waitFor()
    await web.look('person-history-row')
    for (const path of [pathOf(person, '?tab=sessions'), '/project/1/sessions']) {
      await web.open(path)
      await web.page.getByRole('link', { name: String(visits[1]?.sessionId) }).waitFor()
      await press('j', 'Enter')
      await expect.poll(() => new URL(web.page.url()).searchParams.get('session_id')).toBe(visits[1]?.sessionId)
    }
    await web.open('/project/1/sessions')
    await web.page.getByRole('link', { name: String(visits[1]?.sessionId) }).waitFor()
    await press('d')
    await expect.poll(() => new URL(web.page.url()).searchParams.get('date_from')).toBe('-1d')
    // The screen that is left has the key as well.
    await press('g', 'x')
    await web.page.getByRole('heading', { level: 1, name: 'Deletions' }).waitFor()
  })

  it('may have an event of a megabyte, of which a little is drawn at a time', async () => {
    const person = await make()
    const properties = { end: 'of it', long: 'x'.repeat(1_000_000) }
    await makeEvents(web.app, [{ distinctId: person.distinctIds[0] ?? '', event: 'long one', properties }])
    await web.open(pathOf(person, '?tab=events'))
    await web.page.getByRole('button', { name: 'long one' }).click()
    const all = web.page.getByRole('figure', { name: 'Properties of long one' })
    await all.getByText('"end": "of it"').waitFor()
    expect((await all.innerText()).length).toBeLessThan(30_000)
    await web.page.getByRole('button', { name: /^Show more, / }).click()
    await expect.poll(async () => (await all.innerText()).length).toBeGreaterThan(30_000)
    await web.page.getByRole('link', { name: 'Filter and export them' }).click()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('person_id')).toBe(person.uuid)
    await web.page.getByRole('link', { name: 'long one' }).waitFor()
  })

  it('is forgotten after what goes is told; its events wait for Sunday, and its address says so', async () => {
    web.wanted.push(/^404 GET \/api\/environments\/1\/persons\//)
    const person = await make()
    await makeEvents(web.app, [{ distinctId: person.distinctIds[0] ?? '' }])
    await web.open(pathOf(person, '?do=delete'))
    await web.page.getByText(/^On Sunday, .*05:00 UTC · in /).waitFor()
    await web.page.getByText('1 of them, in 0 sessions.').waitFor()
    await web.look('delete-person')
    const name = String(person.properties.email)
    await web.page.getByLabel(`Type “${name}” to go on`).fill(name)
    await web.page.getByRole('button', { name: 'Delete the person' }).click()
    await web.page.getByText(`${name} is deleted; the events wait for Sunday`).waitFor()
    const { results } = (
      await web.app.call('GET', `/api/projects/1/persons/deletion_status/?person_uuid=${person.uuid}`)
    ).json()
    expect(results).toMatchObject([{ status: 'pending' }])
    await web.open(pathOf(person))
    await web.page.getByRole('heading', { name: 'This person was deleted' }).waitFor()
    await web.look('deleted-person')
  })

  it('that does not exist has words of its own', async () => {
    web.wanted.push(/^40[04] GET \/api\/environments\/1\/persons\//)
    await web.open('/project/1/person/nobody%2Fat%20all')
    await web.page.getByText('Nobody has the id “nobody/at all”.').waitFor()
    await web.open('/project/1/persons/not-a-uuid')
    await web.page.getByRole('heading', { name: 'There is no such person' }).waitFor()
  })

  it('may have ten thousand properties', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key_${String(n).padStart(5, '0')}`, n]))
    const person = await make(many)
    await web.open(pathOf(person))
    await web.page.evaluate('document.getElementById("main").scrollTop = 1e9')
    await web.page.getByRole('row', { name: /^key_09999 9999/ }).waitFor()
    expect(await web.page.locator('tbody tr').count()).toBeLessThanOrEqual(60)
    await web.page.getByRole('searchbox', { name: 'Search properties' }).fill('key_05000')
    await expect.poll(() => web.page.locator('tbody tr').count()).toBe(1)
  })
})
