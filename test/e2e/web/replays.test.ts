/** The list of recordings: narrowed by what happened in them, gone through by keys, and when there are none. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PROJECT_TOKEN } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { makePerson } from '../../support/make.ts'
import { click, pageOf } from '../../support/replay/hand-made-recording.ts'
import { replayPage } from '../../support/web/replay-page.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

describe.skipIf(noBrowser !== null)(`replays ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())
  const { shows, position, record, recordBlocks } = replayPage(web)
  const list = () => web.page.getByRole('table', { name: 'Recordings' })
  const linkTo = (session: string) => list().locator(`a[href$="/replay/${session}"]`)
  const parameter = (name: string) => new URL(web.page.url()).searchParams.get(name)

  describe('before there are any', () => {
    const allow = (session_recording_opt_in: boolean) =>
      web.app.call('PATCH', '/api/projects/1/', { body: { session_recording_opt_in } })

    it('says that recording is off, and switches it on', async () => {
      await allow(false)
      await web.open('/project/1/replay/home')
      await web.page.getByRole('heading', { name: 'Sessions are not recorded' }).waitFor()
      await web.look('replays-off')
      await web.page.getByRole('switch', { name: 'Record sessions' }).click()
      await web.page.getByRole('heading', { name: 'Nothing was recorded yet' }).waitFor()
      const project = (await web.app.call('GET', '/api/projects/1/')).json()
      expect(project.session_recording_opt_in).toBe(true)
    })
  })

  it('are chosen from, narrowed to what nobody has seen; back keeps that', async () => {
    const { session } = await record()
    const list = web.page.getByRole('table', { name: 'Recordings' })
    const link = list.locator(`a[href$="/replay/${session}"]`)
    await web.open('/project/1/replay/home')
    await link.waitFor()
    await web.look('replays')
    await web.page.getByRole('switch', { name: 'Only those I have not seen' }).click()
    await expect.poll(() => new URL(web.page.url()).search).toBe('?hide_viewed_recordings=current-user')
    await link.click()
    await position().waitFor()
    await expect
      .poll(async () => (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/`)).json().viewed)
      .toBe(true)
    await web.page.goBack()
    await web.page.reload()
    await web.page.getByRole('switch', { name: 'Only those I have not seen' }).waitFor()
    await expect.poll(() => link.count()).toBe(0)
    await web.page.getByLabel('Order').selectOption('Fewest errors first')
    await expect.poll(() => [parameter('order'), parameter('order_direction')]).toEqual(['console_error_count', 'ASC'])
    await web.page.getByRole('switch', { name: 'Only those I have not seen' }).click()
    await link.waitFor()
    await web.page.goBack()
    await expect.poll(() => link.count()).toBe(0)
  })

  it('are marked as seen and deleted together, also by keys', async () => {
    // Newer than those of other tests.
    web.app.clock.advance(3_600_000)
    const { session } = await record()
    const { session: other } = await record()
    const list = web.page.getByRole('table', { name: 'Recordings' })
    const linkTo = (id: string) => list.locator(`a[href$="/replay/${id}"]`)
    await web.open('/project/1/replay/home')
    await linkTo(session).waitFor()
    await linkTo(other).waitFor()
    await web.page.keyboard.press('j')
    await web.page.keyboard.press('x')
    await web.page.getByText('1 recording chosen').waitFor()
    await web.page.keyboard.press('j')
    await web.page.keyboard.press('X')
    await web.page.getByText('2 recordings chosen').waitFor()
    await web.look('replays-chosen')
    await web.page.getByRole('button', { name: 'Mark as seen' }).click()
    await web.page.getByText('2 recordings marked as seen').waitFor()
    const read = (id: string) => web.app.call('GET', `/api/projects/1/session_recordings/${id}/`)
    const seen = async (id: string) => (await read(id)).json().viewed
    expect([await seen(session), await seen(other)]).toEqual([true, true])
    await web.page.keyboard.press('x')
    await web.page.getByRole('button', { name: 'Delete' }).click()
    await web.page.getByRole('button', { name: 'Delete 1 recording' }).click()
    await web.page.getByText('1 recording deleted').waitFor()
    const states = [(await read(session)).statusCode, (await read(other)).statusCode]
    expect(states.toSorted()).toEqual([200, 404])
  })

  it('are narrowed by events, by lines of the console and by counts, which can be dropped again', async () => {
    web.app.clock.advance(3_600_000)
    const { session } = await record()
    const { session: quiet, at } = await recordBlocks((start) => [[...pageOf(start, 'Quiet'), click(start + 1_000)]])
    const event = {
      api_key: PROJECT_TOKEN,
      event: 'looked around',
      distinct_id: 'visitor',
      timestamp: new Date(at(1)).toISOString(),
      properties: { $session_id: quiet, mood: 'calm' },
    }
    await web.app.call('POST', '/i/v0/e/', { key: null, body: event })
    await web.open('/project/1/replay/home')
    await linkTo(session).waitFor()
    await linkTo(quiet).waitFor()
    await web.page.getByLabel('With the event').fill('order failed')
    await web.page.keyboard.press('Enter')
    await expect.poll(() => parameter('events')).toBe('[{"id":"order failed"}]')
    await expect.poll(() => linkTo(quiet).count()).toBe(0)
    await linkTo(session).waitFor()
    await web.look('replays-narrowed')
    await web.page.getByRole('button', { name: 'Remove order failed' }).click()
    await linkTo(quiet).waitFor()
    await web.page.getByLabel('Console').selectOption('With errors')
    await expect.poll(() => linkTo(quiet).count()).toBe(0)
    await linkTo(session).waitFor()
    await web.page.getByLabel('Console').selectOption('Any')
    await linkTo(quiet).waitFor()
    const add = async (of: string, property: string, comparison: string, field: string, value: string) => {
      await web.page.getByRole('button', { name: 'Filter', exact: true }).click()
      await web.page.getByLabel('Of', { exact: true }).selectOption(of)
      await web.page.getByRole('combobox', { name: 'Property' }).fill(property)
      await web.page.getByLabel('Comparison').selectOption(comparison)
      const role = field === 'Value' ? 'combobox' : 'textbox'
      await web.page.getByRole(role, { name: field, exact: true }).fill(value)
      await web.page.getByRole('button', { name: 'Apply' }).click()
    }
    await add('Event', 'mood', 'is', 'Value', 'calm')
    await expect.poll(() => linkTo(session).count()).toBe(0)
    await linkTo(quiet).waitFor()
    await add('Recording', 'click_count', 'is at least', 'Number', '2')
    await web.page.getByRole('heading', { name: 'No recording matches' }).waitFor()
    expect(JSON.parse(String(parameter('having_predicates')))).toMatchObject([{ key: 'click_count', value: 2 }])
    await web.page.getByRole('button', { name: 'mood is “calm”', exact: true }).last().click()
    await linkTo(session).waitFor()
    expect(await linkTo(quiet).count()).toBe(0)
  })

  it('are shown beside the list while one goes through it by keys, and are not seen by that', async () => {
    web.app.clock.advance(3_600_000)
    const { session } = await record()
    await web.open('/project/1/replay/home')
    await linkTo(session).waitFor()
    await web.page.keyboard.press('j')
    const preview = web.page.getByRole('region', { name: /^Preview of the recording of/ })
    await preview.waitFor()
    await shows('The shop')
    await web.look('replays-preview')
    await web.page.keyboard.press('Escape')
    await expect.poll(() => preview.count()).toBe(0)
    const { viewed } = (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/`)).json()
    expect(viewed).toBe(false)
    await web.page.keyboard.press('Enter')
    await position().waitFor()
    expect(web.path()).toBe(`/project/1/replay/${session}`)
  })

  it('of a person are gone through and played by keys', async () => {
    web.app.clock.advance(3_600_000)
    const { session } = await record()
    const { distinct_id } = (await web.app.call('GET', `/api/projects/1/session_recordings/${session}/`)).json()
    const { uuid } = await makePerson(web.app, { distinctIds: [distinct_id] })
    await web.open(`/project/1/persons/${uuid}?tab=recordings`)
    await linkTo(session).waitFor()
    await web.page.keyboard.press('j')
    await web.look('person-recordings-row')
    await web.page.keyboard.press('Enter')
    await position().waitFor()
    expect(web.path()).toBe(`/project/1/replay/${session}`)
  })

  it('are cards on a phone', async () => {
    const { session } = await record()
    await web.page.setViewportSize({ width: 360, height: 740 })
    await web.open('/project/1/replay/home')
    await linkTo(session).waitFor()
    const cards = list().locator('tbody tr')
    const [first, second] = await Promise.all([cards.nth(0).boundingBox(), cards.nth(1).boundingBox()])
    // All of a card is above the one below it.
    const last = await cards.nth(0).locator('td').last().boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(second?.y ?? 0)
    expect(first?.width).toBeLessThanOrEqual(360)
    await web.look('replays-phone')
    await linkTo(session).click()
    await shows('The shop')
    for (const button of await web.page.locator('[class*="buttons"] button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await web.look('replay-phone')
  })
})
