/** History: what was done is told in sentences with what it changed, narrowed by kind, by user and by thing. */
import { beforeEach, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { makePerson } from '../../support/make.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const SCREEN = '/project/1/history'

describe.skipIf(noBrowser !== null)(`the history ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  const entry = (text: string) => web.page.getByRole('listitem').filter({ hasText: text })
  const patchPerson = async (properties: object): Promise<number> => {
    const { id } = await makePerson(web.app, { properties: { plan: 'free' } })
    await web.app.call('PATCH', `/api/projects/1/persons/${id}/`, { body: { properties } })
    return id
  }

  it('tells who changed what, with the values before and after', async () => {
    const id = await patchPerson({ plan: 'paid' })
    await web.open(SCREEN)
    const line = entry(`Admin changed properties of the person ${id}`)
    await line.getByText('plan: free → paid').click()
    await line.getByText('free', { exact: true }).waitFor()
    await line.getByText('paid', { exact: true }).waitFor()
    await web.look('history')
  })

  it('undoes a change, unless the value has become another since, and tells that', async () => {
    const id = await patchPerson({ plan: 'paid' })
    const change = (plan: string) =>
      web.app.call('PATCH', `/api/projects/1/persons/${id}/`, { body: { properties: { plan } } })
    const plan = async () => (await web.app.call('GET', `/api/projects/1/persons/${id}/`)).json().properties.plan
    await web.open(`${SCREEN}?scope=Person&item_id=${id}`)
    await entry('plan: free → paid').getByRole('button', { name: 'Undo' }).click()
    await entry('Admin undid a change of the person').waitFor()
    expect(await plan()).toBe('free')
    await change('team')
    await web.page.reload()
    await entry('plan: free → team').waitFor()
    await change('gold')
    web.wanted.push(/^409 POST .*undo/)
    await entry('plan: free → team').getByRole('button', { name: 'Undo' }).click()
    await entry('plan: free → team').getByRole('alert').waitFor()
    await web.look('history-undo-refused')
    expect(await plan()).toBe('gold')
  })

  it('is narrowed by kind, thing and user; back, forward and reload keep it', async () => {
    await web.app.call('PATCH', '/api/projects/1/', { body: { name: 'Garden shop' } })
    const id = await patchPerson({ plan: 'gold' })
    await web.open(SCREEN)
    await entry('changed the project').first().waitFor()
    await web.page.getByLabel('Kind').selectOption('Person')
    await expect.poll(() => entry('changed the project').count()).toBe(0)
    await entry(`of the person ${id}`)
      .getByRole('button', { name: String(id) })
      .click()
    await expect.poll(() => new URL(web.page.url()).search).toBe(`?scope=Person&item_id=${id}`)
    await entry(`of the person ${id}`).waitFor()
    await web.page.goBack()
    await expect.poll(() => web.page.getByLabel('Id', { exact: true }).inputValue()).toBe('')
    await web.page.goForward()
    await expect.poll(() => web.page.getByLabel('Id', { exact: true }).inputValue()).toBe(String(id))
    await web.page.getByLabel('Kind').selectOption('Report')
    await web.page.getByRole('heading', { name: 'No entry matches' }).waitFor()
    await web.page.reload()
    await web.page.getByRole('heading', { name: 'No entry matches' }).waitFor()
    await web.look('history-nothing-matches')
    await web.page.getByRole('button', { name: 'kind: report' }).click()
    await entry(`of the person ${id}`).waitFor()
    await entry(`of the person ${id}`).getByRole('button', { name: 'Admin' }).click()
    await expect.poll(() => web.page.getByLabel('By').locator('option:checked').innerText()).toContain('(you)')
  })

  it('is gone through by keys: what was changed opens, or what else was done to a thing', async () => {
    const id = await patchPerson({ plan: 'bronze' })
    await web.app.call('DELETE', `/api/projects/1/persons/${id}/`)
    await patchPerson({ plan: 'tin' })
    await web.open(`${SCREEN}?scope=Person`)
    await entry('plan: free → tin').waitFor()
    await web.page.keyboard.press('j')
    await web.page.keyboard.press('Enter')
    await entry('plan: free → tin').getByText('After').waitFor()
    await web.page.keyboard.press('j')
    await web.look('history-row')
    expect(await web.page.evaluate('document.activeElement.title')).toBe('Only what was done to it')
    await web.page.keyboard.press('Enter')
    await expect.poll(() => new URL(web.page.url()).searchParams.get('item_id')).toBe(String(id))
    await expect.poll(() => entry('plan: free → tin').count()).toBe(0)
  })

  it('forgets what it was about a person who was erased, and goes on page by page', async () => {
    const id = await patchPerson({ plan: 'silver' })
    for (let i = 0; i < 50; i++)
      await web.app.call('PATCH', `/api/projects/1/persons/${id}/`, { body: { properties: { i } } })
    await web.app.call('DELETE', `/api/projects/1/persons/${id}/`)
    await web.open(`${SCREEN}?scope=Person&item_id=${id}`)
    await entry('deleted the person').waitFor()
    await entry('What it was is erased with the person.').first().waitFor()
    await web.page.getByText('1–50 of 52').waitFor()
    await web.page.getByRole('button', { name: 'Older' }).click()
    await web.page.getByText('51–52 of 52').waitFor()
    expect(new URL(web.page.url()).searchParams.get('offset')).toBe('50')
    await web.page.getByRole('button', { name: 'Newer' }).click()
    await web.page.getByText('1–50 of 52').waitFor()
    expect(await web.page.content()).not.toContain('silver')
  })

  it('tells at the field what is no user, and is had as CSV', async () => {
    web.wanted.push(/^400 GET .*activity_log/)
    await web.open(`${SCREEN}?user=nobody`)
    await web.page.getByText('Must be the id or the UUID of a user.').waitFor()
    await web.open(SCREEN)
    const [download] = await Promise.all([
      web.page.waitForEvent('download'),
      web.page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('activity.csv')
  })
})
