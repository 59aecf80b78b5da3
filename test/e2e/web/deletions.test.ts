/** Deletions: a person is deleted and waits, is late, is carried out while one looks; and the filters of the list. */
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDeletionsFeature } from '../../../src/features/deletions/deletions.feature.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { testClock } from '../../support/clock.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const WEEK = 7 * 86_400_000
const SCREEN = '/project/1/deletions'

describe.skipIf(noBrowser !== null)(`deletions ${inABrowser}`, () => {
  const start = Date.now()
  const web = useWebApp(() => ({ clock: testClock(start - WEEK) }))
  beforeEach(() => web.enter())

  const row = (text: string) => web.page.getByRole('row').filter({ hasText: text })
  const requests = () => web.page.getByRole('region', { name: 'Requests' })

  /** Somebody with an event, and deleted with it by the API. */
  const forget = async (name: string): Promise<string> => {
    const { id, uuid } = await makePerson(web.app, { distinctIds: [name] })
    await makeEvents(web.app, [{ distinctId: name }])
    await web.app.call('DELETE', `/api/projects/1/persons/${id}/`, { query: { delete_events: 'true' } })
    return uuid
  }

  /** Carries out what waits, as another process does; `hold` is awaited before the events go. */
  const runElsewhere = (hold: Promise<void>): Promise<unknown> => {
    const { erase } = web.app.stores.events
    const events: EventStore = {
      ...web.app.stores.events,
      async erase(asked) {
        await hold
        return erase(asked)
      },
    }
    const parts = { stores: { ...web.app.stores, events }, clock: web.app.clock, logger: pino({ level: 'silent' }) }
    return createDeletionsFeature(parts).run({ projectId: 1 })
  }

  it('say that nothing was asked', async () => {
    await web.open(SCREEN)
    await web.page.getByRole('heading', { name: 'Nothing was asked to be deleted' }).waitFor()
    await web.page.getByText('There was none yet.').waitFor()
    await web.look('deletions-none')
  })

  it('are late when their Sunday has passed, with the reason and what to do; then carried out while one looks', async () => {
    const late = await forget('late@example.com')
    web.app.clock.set(start)
    await web.enter()
    await web.open(SCREEN)
    const card = web.page.getByRole('region', { name: 'Late' })
    await card.getByText('No run has come to its end since').waitFor()
    await card.getByText('hedgerow deletions run --project 1').waitFor()
    await card.getByText(late).waitFor()
    await web.look('deletions-late')

    let release = () => {}
    const hold = new Promise<void>((resolve) => {
      release = resolve
    })
    const run = runElsewhere(hold)
    await expect
      .poll(async () => (await web.app.call('GET', '/api/projects/1/persons/deletion_summary/')).json().phase)
      .toBe('deleting')
    await web.page.reload()
    await web.page.locator('[aria-current="step"]', { hasText: 'Delete' }).waitFor()
    await card.getByText('A run is under way').waitFor()
    await web.look('deletions-running')
    release()
    await run
    await web.page.getByRole('heading', { name: 'Next run' }).waitFor()
    await card.waitFor({ state: 'detached' })
    await requests().getByRole('row').filter({ hasText: late }).getByText('Done').waitFor()
    await web.page.getByRole('region', { name: 'Last run' }).getByText('Ended').waitFor()
    await web.look('deletions-done')
  })

  it('are narrowed by state and by person; back, forward and reload keep it', async () => {
    const [ann, bob] = [await forget('ann'), await forget('bob')]
    await web.open(SCREEN)
    await row(ann).waitFor()
    await row(bob).getByText('Waiting').waitFor()
    await web.page.getByLabel('State').selectOption('Done')
    await expect.poll(() => row(ann).count()).toBe(0)
    await web.page.getByLabel('Person').fill(bob)
    await web.page.keyboard.press('Enter')
    await web.page.getByRole('heading', { name: 'No request matches' }).waitFor()
    await web.look('deletions-nothing-matches')
    await web.page.getByRole('button', { name: 'done', exact: true }).click()
    await row(bob).waitFor()
    expect(new URL(web.page.url()).search).toBe(`?person_uuid=${bob}`)
    await web.page.goBack()
    await web.page.getByRole('heading', { name: 'No request matches' }).waitFor()
    await web.page.goForward()
    await row(bob).waitFor()
    await web.page.reload()
    await row(bob).waitFor()
    expect(await row(ann).count()).toBe(0)
    expect(await web.page.getByLabel('Person').inputValue()).toBe(bob)
  })

  it('are gone through by keys, and narrowed to a person', async () => {
    const [dan, eve] = [await forget('dan'), await forget('eve')]
    await web.open(SCREEN)
    await requests().getByRole('row').filter({ hasText: dan }).waitFor()
    const [first = ''] = await requests().locator('tbody tr button').allInnerTexts()
    expect([dan, eve]).toContain(first)
    await web.page.keyboard.press('j')
    await web.look('deletions-row')
    await web.page.keyboard.press('Enter')
    await expect.poll(() => new URL(web.page.url()).searchParams.get('person_uuid')).toBe(first)
    await expect.poll(() => requests().locator('tbody tr').count()).toBe(1)
  })

  it('tell at the field what is no person, and are had as CSV', async () => {
    web.wanted.push(/^400 GET .*deletion_status/)
    await web.open(`${SCREEN}?person_uuid=nobody`)
    await web.page.getByText('Must be a valid UUID.').waitFor()
    await web.open(`${SCREEN}?status=pending`)
    const [download] = await Promise.all([web.page.waitForEvent('download'), web.page.keyboard.press('e')])
    expect(download.suggestedFilename()).toBe('deletion_status.csv')
  })

  it('tell each time in all zones, where the table does not cut it off', async () => {
    await forget('cyd')
    await web.open(SCREEN)
    const last = requests().locator('tbody tr').last().locator('time').first()
    await last.hover()
    await last.getByText('ISO').waitFor()
    const isWhole = await web.page.evaluate(`(() => {
      const zones = document.querySelector('time:hover dl')
      const { left, right, top, bottom } = zones.getBoundingClientRect()
      const corners = [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3]]
      return corners.every(([x, y]) => zones.contains(document.elementFromPoint(x, y)))
    })()`)
    expect(isWhole).toBe(true)
    await web.look('moment')
  })
})
