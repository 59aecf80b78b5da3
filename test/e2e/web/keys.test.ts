/** API keys: made, shown once, rolled, deleted; and the question who one is, before anything of it, after an hour. */
import { beforeEach, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { givePassword, PASSWORD } from '../../support/sign-in.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const HOUR = 3_600_000
const SECOND = 1_000

describe.skipIf(noBrowser !== null)(`a key ${inABrowser}`, () => {
  const web = useWebApp()
  beforeEach(() => web.enter())

  const makeNew = async (name: string, path = '/project/1/settings/user-api-keys?do=new') => {
    await web.open(path)
    await web.page.getByLabel('Name', { exact: true }).fill(name)
    await web.page.getByRole('button', { name: 'Create the key' }).click()
  }
  const secretShown = async (name: string): Promise<string> => {
    await web.page.getByRole('dialog', { name: `“${name}” is ready` }).waitFor()
    return web.page.getByText(/^phx_\w+$/).innerText()
  }
  const close = async () => {
    await web.page.getByRole('button', { name: 'Done' }).click()
    await web.page.getByText('Have you stored it?').waitFor()
    await web.page.getByRole('button', { name: 'Yes, close' }).click()
  }

  it('is made by a preset, shown once, and works; its secret is in no request that is remembered', async () => {
    await web.open('/project/1/settings/user-api-keys?do=new&preset=erasure')
    await web.look('new-key')
    await makeNew('Forgetting', '/project/1/settings/user-api-keys?do=new&preset=erasure')
    const secret = await secretShown('Forgetting')
    await web.look('secret')
    const persons = await web.app.call('GET', '/api/projects/1/persons/', { key: secret })
    const dashboards = await web.app.call('GET', '/api/projects/1/dashboards/', { key: secret })
    expect([persons.statusCode, dashboards.statusCode]).toEqual([200, 403])
    await close()
    await web.page.getByRole('cell', { name: 'Forgetting', exact: true }).waitFor()
    await web.page.getByRole('button', { name: 'Show request' }).click()
    await web.page.getByRole('dialog', { name: 'Requests behind this screen' }).waitFor()
    expect(await web.page.content()).not.toContain(secret)
    await web.page.reload()
    await web.page.getByRole('cell', { name: 'Forgetting', exact: true }).waitFor()
    expect(await web.page.content()).not.toContain(secret)
  })

  it('is rolled and deleted after a question', async () => {
    await web.app.call('POST', '/api/personal_api_keys/', { body: { label: 'Old one', scopes: ['person:read'] } })
    await web.open('/project/1/settings/user-api-keys')
    await web.page.getByRole('button', { name: 'Roll Old one' }).click()
    await web.look('roll-key')
    await web.page.getByRole('button', { name: 'Roll the key' }).click()
    await secretShown('Old one')
    await close()
    await web.page.getByRole('button', { name: 'Delete Old one' }).click()
    await web.page.getByRole('button', { name: 'Delete the key' }).click()
    await web.page.getByText('“Old one” is deleted').waitFor()
    await expect.poll(() => web.page.getByRole('cell', { name: 'Old one', exact: true }).count()).toBe(0)
  })

  it('ends a sign-in that was made with it, when it is deleted', async () => {
    web.wanted.push(/^401 GET /)
    await makeNew('For a wall', '/project/1/settings/user-api-keys?do=new&preset=read')
    const key = await secretShown('For a wall')
    await close()
    const wall = await web.another()
    await web.enter({ personal_api_key: key }, wall.page.context())
    await wall.page.goto(`${web.address}/project/1/settings/project?kiosk=1`)
    await wall.settled()
    await web.page.getByRole('button', { name: 'Delete For a wall' }).click()
    await web.page.getByRole('button', { name: 'Delete the key' }).click()
    await web.page.getByText('“For a wall” is deleted').waitFor()
    web.app.clock.advance(SECOND)
    await wall.page.keyboard.press('g')
    await wall.page.keyboard.press('f')
    await wall.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(wall.page.url()).searchParams.get('next')).toContain('kiosk=1')
  })

  it('is made after a proof when the sign-in is old: by password', async () => {
    web.wanted.push(/^403 POST \/api\/personal_api_keys\/$/, /^400 POST \/api\/login\/$/)
    await web.open('/project/1/settings/user-api-keys')
    web.app.clock.advance(2 * HOUR)
    await makeNew('Proved')
    const dialog = web.page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.waitFor()
    await web.look('proof')
    await web.page.keyboard.type('wrong')
    await web.page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await web.page.keyboard.press('Enter')
    await secretShown('Proved')
    // It is proved for a while.
    await close()
    await makeNew('Proved too')
    await secretShown('Proved too')
  })

  it('is made after a proof when the sign-in is old: by the key that it was made with', async () => {
    web.wanted.push(/^403 POST \/api\/personal_api_keys\/$/)
    const body = { label: 'For all', scopes: ['*'] }
    const { value } = (await web.app.call('POST', '/api/personal_api_keys/', { body })).json()
    await web.context.clearCookies()
    await web.enter({ personal_api_key: value })
    web.app.clock.advance(2 * HOUR)
    await makeNew('By a key')
    await web.page.getByLabel('API key', { exact: true }).fill(value)
    await web.page.keyboard.press('Enter')
    await secretShown('By a key')
  })

  it('is not made without the proof, and the form is still there', async () => {
    web.wanted.push(/^403 POST \/api\/personal_api_keys\/$/)
    web.app.clock.advance(2 * HOUR)
    await makeNew('Not proved')
    await web.page
      .getByRole('dialog', { name: 'Confirm that it is you' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    expect(await web.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Not proved')
    await web.page.getByRole('alert').waitFor()
    const { results } = (await web.app.call('GET', '/api/personal_api_keys/')).json()
    expect(results.map(({ label }: { label: string }) => label)).not.toContain('Not proved')
  })

  it('has nothing to do with the password, which is changed by who knows the present one', async () => {
    await web.open('/project/1/settings/user')
    await web.page.getByLabel('Current password').fill('not this one at all')
    await web.page.getByLabel('New password').fill('a longer battery')
    web.wanted.push(/^40[03] PATCH \/api\/users\/@me\/$/)
    await web.page.getByRole('button', { name: 'Change the password' }).click()
    await web.page.getByRole('alert').first().waitFor()
    await web.look('password-refused')
    await web.page.getByLabel('Current password').fill(PASSWORD)
    await web.page.getByRole('button', { name: 'Change the password' }).click()
    await web.page.getByText('The password is changed').waitFor()
    await web.enter({ email: 'admin@localhost', password: 'a longer battery' })
    await givePassword(web.app)
  })
})
