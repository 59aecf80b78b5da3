/** Getting in: by password or key, where one wanted to go; what a key or a level does not allow is told; getting out. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ROOT_KEY } from '../../support/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { makeStranger } from '../../support/make.ts'
import { givePassword, PASSWORD } from '../../support/sign-in.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const SECOND = 1_000
const REFUSED = /^400 POST \/api\/login\/$/

describe.skipIf(noBrowser !== null)(`signing in ${inABrowser}`, () => {
  const web = useWebApp()
  const makeKey = async (scopes: string[]): Promise<{ id: string; value: string }> =>
    (await web.app.call('POST', '/api/personal_api_keys/', { body: { label: 'Of a test', scopes } })).json()

  beforeEach(() => givePassword(web.app))

  const fill = async (email: string, password: string) => {
    await web.page.getByLabel('E-mail address').fill(email)
    await web.page.getByRole('textbox', { name: 'Password' }).fill(password)
    // Enter does nothing while the form is locked, which it is a moment after it was sent.
    const answered = web.page.waitForResponse((response) => response.url().endsWith('/api/login/'))
    await web.page.keyboard.press('Enter')
    await answered
  }

  it('leads whoever is not signed in to the page for it, and back to where they wanted to go', async () => {
    web.wanted.push(REFUSED)
    await web.open('/project/1/settings/user?theme=dark')
    expect(web.path()).toBe('/login')
    expect(await web.page.locator('html').getAttribute('data-theme')).toBe('dark')
    await fill('admin@localhost', 'wrong')
    const words = await web.page.getByRole('alert').innerText()
    await web.look('sign-in-refused')
    await fill('nobody@localhost', PASSWORD)
    await expect.poll(() => web.page.getByRole('button', { name: 'Sign in' }).isEnabled()).toBe(true)
    expect(await web.page.getByRole('alert').innerText()).toBe(words)
    await fill('ADMIN@localhost', PASSWORD)
    await web.page.getByRole('heading', { name: 'My account' }).waitFor()
    expect(web.page.url()).toBe(`${web.address}/project/1/settings/user?theme=dark`)
  })

  it.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads elsewhere: %s',
    async (next) => {
      await web.open(`/login?with=key&next=${encodeURIComponent(next)}`)
      await web.page.getByLabel('Personal API key').fill(ROOT_KEY)
      await web.page.getByRole('button', { name: 'Sign in' }).click()
      await web.page.getByRole('heading', { name: 'First event' }).waitFor()
      expect(new URL(web.page.url()).origin).toBe(web.address)
    },
  )

  it('works with a key as well, within what the key may do', async () => {
    const { value } = await makeKey(['project:read'])
    await web.open('/login')
    await web.page.getByRole('tab', { name: 'API key' }).click()
    await web.page.getByLabel('Personal API key').fill(value)
    await web.page.getByRole('button', { name: 'Sign in' }).click()
    await web.page.getByText('one needs the scope query:read or person:read', { exact: false }).waitFor()
    await web.page.getByRole('link', { name: 'General' }).click()
    expect(await web.page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    expect(await web.page.getByRole('button', { name: 'Save' }).getAttribute('title')).toContain('project:write')
    await web.page.getByRole('link', { name: 'API keys' }).click()
    await web.page.getByText('It needs all scopes (*)', { exact: false }).waitFor()
    await web.look('not-allowed')
    await web.page.getByRole('link', { name: 'My account' }).click()
    await web.page.getByText('You signed in with an API key.', { exact: false }).waitFor()
  })

  it('says of each screen which scope is missing', async () => {
    const { value } = await makeKey(['person:read'])
    await web.enter({ personal_api_key: value })
    for (const screen of ['start', 'settings/project', 'settings/project-replay', 'settings/project-delete']) {
      await web.open(`/project/1/${screen}`)
      await web.page.getByText('It needs the scope project:read', { exact: false }).waitFor()
    }
  })

  it('shows a viewer the settings, and changes none for them', async () => {
    const organization = (await web.app.stores.projects.find(1))?.organizationId ?? ''
    const setLevel = (level: 0 | 15) => web.app.stores.transaction((tx) => tx.users.addMember(organization, 1, level))
    await setLevel(0)
    web.app.clock.advance(SECOND)
    await web.enter()
    await web.open('/project/1/settings/project')
    expect(await web.page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    expect(await web.page.getByRole('button', { name: 'Reset the token' }).getAttribute('title')).toContain(
      'project:write',
    )
    await web.look('viewer')
    await web.page.getByRole('link', { name: 'Delete project' }).click()
    expect(await web.page.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true)
    await web.page.getByRole('link', { name: 'API keys' }).click()
    await web.page.getByRole('heading', { name: 'Personal API keys' }).waitFor()
    await setLevel(15)
    web.app.clock.advance(SECOND)
  })

  it('has words for who may see no project', async () => {
    const { userId } = await makeStranger(web.app)
    await web.app.stores.transaction((tx) => tx.users.removeMemberships(userId))
    const { email = '' } = (await web.app.stores.users.find(userId)) ?? {}
    await givePassword(web.app, userId)
    await web.enter({ email, password: PASSWORD })
    await web.page.goto(web.address)
    await web.page.getByRole('heading', { name: 'There is no project for you yet' }).waitFor()
    await web.page.getByText(email, { exact: false }).waitFor()
    await web.look('no-project')
    await web.page.getByRole('button', { name: 'Sign out' }).click()
    await web.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('ends everywhere else at once: what is asked there next leads to the page for it, and back', async () => {
    web.wanted.push(/^401 GET /)
    const there = await web.another()
    await web.enter()
    await web.enter({ email: 'admin@localhost', password: PASSWORD }, there.page.context())
    await there.page.goto(`${web.address}/project/1/start`)
    await there.settled()
    await web.open('/project/1/settings/user')
    await web.page.getByText('(this one)').waitFor()
    await web.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect.poll(() => web.page.getByRole('button', { name: 'Sign out there' }).count()).toBe(0)
    web.app.clock.advance(SECOND)
    await there.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(there.page.url()).searchParams.get('next')).toBe('/project/1/start')
    await web.open('/project/1/settings/project')
  })

  it('ends with the key that it was made with', async () => {
    web.wanted.push(/^401 GET /)
    const { id, value } = await makeKey(['*'])
    await web.enter({ personal_api_key: value })
    await web.open('/project/1/settings/project-events')
    await web.app.call('DELETE', `/api/personal_api_keys/${id}/`)
    web.app.clock.advance(SECOND)
    await web.page.getByRole('link', { name: 'My account' }).click()
    await web.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(web.page.url()).searchParams.get('next')).toMatch(/^\/project\/1\/settings\//)
  })

  it('ends by the menu, and the page of before cannot be gone back to', async () => {
    await web.enter()
    await web.open('/project/1/settings/user')
    await web.page.getByRole('button', { name: /your menu$/ }).click()
    await web.look('user-menu')
    await web.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await web.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await web.page.goBack()
    await web.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(web.path()).toBe('/login')
  })
})
