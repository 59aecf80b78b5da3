/** Confirmations and invitations by mail: 200 recipients per project and hour; the others wait, and the history says so. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MAILS_PER_HOUR } from '../../../src/features/deliveries/mail-limit.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { testClock } from '../../support/clock.ts'
import { PATH, SMALLEST } from '../../support/deliveries/subscription.ts'
import { makeProject } from '../../support/make.ts'
import { removeFolder, tempFolder } from '../../support/program.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Where the clock stands: 40 minutes into an hour. */
const NOW = Date.UTC(2026, 2, 4, 12, 40)

let app: TestApp
let smtp: MailServer
let dataDir: string

const start = async (env: Record<string, string> = {}) => {
  const clock = testClock()
  clock.set(NOW)
  app = await makeApp({
    dataDir,
    clock,
    env: { HEDGEROW_SMTP_URL: smtp.url, HEDGEROW_MAIL_FROM: 'Acme <reports@acme.example>', ...env },
  })
}
beforeEach(async () => {
  dataDir = tempFolder()
  smtp = await startMailServer()
  await start()
})
afterEach(async () => {
  await app.end()
  await smtp.stop()
  removeFolder(dataDir)
})

let made = 0
const addresses = (count: number) => Array.from({ length: count }, () => `reader-${++made}@example.com`).join(',')
const body = (count: number) => ({ ...SMALLEST, insight: 1, start_date: '2027-01-01', target_value: addresses(count) })

const subscribe = async (count: number, path = PATH): Promise<number> => {
  const answer = await app.call('POST', path, { body: body(count) })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}
const latest = async (id: number, path = PATH) => (await app.call('GET', `${path}${id}/deliveries/`)).json().results[0]
const waitingOf = async (id: number, path = PATH): Promise<string[]> =>
  (await latest(id, path)).recipient_results
    .filter(({ error }: { error: { type: string } | null }) => error?.type === 'waiting')
    .map(({ error }: { error: { message: string } }) => error.message)
const runAt = async (instant: number) => {
  app.clock.set(instant)
  await app.runner.runDue()
}
const text = (until: string) =>
  `Waits until ${until}: a project confirms and invites at most 200 recipients by mail in an hour.`

it('sends the first 200 at once and the others in the hours that follow, 200 in each', async () => {
  const ids: number[] = []
  for (let i = 0; i < 9; i++) ids.push(await subscribe(50))
  await app.runner.runDue()
  expect(smtp.mails.length).toBe(MAILS_PER_HOUR)
  expect((await latest(ids[3] ?? 0)).status).toBe('completed')
  const fifth = await latest(ids[4] ?? 0)
  expect(fifth).toMatchObject({
    status: 'starting',
    error: {
      type: 'waiting',
      message:
        '50 of 50 recipients wait, the last until 2026-03-04T13:00:00Z: a project confirms and invites at most 200 recipients by mail in an hour.',
    },
  })
  expect(fifth.recipient_results[0]).toMatchObject({
    status: 'pending',
    attempts: 0,
    error: { type: 'waiting', message: text('2026-03-04T13:00:00Z') },
  })
  expect(new Set(await waitingOf(ids[8] ?? 0))).toEqual(new Set([text('2026-03-04T14:00:00Z')]))
  await runAt(NOW + 19 * MINUTE)
  expect(smtp.mails.length).toBe(MAILS_PER_HOUR)
  await runAt(NOW + 20 * MINUTE)
  expect(smtp.mails.length).toBe(2 * MAILS_PER_HOUR)
  await runAt(NOW + 80 * MINUTE)
  expect(smtp.mails.length).toBe(450)
  expect(new Set(smtp.mails.map(({ to }) => to)).size).toBe(450)
  for (const id of ids) expect(await latest(id)).toMatchObject({ status: 'completed', error: null })
})

it('counts invitations too, splits a delivery where the room ends, and does not affect other projects', async () => {
  const first = await subscribe(50)
  for (let i = 0; i < 2; i++) await subscribe(50)
  await subscribe(30)
  const { target_value } = (await app.call('GET', `${PATH}${first}/`)).json()
  const more = `${target_value.split(',').slice(0, 20).join(',')},${addresses(30)}`
  await app.call('PATCH', `${PATH}${first}/`, { body: { target_value: more } })
  expect((await waitingOf(first)).length).toBe(10)
  const other = await makeProject(app)
  const path = `/api/environments/${other.id}/subscriptions/`
  const answer = await app.call('POST', path, { body: { ...body(50), insight: null } })
  expect(answer.statusCode, answer.body).toBe(201)
  expect(await waitingOf(answer.json().id, path)).toEqual([])
  const all = await app.call('DELETE', `/api/projects/${other.id}/`)
  expect(all.statusCode).toBe(204)
})

it('goes on counting after a restart, and starts again with the next hour', async () => {
  for (let i = 0; i < 4; i++) await subscribe(50)
  await app.end()
  await start()
  const waiting = await subscribe(3)
  expect((await waitingOf(waiting)).length).toBe(3)
  await app.end()
  await start()
  await app.runner.runDue()
  expect(smtp.mails.length).toBe(MAILS_PER_HOUR)
  await runAt(NOW + 20 * MINUTE)
  expect(smtp.mails.length).toBe(MAILS_PER_HOUR + 3)
  expect(await latest(waiting)).toMatchObject({ status: 'completed', error: null })
  for (let i = 0; i < 3; i++) expect(await waitingOf(await subscribe(50))).toEqual([])
  expect((await waitingOf(await subscribe(50))).length).toBe(3)
})

it('does not count what is not mailed, nor hold what is not a confirmation', async () => {
  const hook = { target_type: 'slack', target_value: 'C0123456789|#reports' }
  for (let i = 0; i < 4; i++) await subscribe(50)
  const chat = await app.call('POST', PATH, { body: { ...body(1), ...hook } })
  expect((await latest(chat.json().id)).error.type).toBe('not_configured')
  const due = await app.call('POST', PATH, {
    body: { ...body(50), frequency: 'daily', start_date: new Date(NOW + HOUR).toISOString() },
  })
  expect((await waitingOf(due.json().id)).length).toBe(50)
  await app.runner.runDue()
  smtp.mails.length = 0
  await runAt(NOW + HOUR)
  const history = (await app.call('GET', `${PATH}${due.json().id}/deliveries/`)).json().results
  expect(history.map(({ occasion, status }: Record<string, string>) => [occasion, status])).toEqual([
    ['scheduled', 'completed'],
    ['confirmation', 'completed'],
  ])
  expect(smtp.mails.length).toBe(100)
})

it('an address that is taken off while it waits is left out', async () => {
  for (let i = 0; i < 4; i++) await subscribe(50)
  const id = await subscribe(2)
  const { target_value } = (await app.call('GET', `${PATH}${id}/`)).json()
  await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: target_value.split(',')[0] } })
  await app.runner.runDue()
  smtp.mails.length = 0
  await runAt(NOW + 20 * MINUTE)
  expect(smtp.mails.map(({ to }) => to)).toEqual([target_value.split(',')[0]])
  const { status, recipient_results } = await latest(id)
  expect([status, recipient_results.map((row: { status: string }) => row.status)]).toEqual([
    'completed',
    ['success', 'skipped'],
  ])
})

it('a confirmation or invitation that waits does not prevent a test delivery', async () => {
  for (let i = 0; i < 3; i++) await subscribe(50)
  const first = await subscribe(49)
  await app.runner.runDue()
  const { target_value } = (await app.call('GET', `${PATH}${first}/`)).json()
  const test = async (id: number) => (await app.call('POST', `${PATH}${id}/test-delivery/`)).statusCode
  const more = `${target_value.split(',').slice(0, 40).join(',')},${addresses(5)}`
  await app.call('PATCH', `${PATH}${first}/`, { body: { target_value: more } })
  // One of the five is in progress; then all that is left waits.
  expect([(await waitingOf(first)).length, await test(first)]).toEqual([4, 409])
  await app.runner.runDue()
  expect(await latest(first)).toMatchObject({ occasion: 'invitation', status: 'starting' })
  const waiting = await subscribe(2)
  expect([await test(first), await test(waiting)]).toEqual([202, 202])
  // The test itself is in progress.
  expect([await test(first), await test(waiting)]).toEqual([409, 409])
})

it('counts what is sent again, and makes it wait like the rest', async () => {
  smtp.behave((moment) => (moment === 'rcpt' ? { code: 550, text: 'No such user' } : null))
  const ids: number[] = []
  for (let i = 0; i < 4; i++) ids.push(await subscribe(50))
  await app.runner.runDue()
  smtp.behave(() => null)
  const resend = async (id: number) => {
    const answer = await app.call('POST', `${PATH}${id}/deliveries/${(await latest(id)).id}/resend/`)
    expect(answer.statusCode, answer.body).toBe(202)
    return answer.json()
  }
  const [first = 0, second = 0] = ids
  const resent = await resend(first)
  expect(resent).toMatchObject({
    status: 'starting',
    error: {
      type: 'waiting',
      message: expect.stringMatching(/^50 of 50 recipients wait, the last until 2026-03-04T13/),
    },
  })
  expect(resent.recipient_results[0]).toMatchObject({
    status: 'pending',
    error: { type: 'waiting', message: text('2026-03-04T13:00:00Z') },
  })
  await app.runner.runDue()
  expect(smtp.mails.length).toBe(0)
  await runAt(NOW + 20 * MINUTE)
  expect(smtp.mails.length).toBe(50)
  expect(await latest(first)).toMatchObject({ status: 'completed', error: null })
  // In an hour with room it is sent at once, and takes room from others.
  expect(await resend(second)).toMatchObject({ status: 'starting', error: null })
  await app.runner.runDue()
  expect(smtp.mails.length).toBe(100)
  for (let i = 0; i < 2; i++) expect(await waitingOf(await subscribe(50))).toEqual([])
  expect((await waitingOf(await subscribe(1))).length).toBe(1)
})

it('does not hold a test delivery that is sent again', async () => {
  const id = await subscribe(50)
  for (let i = 0; i < 3; i++) await subscribe(50)
  await app.runner.runDue()
  smtp.behave((moment) => (moment === 'rcpt' ? { code: 550, text: 'No such user' } : null))
  await app.call('POST', `${PATH}${id}/test-delivery/`)
  await app.runner.runDue()
  smtp.behave(() => null)
  smtp.mails.length = 0
  const answer = await app.call('POST', `${PATH}${id}/deliveries/${(await latest(id)).id}/resend/`)
  expect(answer.json()).toMatchObject({ occasion: 'test', status: 'starting', error: null })
  await app.runner.runDue()
  expect(smtp.mails.length).toBe(50)
})
