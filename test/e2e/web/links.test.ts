/** One-time links: to set up, to choose a new password, used, expired and unknown ones; and the mail that brings one. */
import { afterAll, describe, expect, it } from 'vitest'
import { noBrowser } from '../../support/browser/browser.ts'
import { headerOf, textOf } from '../../support/servers/mailbox.ts'
import { freePort } from '../../support/servers/server-folder.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'
import { givePassword, makeLink, PASSWORD } from '../../support/sign-in.ts'
import { inABrowser, useWebApp } from '../../support/web/web-app.ts'

const DAY = 86_400_000
const DEAD = /^400 POST \/api\/signup\/$/

describe.skipIf(noBrowser !== null)(`a link ${inABrowser}`, () => {
  let mail: MailServer
  const web = useWebApp(async () => {
    mail = await startMailServer()
    const port = await freePort()
    const env = {
      HEDGEROW_SMTP_URL: mail.url,
      HEDGEROW_MAIL_FROM: 'hedgerow@acme.example',
      HEDGEROW_PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
    return { env, port }
  })
  afterAll(() => mail?.stop())

  it('sets up, and no address carries its token to the server', async () => {
    const token = await makeLink(web.app)
    const asked: string[] = []
    web.page.on('request', (request) => void asked.push(request.url()))
    await web.open(`/setup#${token}`)
    await web.page.getByText('admin@localhost').waitFor()
    const go = web.page.getByRole('button', { name: 'Set the password' })
    await web.page.getByLabel('Password', { exact: true }).fill('too short')
    expect(await go.isDisabled()).toBe(true)
    await web.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await web.look('set-up')
    await go.click()
    await web.page.getByRole('heading', { name: 'First event' }).waitFor()
    expect(asked.filter((url) => url.split('#')[0]?.includes(token))).toEqual([])
    expect(asked.length).toBeGreaterThan(3)
  })

  it.each([
    ['used', 'This link was used before'],
    ['expired', 'This link has expired'],
    ['unknown', 'This link is not valid'],
  ])('that is %s says so, and what to do', async (state, words) => {
    web.wanted.push(DEAD)
    let token = state === 'unknown' ? 'nonsense' : await makeLink(web.app)
    if (state === 'used') {
      const body = { token, password: PASSWORD }
      const headers = { 'sec-fetch-site': 'same-origin' }
      expect((await web.app.call('POST', '/api/signup/', { key: null, body, headers })).statusCode).toBe(201)
    }
    if (state === 'expired') {
      token = await makeLink(web.app)
      web.app.clock.advance(DAY + 1)
    }
    await web.open(`/setup#${token}`)
    await web.page.getByText(words, { exact: false }).waitFor()
    expect(await web.page.getByText('hedgerow users link EMAIL').count()).toBe(1)
    await web.look(`link-${state}`)
  })

  it('that is missing is asked for', async () => {
    await web.open('/setup')
    await web.page.getByRole('heading', { name: 'A link is needed' }).waitFor()
    await web.look('link-missing')
  })

  it('comes by mail to who has forgotten the password, and works once', async () => {
    web.wanted.push(DEAD)
    await givePassword(web.app)
    await web.open('/login')
    await web.page.getByRole('link', { name: 'I have forgotten my password' }).click()
    await web.page.getByRole('heading', { name: 'A new password' }).waitFor()
    await web.page.getByLabel('E-mail address').fill('nobody@localhost')
    await web.page.keyboard.press('Enter')
    const sent = web.page.getByText('the link is on its way', { exact: false })
    await sent.waitFor()
    await web.open('/reset')
    await web.page.getByLabel('E-mail address').fill('admin@localhost')
    await web.page.keyboard.press('Enter')
    await sent.waitFor()
    await web.look('reset-sent')
    await web.app.runner.runDue()
    expect(mail.mails.map((one) => [one.to, headerOf(one, 'Subject')])).toEqual([
      ['admin@localhost', 'A new password for Hedgerow'],
    ])
    const [link = ''] = new RegExp(`${web.address}/reset#[\\w-]+`).exec(mail.mails.map(textOf).join()) ?? []
    await web.page.goto(link)
    await web.page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await web.page.getByLabel('Password', { exact: true }).fill('a better battery')
    await web.look('reset-link')
    await web.page.getByRole('button', { name: 'Change the password' }).click()
    await web.page.getByRole('heading', { name: 'First event' }).waitFor()
    await web.enter({ email: 'admin@localhost', password: 'a better battery' })
    const again = await web.another()
    await again.page.goto(link)
    await again.page.getByText('This link was used before', { exact: false }).waitFor()
  })
})
