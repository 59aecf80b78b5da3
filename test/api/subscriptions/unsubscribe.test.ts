/** Unsubscribing by the link in a mail: what the page shows, what a POST does, and what neither does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clearProject, markRemoved } from '../../../src/rules/accounts/project-removal.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { PATH, subscribe } from '../../support/deliveries/subscription.ts'
import { unsubscribeUrl } from '../../support/servers/mailbox.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'

const DAY = 86_400_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let app: TestApp
let smtp: MailServer
beforeEach(async () => {
  smtp = await startMailServer()
  app = await makeApp({
    env: {
      HEDGEROW_SMTP_URL: smtp.url,
      HEDGEROW_MAIL_FROM: 'reports@acme.example',
      HEDGEROW_PUBLIC_URL: 'https://stats.acme.example/hedgerow',
    },
  })
})
afterEach(async () => {
  await app.end()
  await smtp.stop()
})

/** A subscription to these addresses, and the link that the first one received. */
async function subscribed(addresses = 'ann@example.com,bob@example.com') {
  const { id } = await subscribe(app, { target_value: addresses, insight: 1, start_date: '2026-03-09T09:00:00Z' })
  await app.runner.runDue()
  return { id, ...linkTo(addresses.split(',')[0] ?? '') }
}

function linkTo(address: string) {
  const mail = smtp.mails.findLast(({ to }) => to === address)
  if (!mail) throw new Error(`There is no mail to ${address}.`)
  const url = unsubscribeUrl(mail)
  return { url, path: `/unsubscribe${url.search}` }
}

const read = async (id: number) => (await app.call('GET', `${PATH}${id}/`)).json()
const look = (path: string) => app.call('GET', path, { key: null })
const leave = (path: string, headers: Record<string, string> = FORM, body = 'List-Unsubscribe=One-Click') =>
  app.call('POST', path, { key: null, headers, body })

describe('the link in a mail', () => {
  it('begins with the public address and shows who would leave, masked', async () => {
    const { id, url, path } = await subscribed()
    expect(url.href).toMatch(/^https:\/\/stats\.acme\.example\/hedgerow\/unsubscribe\?token=/)
    const page = await look(path)
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
    expect(page.body).toContain('a…@example.com')
    expect(page.body).not.toContain('ann@example.com')
    expect(page.body).toContain('<form method="post">')
    expect((await read(id)).target_value).toBe('ann@example.com,bob@example.com')
  })

  it('takes that address off, and no other', async () => {
    const { id, path } = await subscribed()
    const answer = await leave(path)
    expect([answer.statusCode, answer.body.includes('You are unsubscribed')]).toEqual([200, true])
    expect(await read(id)).toMatchObject({ target_value: 'bob@example.com', deleted: false })
    const log = (
      await app.call('GET', '/api/environments/1/activity_log/', { query: { scope: 'Subscription' } })
    ).json()
    expect(log.results[0]).toMatchObject({ activity: 'updated', user: { is_system: true } })
    smtp.mails.length = 0
    app.clock.set(Date.UTC(2026, 2, 9, 9))
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['bob@example.com'])
  })

  it.each([
    ['a form', FORM, 'List-Unsubscribe=One-Click'],
    ['an empty form', FORM, ''],
    ['a form in parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\n\r\n--x--\r\n'],
  ])('is followed by a POST with %s', async (_what, headers, body) => {
    const { id, path } = await subscribed()
    expect((await leave(path, headers, body)).statusCode).toBe(200)
    expect((await read(id)).target_value).toBe('bob@example.com')
  })

  it('is followed by a POST without a body', async () => {
    const { id, path } = await subscribed()
    expect((await app.call('POST', path, { key: null })).statusCode).toBe(200)
    expect((await read(id)).target_value).toBe('bob@example.com')
  })

  it('deletes the subscription when the last address leaves', async () => {
    const { id, path } = await subscribed('ann@example.com')
    await leave(path)
    expect(await read(id)).toMatchObject({ target_value: '', deleted: true })
  })

  it('that was used says so and changes nothing, also after the address was added again', async () => {
    const { id, path } = await subscribed()
    await leave(path)
    for (const ask of [() => look(path), () => leave(path)]) {
      const answer = await ask()
      expect([answer.statusCode, answer.body.includes('Already unsubscribed')]).toEqual([200, true])
    }
    app.clock.advance(1_000)
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'bob@example.com,ann@example.com' } })
    await app.runner.runDue()
    await leave(path)
    expect((await read(id)).target_value).toBe('bob@example.com,ann@example.com')
    await leave(linkTo('ann@example.com').path)
    expect((await read(id)).target_value).toBe('bob@example.com')
  })

  it('that expired says so and changes nothing', async () => {
    const { id, path } = await subscribed()
    app.clock.advance(30 * DAY)
    for (const ask of [() => look(path), () => leave(path)]) {
      const answer = await ask()
      expect([answer.statusCode, answer.body.includes('expired')]).toEqual([410, true])
    }
    expect((await read(id)).target_value).toBe('ann@example.com,bob@example.com')
  })

  it.each(['/unsubscribe', '/unsubscribe?token=', '/unsubscribe?token=abc.def', '/unsubscribe?token=a&token=b'])(
    'that is garbage says so: %s',
    async (path) => {
      const { id } = await subscribed()
      for (const ask of [() => look(path), () => leave(path)]) {
        const answer = await ask()
        expect([answer.statusCode, answer.body.includes('This link does not work')]).toEqual([400, true])
      }
      expect((await read(id)).target_value).toBe('ann@example.com,bob@example.com')
    },
  )

  it('of a project that was removed says that it is gone', async () => {
    const { path } = await subscribed()
    await app.stores.transaction((tx) => markRemoved(tx, 1, app.clock.now()))
    for (const answer of [await look(path), await leave(path)]) {
      expect([answer.statusCode, answer.body.includes('This subscription is gone')]).toEqual([410, true])
    }
    await clearProject(app.stores, 1)
    expect((await leave(path)).statusCode).toBe(410)
  })

  it('does not bring back an unsubscribed address: it is invited again only when a user adds it', async () => {
    const { id, path } = await subscribed()
    await leave(path)
    smtp.mails.length = 0
    await app.call('PATCH', `${PATH}${id}/`, { body: { title: 'Another title', deleted: true } })
    await app.call('PATCH', `${PATH}${id}/`, { body: { deleted: false } })
    await app.runner.runDue()
    expect(smtp.mails).toEqual([])
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'bob@example.com,ann@example.com' } })
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['ann@example.com'])
  })

  it('cannot be guessed: many tries are limited, whatever the setting', async () => {
    for (let i = 0; i < 60; i++) expect((await look('/unsubscribe?token=x')).statusCode).toBe(400)
    expect((await look('/unsubscribe?token=x')).statusCode).toBe(429)
  })

  it('has no other methods, and stays out of the log', async () => {
    const { path, url } = await subscribed()
    await look(path)
    expect((await app.call('DELETE', path, { key: null })).statusCode).toBe(405)
    expect(app.logs.join('')).not.toContain(url.searchParams.get('token') ?? '')
  })
})
