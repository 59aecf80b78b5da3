/** A mail server that stays down is shown where people look, and reports are tried all the same. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { PATH, subscribe } from '../../support/deliveries/subscription.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'

const MINUTE = 60_000

let app: TestApp
let smtp: MailServer
const start = async (url: string) => {
  app = await makeApp({
    env: {
      HEDGEROW_SMTP_URL: url,
      HEDGEROW_MAIL_FROM: 'Acme <reports@acme.example>',
      HEDGEROW_PUBLIC_URL: 'https://stats.acme.example',
    },
  })
}
beforeEach(async () => {
  smtp = await startMailServer()
})
afterEach(async () => {
  await app.end()
  await smtp.stop()
})

const tick = async (minutes = 1) => {
  for (let i = 0; i < minutes; i++) {
    app.clock.advance(MINUTE)
    await app.runner.runDue()
  }
}
const ready = async () => {
  const answer = await app.call('GET', '/_ready', { key: null })
  return [answer.statusCode, answer.json().checks.mail]
}
const problem = async (id: number) => (await app.call('GET', `${PATH}${id}/`)).json().delivery_problem
const logged = (words: string) => app.logs.filter((line) => line.includes(words)).length

it('is shown once it has lasted, and no longer when it is up again', async () => {
  await start(smtp.url)
  const { id } = await subscribe(app)
  await app.runner.runDue()
  expect(smtp.mails).toHaveLength(1)
  expect([await problem(id), await ready()]).toEqual([null, [200, 'ok']])

  const { url } = smtp
  await smtp.stop()
  await app.call('POST', `${PATH}${id}/test-delivery/`)
  await app.runner.runDue()
  // It may be a restart of the mail server.
  expect([await problem(id), await ready()]).toEqual([null, [200, 'ok']])
  await tick(2)
  expect(await problem(id)).toMatch(/^Mail cannot be sent since 2026-03-04T12:00:00Z: .*ECONNREFUSED/)
  expect(await ready()).toEqual([200, 'cannot be sent since 2026-03-04T12:00:00Z: the log says why'])
  expect(logged('mail cannot be sent')).toBe(1)
  await tick(3)
  expect(logged('mail cannot be sent')).toBe(1)

  smtp = await startMailServer(Number(new URL(url).port))
  await tick(1)
  expect([await problem(id), await ready()]).toEqual([null, [200, 'ok']])
  expect(logged('mail can be sent again')).toBe(1)
  await tick(120)
  expect(smtp.mails).toHaveLength(1)
})

it('is noticed without a mail to send, also a login that is refused, and never shows the password', async () => {
  await start(smtp.url.replace('//', '//ann:quite-wrong@'))
  await app.runner.runDue()
  await tick(2)
  expect(await ready()).toEqual([200, 'cannot be sent since 2026-03-04T12:00:00Z: the log says why'])
  const { id } = await subscribe(app)
  expect(await problem(id)).toMatch(/Authentication failed/)
  const hook = await subscribe(app, { target_type: 'slack', target_value: 'https://hooks.slack.com/services/T/B/x' })
  expect(await problem(hook.id)).toBeNull()
  expect(app.logs.join('')).not.toContain('quite-wrong')
})

it('is not one recipient that has to wait, and a server that works is left alone', async () => {
  await start(smtp.url.replace('//', '//ann:right@'))
  smtp.behave((moment) => (moment === 'rcpt' ? { code: 451, text: 'greylisted' } : null))
  const { id } = await subscribe(app)
  await app.runner.runDue()
  const before = smtp.logins.length
  await tick(10)
  expect([await problem(id), await ready()]).toEqual([null, [200, 'ok']])
  smtp.behave(() => null)
  await tick(60)
  expect(await ready()).toEqual([200, 'ok'])
  expect(smtp.logins.length - before).toBeLessThan(20)
})

it('is nothing to an installation without mail', async () => {
  app = await makeApp()
  await app.runner.runDue()
  expect(await ready()).toEqual([200, 'ok'])
  expect((await app.stores.jobs.ticks()).has('check-mail')).toBe(false)
})
