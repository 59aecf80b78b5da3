/** People: found by words and conditions, in a list of any length, chosen and deleted; by pointer, by keys, on a phone. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { makePerson } from '../../support/make.ts'
import { makePersons } from '../../support/persons/many-persons.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const PEOPLE = '/project/1/persons'

describe.skipIf(noBrowser !== null)(`people ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())
  afterEach(async () => {
    const { results } = (await web.app.call('GET', '/api/projects/1/persons/?limit=1000')).json()
    const ids = results.map(({ uuid }: { uuid: string }) => uuid)
    if (ids.length > 0) await web.app.call('POST', '/api/projects/1/persons/bulk_delete/', { body: { ids } })
  })

  const row = (name: string) => web.page.getByRole('row', { name })
  const count = (words: string) => web.page.getByRole('status').filter({ hasText: new RegExp(`^${words}$`) })
  const makeThree = async () => {
    for (const [name, plan] of [
      ['ann', 'free'],
      ['bob', 'paid'],
      ['cleo', 'team'],
    ])
      await makePerson(web.app, { distinctIds: [`${name}-id`], properties: { email: `${name}@example.com`, plan } })
  }
  const filterBy = async (property: string, comparison: string, value: string) => {
    await web.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await web.page.getByRole('combobox', { name: 'Property' }).fill(property)
    await web.page.keyboard.press('Enter')
    await web.page.getByRole('combobox', { name: 'Comparison' }).selectOption({ label: comparison })
    await web.page.getByRole('combobox', { name: 'Value' }).fill(value)
    await web.page.getByRole('button', { name: 'Apply' }).click()
  }

  it('are found by a condition, which goes back, forth and through a reload', async () => {
    await makeThree()
    await web.open(PEOPLE)
    await count('3 people').waitFor()
    await filterBy('plan', 'is', 'paid')
    await count('1 person').waitFor()
    await row('bob@example.com').waitFor()
    expect(JSON.parse(new URL(web.page.url()).searchParams.get('properties') ?? '')).toEqual([
      { key: 'plan', operator: 'exact', value: 'paid', type: 'person' },
    ])
    await web.look('people-filtered')
    await web.page.goBack()
    await count('3 people').waitFor()
    await web.page.goForward()
    await count('1 person').waitFor()
    await web.page.reload()
    await count('1 person').waitFor()
    await web.page.getByRole('link', { name: 'bob@example.com' }).click()
    await web.page.getByRole('heading', { level: 1, name: 'bob@example.com' }).waitFor()
    await web.page.goBack()
    await count('1 person').waitFor()
    const csv = await web.page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const text = (await web.app.call('GET', new URL(csv ?? '').pathname + new URL(csv ?? '').search)).body
    expect(text.trim().split('\n')).toHaveLength(2)
  })

  it('that nobody matches: each condition can be dropped', async () => {
    await makeThree()
    const filter = encodeURIComponent('[{"key":"plan","value":"gold"}]')
    await web.open(`${PEOPLE}?search=ann&properties=${filter}`)
    await web.page.getByRole('heading', { name: 'Nobody matches' }).waitFor()
    await web.look('people-none')
    await web.page.getByRole('button', { name: 'Drop “plan is “gold””' }).click()
    await count('1 person').waitFor()
    await web.page.goBack()
    await web.page.getByRole('button', { name: 'Drop the search “ann”' }).click()
    await web.page.getByRole('button', { name: 'Drop “plan is “gold””' }).click()
    await count('3 people').waitFor()
  })

  it('suggests properties and values, and shows a property as a column', async () => {
    await makeThree()
    await web.open(PEOPLE)
    await web.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await web.page.getByRole('combobox', { name: 'Property' }).fill('pl')
    await web.page.getByRole('option', { name: 'plan' }).click()
    await web.page.getByRole('combobox', { name: 'Value' }).click()
    await web.page.getByRole('option', { name: /^team/ }).click()
    await web.look('filter-editor')
    await web.page.getByRole('button', { name: 'Apply' }).click()
    await count('1 person').waitFor()
    await web.page.getByRole('button', { name: 'Columns' }).click()
    await web.page.getByRole('combobox', { name: 'Add a property' }).fill('plan')
    await web.page.keyboard.press('Enter')
    await web.look('columns')
    await web.page.getByRole('button', { name: 'Done' }).click()
    await web.page.getByRole('columnheader', { name: 'plan' }).waitFor()
    await web.page.getByRole('cell', { name: 'team', exact: true }).waitFor()
    await expect.poll(() => new URL(web.page.url()).searchParams.get('columns')).toBe('["plan"]')
  })

  it('are a long list of which a few rows are drawn, and which comes back where it was', async () => {
    const now = web.app.clock.now()
    const createdAt = (n: number) => now - n * 1_000
    const properties = (n: number) => ({ email: `p${n}@example.com` })
    await makePersons(web.app, { projectId: 1, count: 900, createdAt, properties })
    await web.open(PEOPLE)
    await count('900 people').waitFor()
    await row('p0@example.com').waitFor()
    await web.page.evaluate('document.getElementById("main").scrollTop = 1e9')
    await row('p899@example.com').waitFor()
    expect(await web.page.locator('tbody tr').count()).toBeLessThanOrEqual(60)
    await web.page.evaluate('document.getElementById("main").scrollTop = 20_000')
    await web.settled()
    const shown = web.page.locator('tbody tr a').nth(12)
    const name = await shown.innerText()
    await shown.click()
    await web.page.getByRole('heading', { level: 1, name }).waitFor()
    await web.page.goBack()
    await row(name).waitFor()
  })

  it('are gone through, chosen, opened and searched by keys alone', async () => {
    await makeThree()
    await web.open(PEOPLE)
    await row('cleo@example.com').waitFor()
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await web.page.keyboard.press(key)
    await web.page.getByText('3 people chosen').waitFor()
    await web.look('people-chosen')
    await web.page.keyboard.press('x')
    await web.page.getByText('2 people chosen').waitFor()
    await web.page.keyboard.press('k')
    await web.page.keyboard.press('Enter')
    await web.page.getByRole('heading', { level: 1, name: 'bob@example.com' }).waitFor()
    await web.page.keyboard.press('g')
    await web.page.keyboard.press('p')
    await row('ann@example.com').waitFor()
    await web.page.keyboard.press('/')
    await web.page.keyboard.type('ann')
    await count('1 person').waitFor()
    await expect.poll(() => web.page.url()).toContain('search=ann')
  })

  describe('a long list', () => {
    const scrollTo = async (top: number) => {
      await web.page.evaluate(`document.getElementById("main").scrollTop = ${top}`)
      await web.settled()
    }
    const boxOf = async (selector: string) => {
      const box = await web.page.locator(selector).boundingBox()
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
    }
    const choose = (n: number) => web.page.getByRole('checkbox', { name: `Choose p${n}@example.com`, exact: true })
    beforeEach(async () => {
      const now = web.app.clock.now()
      const createdAt = (n: number) => now - n * 1_000
      const properties = (n: number) => ({ email: `p${n}@example.com` })
      await makePersons(web.app, { projectId: 1, count: 1_300, createdAt, properties })
      await web.open(PEOPLE)
      await row('p0@example.com').waitFor()
    })
    afterEach(async () => {
      const { results } = (await web.app.call('GET', '/api/projects/1/persons/?limit=1000')).json()
      const ids = results.map(({ uuid }: { uuid: string }) => uuid)
      await web.app.call('POST', '/api/projects/1/persons/bulk_delete/', { body: { ids } })
    })

    it('scrolls along with the keys, and the row with the focus is in sight', async () => {
      const press = async (key: string, times: number) => {
        for (let n = 0; n < times; n++) await web.page.keyboard.press(key)
        await web.settled()
      }
      await choose(0).click()
      await press('j', 40)
      expect((await boxOf('tr:focus-within')).bottom).toBeLessThanOrEqual(
        (await boxOf('[aria-label="Chosen people"]')).top,
      )
      await press('k', 25)
      expect(await web.page.evaluate('document.activeElement.textContent')).toBe('p15@example.com')
      expect((await boxOf('tr:focus-within')).top).toBeGreaterThanOrEqual((await boxOf('thead')).bottom)
    })

    it('is scrolled by the keyboard when the row with the focus is out of sight, to which a key goes back', async () => {
      await web.page.keyboard.press('j')
      await scrollTo(20_000)
      await row('p450@example.com').waitFor()
      await web.page.keyboard.press('j')
      await expect.poll(() => web.page.evaluate('document.activeElement.textContent')).toBe('p1@example.com')
      await scrollTo(20_000)
      await row('p450@example.com').waitFor()
      await web.page.keyboard.press('PageDown')
      await expect
        .poll(() => web.page.evaluate('document.getElementById("main").scrollTop') as Promise<number>)
        .toBeGreaterThan(20_000)
    })

    it('is chosen from with Shift over rows that nobody has seen, up to a thousand', async () => {
      await choose(0).click()
      await scrollTo(30_000)
      await choose(690).click({ modifiers: ['Shift'] })
      await web.page.getByText('691 people chosen').waitFor()
      await scrollTo(0)
      await choose(0).click()
      await web.page.getByText('690 people chosen').waitFor()
      await scrollTo(1e9)
      await choose(1_299).click({ modifiers: ['Shift'] })
      await web.page.getByText('At most 1,000 rows are chosen at once').waitFor()
      await web.page.getByText('690 people chosen').waitFor()
    })

    it('shows the same people when its rows become cards, and those that are left when it is shorter', async () => {
      await scrollTo(20_000)
      await row('p450@example.com').waitFor()
      const first = () =>
        web.page.evaluate(`(() => {
          const { bottom } = document.querySelector('#main').getBoundingClientRect()
          const inSight = [...document.querySelectorAll('tbody tr')].map((row) => [row.getBoundingClientRect(), row])
          return inSight.filter(([box]) => box.top < bottom && box.bottom > 52).map(([, row]) => Number(row.dataset.index))
        })()`) as Promise<number[]>
      const [wide = 0] = await first()
      await web.page.setViewportSize({ width: 360, height: 740 })
      await expect.poll(async () => Math.abs(((await first())[0] ?? 0) - wide)).toBeLessThanOrEqual(2)
      await web.page.setViewportSize({ width: 1280, height: 860 })
      await expect.poll(async () => Math.abs(((await first())[0] ?? 0) - wide)).toBeLessThanOrEqual(4)
      await scrollTo(1e9)
      await row('p1299@example.com').waitFor()
      const filter = encodeURIComponent('[{"key":"email","operator":"icontains","value":"p129"}]')
      await web.page.evaluate(`history.pushState(history.state, '', '?properties=${filter}')`)
      await count('11 people').waitFor()
      expect(await web.page.locator('tbody tr').count()).toBe(11)
      await row('p1299@example.com').waitFor()
    })
  })

  it.each(['persons', 'sessions'])('are exported by a key: %s', async (screen) => {
    await makeThree()
    await web.open(`/project/1/${screen}`)
    const download = web.page.waitForEvent('download')
    await web.page.keyboard.press('e')
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  })

  it('are deleted together, after what goes is told and typed', async () => {
    await makeThree()
    await web.open(PEOPLE)
    await web.page.getByRole('checkbox', { name: 'Choose ann@example.com' }).click()
    await web.page.getByRole('checkbox', { name: 'Choose bob@example.com' }).click()
    await web.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await web.page.getByText(/They go on Sunday, .* at 05:00 UTC: in /).waitFor()
    await web.look('people-delete')
    const go = web.page.getByRole('button', { name: 'Delete 2 people' })
    expect(await go.isDisabled()).toBe(true)
    await web.page.getByLabel('Type “delete 2 people” to go on').fill('delete 2 people')
    await go.click()
    await web.page.getByText('2 people are deleted; their events wait').waitFor()
    await count('1 person').waitFor()
    await expect.poll(() => row('ann@example.com').count()).toBe(0)
    const { count: waiting } = (
      await web.app.call('GET', '/api/projects/1/persons/deletion_status/?status=pending')
    ).json()
    expect(waiting).toBe(2)
  })

  it('are cards on a phone', async () => {
    await makeThree()
    await web.page.setViewportSize({ width: 360, height: 740 })
    await web.open(`${PEOPLE}?columns=["plan"]`)
    await web.look('phone-people')
    await web.page.getByRole('link', { name: 'ann@example.com' }).click()
    await web.page.getByRole('heading', { level: 1, name: 'ann@example.com' }).waitFor()
    await web.settled()
    await web.look('phone-person')
    const wide = await web.page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(wide).toBeLessThanOrEqual(0)
  })

  it('of somebody who may only read cannot be deleted, and it is told why', async () => {
    await makeThree()
    const body = { label: 'Reads', scopes: ['person:read'] }
    const { value } = (await web.app.call('POST', '/api/personal_api_keys/', { body })).json()
    await web.context.clearCookies()
    await web.enter({ personal_api_key: value })
    await web.open(PEOPLE)
    await web.page.getByRole('checkbox', { name: 'Choose ann@example.com' }).click()
    const remove = web.page.getByRole('button', { name: 'Delete', exact: true })
    expect([await remove.isDisabled(), await remove.getAttribute('title')]).toEqual([
      true,
      'Needs the scope person:write',
    ])
  })
})
