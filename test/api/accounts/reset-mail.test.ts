/** A forgotten password: the mail with a link, what it says to whom, and what nobody learns. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/time.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { headerOf, textOf } from '../../support/servers/mailbox.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'
import { cookieOf, givePassword, makeLink, OWN_PAGE, postLogin, signIn } from '../../support/sign-in.ts'

const EMAIL = 'admin@localhost'
const NEW_PASSWORD = 'another horse battery'

let app: TestApp
let smtp: MailServer
let env: Record<string, string>
beforeEach(async () => {
  smtp = await startMailServer()
  env = {
    HEDGEROW_SMTP_URL: smtp.url,
    HEDGEROW_MAIL_FROM: 'hedgerow@acme.example',
    HEDGEROW_PUBLIC_URL: 'https://stats.acme.example/hedgerow',
  }
  app = await makeApp({ env })
})
afterEach(async () => {
  await app.end()
  await smtp.stop()
})

/** Behind a proxy, at the public address. */
const AT = { ...OWN_PAGE, host: 'stats.acme.example' }
const ask = (body: unknown, headers: Record<string, string> = AT) =>
  app.call('POST', '/api/reset/', { key: null, body, headers })
const signUp = (body: unknown) => app.call('POST', '/api/signup/', { key: null, body, headers: AT })

async function linkMailed(): Promise<URL> {
  await app.runner.runDue()
  const [, link = ''] = /Choose a new password: (\S+)/.exec(textOf(smtp.mails.at(-1) ?? ({ raw: '' } as never))) ?? []
  return new URL(link)
}

describe('a link to a new password', () => {
  beforeEach(() => givePassword(app))

  it('is mailed to a user, at the public address, and is the way to a new password', async () => {
    const before = await signIn(app)
    // Whoever asks may send any host: the link is made of the public address.
    expect((await ask({ email: 'Admin@LocalHost' }, { ...AT, host: 'evil.example' })).statusCode).toBe(204)
    const link = await linkMailed()
    expect(smtp.mails.map(({ to }) => to)).toEqual([EMAIL])
    const [mail] = smtp.mails
    expect(mail && [headerOf(mail, 'Subject'), headerOf(mail, 'List-Unsubscribe')]).toEqual([
      'A new password for Hedgerow',
      null,
    ])
    expect(`${link.origin}${link.pathname}`).toBe('https://stats.acme.example/hedgerow/reset')
    expect(mail && textOf(mail)).toContain(`href="${link.href}"`)
    const token = link.hash.slice(1)
    expect((await signUp({ token })).json()).toMatchObject({ purpose: 'reset', target_email: EMAIL })
    const used = await signUp({ token, password: NEW_PASSWORD })
    expect(used.statusCode).toBe(201)
    expect(cookieOf(used)).toMatch(/^__Host-hedgerow=/)
    app.clock.advance(1_000)
    const asked = await app.call('GET', '/api/users/@me/', { key: null, headers: { ...OWN_PAGE, cookie: before } })
    expect(asked.statusCode).toBe(401)
    expect((await postLogin(app, { email: EMAIL, password: NEW_PASSWORD }, AT)).statusCode).toBe(200)
    expect((await signUp({ token })).json()).toMatchObject({ code: 'link_used' })
  })

  it('works for a day, and not after another link was used', async () => {
    await ask({ email: EMAIL })
    const late = (await linkMailed()).hash.slice(1)
    app.clock.advance(DAY + 1)
    expect((await signUp({ token: late })).json()).toMatchObject({ code: 'link_expired' })
    await ask({ email: EMAIL })
    const other = (await linkMailed()).hash.slice(1)
    await signUp({ token: await makeLink(app), password: NEW_PASSWORD })
    expect((await signUp({ token: other })).statusCode).toBe(400)
  })

  it('is not sent to an address that is nobody’s, or a removed user’s; the answer is the same', async () => {
    await app.stores.transaction((tx) => tx.users.update(1, { isActive: false }))
    for (const email of ['nobody@example.com', EMAIL, 'x', '"<script>"@x', 'ä'.repeat(400)]) {
      const answer = await ask({ email })
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
    }
    await app.runner.runDue()
    expect(smtp.mails).toEqual([])
    expect((await app.stores.jobs.backlog(app.clock.now() + DAY)).parked).toBe(0)
  })

  it('is sent once for those who ask twice before it was sent', async () => {
    await Promise.all([1, 2, 3].map(() => ask({ email: EMAIL })))
    await app.runner.runDue()
    expect(smtp.mails).toHaveLength(1)
  })

  it('is tried again while the mail server does not answer', async () => {
    smtp.behave(() => ({ code: 451, text: 'later', at: 'rcpt' }) as never)
    await ask({ email: EMAIL })
    await app.runner.runDue()
    expect(smtp.mails).toHaveLength(0)
    smtp.behave(() => null)
    app.clock.advance(HOUR)
    const token = (await linkMailed()).hash.slice(1)
    expect((await signUp({ token })).statusCode).toBe(200)
  })

  it('is sent to one address five times in ten minutes, to whomever it belongs', async () => {
    for (const email of [EMAIL, 'nobody@example.com']) {
      for (let n = 0; n < 5; n++) expect((await ask({ email })).statusCode).toBe(204)
      const refused = await ask({ email: email.toUpperCase() })
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '600'])
    }
    app.clock.advance(10 * MINUTE + 1)
    expect((await ask({ email: EMAIL })).statusCode).toBe(204)
  })

  it.each([[{}], [{ email: '' }], [{ email: 7 }], [{ email: 'x'.repeat(401) }], [[]], ['']])(
    'is refused for %j',
    async (body) => expect((await ask(body)).statusCode).toBe(400),
  )

  it('is not for other sites to ask for', async () => {
    expect((await ask({ email: EMAIL }, { ...AT, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  })
})

it.each([
  ['a mail server', 'HEDGEROW_SMTP_URL'],
  ['a public address', 'HEDGEROW_PUBLIC_URL'],
])('without %s nothing is sent, and the answer is the same', async (_, name) => {
  const { [name]: _left, ...rest } = env
  const without = await makeApp({ env: rest })
  await givePassword(without)
  const call = (method: string, path: string, body?: unknown) =>
    without.call(method, path, { key: null, headers: AT, ...(body ? { body } : {}) })
  expect((await call('GET', '/_preflight/')).json()).toMatchObject({ email_service_available: false })
  expect((await call('POST', '/api/reset/', { email: EMAIL })).statusCode).toBe(204)
  await without.runner.runDue()
  expect(smtp.mails).toEqual([])
  await without.end()
})

it('the page can be told that mails are sent', async () => {
  const answer = await app.call('GET', '/_preflight/', { key: null, headers: { host: 'stats.acme.example' } })
  expect(answer.json()).toEqual({ initiated: false, email_service_available: true })
})
