/** The settings of a project: changed, refused, not lost by mistake; names of every kind; the end of a project. */
import { beforeEach, describe, expect, it } from 'vitest'
import { PROJECT_TOKEN } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const NAMES = [
  '</script><script>alert(1)</script><!-- <b>',
  'متجر الحدائق',
  '🌿🏡👩🏽‍🌾 Hedge & Söhne “GmbH”',
  'x'.repeat(200),
]

describe.skipIf(noBrowser !== null)(`settings ${inABrowser}`, () => {
  const web = useWebApp()
  const rename = (name: string) => web.app.call('PATCH', '/api/projects/1/', { body: { name } })
  beforeEach(() => web.enter())

  it('are saved, and the request behind it can be had as a line for a shell, with its place in the docs', async () => {
    await web.open('/project/1/settings/project')
    await web.page.getByLabel('Name', { exact: true }).fill('Ann’s "garden" $HOME')
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByText('Saved', { exact: true }).waitFor()
    expect((await web.app.call('GET', '/api/projects/1/')).json().name).toBe('Ann’s "garden" $HOME')
    await web.page.getByRole('button', { name: 'Project: Ann’s "garden" $HOME' }).waitFor()
    await web.page.getByRole('button', { name: 'Show request' }).click()
    const line = await web.page.getByText(/^curl -X PATCH/).innerText()
    expect(line).toContain(`'{"name":"Ann’s \\"garden\\" $HOME"}'`)
    expect(line).toContain('$HEDGEROW_KEY')
    await web.look('requests')
    const link = web.page.getByRole('listitem').filter({ hasText: 'curl -X PATCH' }).getByRole('link')
    const [docs] = await Promise.all([web.context.waitForEvent('page'), link.click()])
    await docs.getByRole('button', { name: 'Test Request (patch /api/environments/{project_id}/)' }).first().waitFor()
    await expect.poll(() => docs.evaluate(IN_VIEW)).toBe(true)
    await docs.close()
  })

  it('that are not saved yet are not left by mistake', async () => {
    await web.open('/project/1/settings/project-events')
    const days = web.page.getByLabel('Days to keep events')
    await days.fill('90')
    await web.page.getByRole('link', { name: 'Recording' }).click()
    await web.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await web.look('unsaved')
    await web.page.getByRole('button', { name: 'Stay' }).click()
    expect(await days.inputValue()).toBe('90')
    await web.page.getByRole('link', { name: 'Recording' }).click()
    await web.page.getByRole('button', { name: 'Leave' }).click()
    await web.page.getByRole('heading', { name: 'Session recording' }).waitFor()
  })

  it('that the server refuses say so at their field', async () => {
    web.wanted.push(/^400 PATCH \/api\/environments\/1\/$/)
    await web.open('/project/1/settings/project-events')
    await web.page.getByLabel('Days to keep events').fill('99999')
    await web.page.getByRole('button', { name: 'Save' }).click()
    await web.page.getByRole('alert').waitFor()
    expect(await web.page.getByLabel('Days to keep events').getAttribute('aria-invalid')).toBe('true')
    await web.look('refused')
  })

  it.each(NAMES)('hold any name: %s', async (name) => {
    await rename(name)
    for (const path of ['settings/project', 'settings/project-delete']) {
      await web.open(`/project/1/${path}`)
      await web.settled()
      expect(await web.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await web.page.title()).toContain(name)
    }
    await web.page.getByRole('button', { name: 'Delete the project' }).click()
    await web.page.getByRole('dialog', { name: `Delete “${name}”?` }).waitFor()
    await web.look(`name-${NAMES.indexOf(name)}`)
    await web.page.setViewportSize({ width: 360, height: 740 })
    expect(await web.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    const { x = -1, width = 0 } = (await web.page.getByRole('button', { name: 'Close' }).boundingBox()) ?? {}
    expect(x).toBeGreaterThan(0)
    expect(x + width).toBeLessThanOrEqual(360)
    await web.look(`name-${NAMES.indexOf(name)}-phone`)
    await rename('Default project')
  })

  it('take no longer name than the API, which says so', async () => {
    const answer = await rename('x'.repeat(10_000))
    expect(answer.statusCode).toBe(400)
    await web.open('/project/1/settings/project')
    await web.page.getByLabel('Name', { exact: true }).fill('y'.repeat(10_000))
    expect((await web.page.getByLabel('Name', { exact: true }).inputValue()).length).toBe(200)
  })

  it('tell what is kept; and the first page of a project that has taken an event is another', async () => {
    await web.page.goto(web.address)
    await web.page.getByRole('heading', { name: 'First event', level: 1 }).waitFor()
    await web.open('/project/1/settings/project-events')
    await web.page.getByText('No events are stored yet.').waitFor()
    const body = { api_key: PROJECT_TOKEN, event: 'seed bought', distinct_id: 'jane' }
    await web.app.call('POST', '/i/v0/e/', { key: null, body })
    // Projects are remembered for a second.
    web.app.clock.advance(1_000)
    await web.page.reload()
    await web.page.getByText(/Stored now: 1 event, the oldest from \d+ \w+ \d{4} \(UTC\)\./).waitFor()
    await web.page.goto(web.address)
    await web.page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  })

  it('ask for the name before a project goes', async () => {
    const other = (await web.app.call('POST', '/api/projects/', { body: { name: 'Short lived' } })).json()
    await web.open(`/project/${other.id}/settings/project-delete`)
    await web.page.getByText('0 events, 0 people and 0 recordings').waitFor()
    await web.page.getByRole('button', { name: 'Delete the project' }).click()
    const go = web.page.getByRole('button', { name: 'Delete everything' })
    expect(await go.isDisabled()).toBe(true)
    await web.look('delete-project')
    await web.page.keyboard.press('Escape')
    await expect.poll(() => web.page.getByRole('dialog').count()).toBe(0)
    await web.page.getByRole('button', { name: 'Delete the project' }).click()
    await web.page.getByLabel(/^Type “Short lived”/).fill('Short lived')
    await go.click()
    await web.page.waitForURL(/\/project\/1\//)
    expect((await web.app.call('GET', `/api/projects/${other.id}/`)).statusCode).toBe(404)
  })
})

/** Whether the docs have gone to the operation that the link names. */
const IN_VIEW = `(() => {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
    textContent.includes('Test Request') && textContent.includes('(patch /api/environments/{project_id}/)'))
  const { top, bottom } = button.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
})()`
