/** What subscriptions send, to real receivers on loopback: when, to whom, how often, and what the history shows. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { PATH, subscribe } from '../../support/deliveries/subscription.ts'
import { makeProject } from '../../support/make.ts'
import { headerOf, textOf } from '../../support/servers/mailbox.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { type MailServer, startMailServer } from '../../support/servers/smtp.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Where the test clock stands: a Wednesday, noon. */
const NOW = Date.UTC(2026, 2, 4, 12)

let app: TestApp
let smtp: MailServer
let hook: Receiver
const start = async (options: TestAppOptions = {}) => {
  app = await makeApp({
    ...options,
    env: {
      HEDGEROW_SMTP_URL: smtp.url,
      HEDGEROW_MAIL_FROM: 'Acme <reports@acme.example>',
      HEDGEROW_WEBHOOK_ALLOW: hook.host,
      HEDGEROW_PUBLIC_URL: 'https://stats.acme.example',
      ...options.env,
    },
  })
}
beforeEach(async () => {
  smtp = await startMailServer()
  hook = await startReceiver()
  await start()
})
afterEach(async () => {
  await app.end()
  await smtp.stop()
  await hook.stop()
})

const iso = (instant: number) => new Date(instant).toISOString()
const runAt = async (instant: number) => {
  app.clock.set(instant)
  await app.runner.runDue()
}
const runAfter = (ms: number) => runAt(app.clock.now() + ms)

interface Result {
  recipient: string
  status: string
  error: { type: string; message: string } | null
  attempts: number
  message_id: string | null
  possible_repeat: boolean
}
interface Told {
  id: string
  status: string
  occasion: string
  scheduled_at: string | null
  late: boolean
  target_value: string
  error: { type: string; message: string } | null
  recipient_results: Result[]
}

const history = async (id: number, query: Record<string, string> = {}): Promise<Told[]> =>
  (await app.call('GET', `${PATH}${id}/deliveries/`, { query })).json().results

/** One insight, so that there is little to draw. */
const daily = { frequency: 'daily', start_date: iso(NOW + HOUR), insight: 1 }
const hooked = () => ({ ...daily, target_type: 'webhook', target_value: `${hook.url}/secret/path?key=hidden` })

/** Confirmed already: no message of its creation is left in the mailboxes. */
async function settled(body: Record<string, unknown>) {
  const made = await subscribe(app, body)
  await app.runner.runDue()
  smtp.mails.length = 0
  hook.requests.length = 0
  return made
}

describe('making a subscription', () => {
  it('confirms it to every address, one message each', async () => {
    const { id } = await subscribe(app, {
      ...daily,
      insight: null,
      target_value: 'ann@example.com,bob@example.com',
    })
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual(['ann@example.com', 'bob@example.com'])
    const [recorded, ...others] = await history(id)
    expect(others).toEqual([])
    expect(recorded).toMatchObject({
      status: 'completed',
      trigger_type: 'target_change',
      occasion: 'confirmation',
      scheduled_at: null,
      exported_asset_ids: [1, 2, 3, 4, 5, 6],
      content_snapshot: { resource: { type: 'dashboard', id: 1 }, total_insights: 6 },
    })
    const ids = smtp.mails.map((mail) => headerOf(mail, 'Message-ID'))
    expect(recorded?.recipient_results.map(({ message_id }) => message_id).sort()).toEqual(ids.sort())
    expect(recorded?.recipient_results.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['success', 1],
      ['success', 1],
    ])
    expect(textOf(smtp.mails[0] as never)).toContain('https://stats.acme.example/')
  })

  it('sends nothing for one that is deleted, paused, or has all its dates behind it', async () => {
    const made = [
      await subscribe(app, { ...daily, deleted: true }),
      await subscribe(app, { ...daily, enabled: false }),
      await subscribe(app, { ...daily, start_date: iso(NOW - 10 * DAY), count: 2 }),
    ]
    await app.runner.runDue()
    expect(smtp.mails).toEqual([])
    for (const { id } of made) expect(await history(id)).toEqual([])
  })

  it('does not move the date', async () => {
    const { id, next_delivery_date } = await subscribe(app, daily)
    await app.runner.runDue()
    expect((await app.call('GET', `${PATH}${id}/`)).json().next_delivery_date).toBe(next_delivery_date)
  })
})

describe('changing the target', () => {
  it('invites the addresses that were added, with the message, and no others', async () => {
    const { id } = await settled({ ...daily, target_value: 'ann@example.com' })
    const body = { target_value: 'ANN@example.com, bob@example.com', invite_message: 'Have a look, please.' }
    await app.call('PATCH', `${PATH}${id}/`, { body })
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['bob@example.com'])
    expect(textOf(smtp.mails[0] as never)).toContain('Have a look, please.')
    expect((await history(id))[0]).toMatchObject({ occasion: 'invitation', trigger_type: 'target_change' })
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'bob@example.com', title: 'New' } })
    await app.runner.runDue()
    expect(smtp.mails).toHaveLength(1)
  })

  it('confirms to another kind of target', async () => {
    const { id } = await settled(daily)
    const { target_type, target_value } = hooked()
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_type, target_value } })
    await app.runner.runDue()
    expect([smtp.mails.length, hook.requests.length]).toEqual([0, 1])
  })

  it('skips recipients that were removed while it is in progress', async () => {
    const { id } = await subscribe(app, { ...daily, target_value: 'ann@example.com,bob@example.com' })
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'bob@example.com' } })
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['bob@example.com'])
    const [recorded] = await history(id)
    expect(recorded).toMatchObject({ status: 'completed' })
    expect(recorded?.recipient_results.map(({ recipient, status }) => [recipient, status])).toEqual([
      ['ann@example.com', 'skipped'],
      ['bob@example.com', 'success'],
    ])
  })
})

describe('a due date', () => {
  it('is delivered in its minute, once, and the date moves on', async () => {
    const { id } = await settled(daily)
    await runAt(NOW + HOUR - 1)
    expect(smtp.mails).toEqual([])
    await runAt(NOW + HOUR)
    expect(smtp.mails.map(({ to }) => to)).toEqual(['ann@example.com'])
    expect((await app.call('GET', `${PATH}${id}/`)).json().next_delivery_date).toBe('2026-03-05T13:00:00Z')
    await runAfter(MINUTE)
    await runAfter(HOUR)
    expect(smtp.mails).toHaveLength(1)
    expect((await history(id))[0]).toMatchObject({
      status: 'completed',
      trigger_type: 'scheduled',
      scheduled_at: '2026-03-04T13:00:00Z',
      late: false,
    })
  })

  it('that was missed goes out once, marked late; older ones are recorded as skipped', async () => {
    const { id } = await settled(daily)
    await runAt(NOW + 3 * DAY + 5 * HOUR)
    expect(smtp.mails).toHaveLength(1)
    expect(textOf(smtp.mails[0] as never)).toMatch(/late/i)
    const recorded = (await history(id)).filter(({ occasion }) => occasion === 'scheduled')
    expect(recorded.map(({ scheduled_at, status, late }) => [scheduled_at, status, late]).sort()).toEqual([
      ['2026-03-04T13:00:00Z', 'skipped', true],
      ['2026-03-05T13:00:00Z', 'skipped', true],
      ['2026-03-06T13:00:00Z', 'skipped', true],
      ['2026-03-07T13:00:00Z', 'completed', true],
    ])
    expect(recorded.at(-1)?.error?.type ?? recorded[0]?.error?.type).toBe('missed')
    expect((await app.call('GET', `${PATH}${id}/`)).json().next_delivery_date).toBe('2026-03-08T13:00:00Z')
  })

  it('that a late one comes close to is recorded as skipped, because the date moves on by the schedule', async () => {
    const { id } = await settled(daily)
    await runAt(NOW + DAY + 50 * MINUTE)
    const recorded = (await history(id)).filter(({ occasion }) => occasion === 'scheduled')
    expect(recorded.map(({ scheduled_at, status, error }) => [scheduled_at, status, error?.type]).sort()).toEqual([
      ['2026-03-04T13:00:00Z', 'completed', undefined],
      ['2026-03-05T13:00:00Z', 'skipped', 'too_close'],
    ])
    expect((await app.call('GET', `${PATH}${id}/`)).json().next_delivery_date).toBe('2026-03-06T13:00:00Z')
  })

  it('is not late within a quarter of an hour', async () => {
    const { id } = await settled(daily)
    await runAt(NOW + HOUR + 15 * MINUTE)
    expect((await history(id))[0]).toMatchObject({ status: 'completed', late: false })
  })

  it('of a deleted or paused subscription passes', async () => {
    const deleted = await settled(daily)
    const paused = await settled(daily)
    await app.call('DELETE', `${PATH}${deleted.id}/`)
    await app.call('PATCH', `${PATH}${paused.id}/`, { body: { enabled: false } })
    await runAt(NOW + HOUR)
    expect(smtp.mails).toEqual([])
    app.clock.advance(3 * DAY)
    const again = await app.call('PATCH', `${PATH}${paused.id}/`, { body: { enabled: true } })
    expect(again.json()).toMatchObject({ enabled: true, next_delivery_date: '2026-03-08T13:00:00Z' })
  })

  it('of a dashboard that was deleted is skipped and says so', async () => {
    const dashboard = (
      await app.call('POST', '/api/environments/1/dashboards/', { body: { name: 'Short-lived' } })
    ).json()
    const { id } = await settled({ ...daily, dashboard: dashboard.id })
    await app.call('DELETE', `/api/environments/1/dashboards/${dashboard.id}/`)
    await runAt(NOW + HOUR)
    expect(smtp.mails).toEqual([])
    expect((await history(id))[0]).toMatchObject({
      status: 'skipped',
      error: { message: 'The dashboard was deleted.' },
    })
  })

  it('with an insight that cannot be computed still brings the others', async () => {
    const odd = await app.call('POST', '/api/environments/1/insights/', {
      body: { name: 'Odd', dashboards: [1], filters: { events: [] } },
    })
    expect(odd.statusCode, odd.body).toBe(201)
    const { id } = await settled({ ...daily, insight: odd.json().id })
    await runAt(NOW + HOUR)
    expect(smtp.mails).toHaveLength(1)
    const [recorded] = (await app.call('GET', `${PATH}${id}/deliveries/`)).json().results
    expect(recorded.content_snapshot.insights).toEqual([{ id: odd.json().id, name: 'Odd', error: expect.any(String) }])
  })
})

describe('a recipient that does not take it', () => {
  it('is retried separately, five times in all, then recorded', async () => {
    const { id } = await settled({ ...daily, target_value: 'ann@example.com,bob@example.com' })
    smtp.behave((moment, to) => (moment === 'rcpt' && to.startsWith('bob') ? { code: 451, text: 'Later' } : null))
    await runAt(NOW + HOUR)
    expect((await history(id))[0]).toMatchObject({ status: 'starting' })
    const attempts = async () => (await history(id))[0]?.recipient_results.map((one) => one.attempts)
    expect(await attempts()).toEqual([1, 1])
    for (const [waited, expected] of [
      [7_000, 1],
      [3_000, 2],
      [30_000, 3],
      [90_000, 4],
      [270_000, 5],
    ] as const) {
      await runAfter(waited)
      expect(await attempts()).toEqual([1, expected])
    }
    await runAfter(HOUR)
    expect(smtp.mails.map(({ to }) => to)).toEqual(['ann@example.com'])
    const [recorded] = await history(id)
    expect(recorded).toMatchObject({ status: 'failed', error: { message: '1 of 2 recipients could not be reached.' } })
    expect(recorded?.recipient_results[1]).toMatchObject({ status: 'failed', attempts: 5, error: { type: 'gave_up' } })
    expect(recorded?.recipient_results[1]?.error?.message).toContain('451 Later')
  })

  it('gets it when it does at last, under the same id', async () => {
    const { id } = await settled(daily)
    smtp.behave((moment) => (moment === 'rcpt' ? { code: 451, text: 'Later' } : null))
    await runAt(NOW + HOUR)
    smtp.behave(() => null)
    await runAfter(10_000)
    expect(smtp.mails).toHaveLength(1)
    const [recorded] = await history(id)
    expect(recorded?.recipient_results[0]).toMatchObject({ status: 'success', attempts: 2, possible_repeat: false })
    expect(recorded?.recipient_results[0]?.message_id).toBe(headerOf(smtp.mails[0] as never, 'Message-ID'))
  })

  it('may get it twice when the answer was lost, and the history says so', async () => {
    const { id } = await settled(daily)
    smtp.behave((moment) => (moment === 'data' ? 'drop' : null))
    await runAt(NOW + HOUR)
    smtp.behave(() => null)
    await runAfter(10_000)
    expect((await history(id))[0]?.recipient_results[0]).toMatchObject({ status: 'success', possible_repeat: true })
  })

  it('permanently fails separately, at once, and does not stop the subscription', async () => {
    const { id } = await settled({ ...daily, target_value: 'ann@example.com,bob@example.com' })
    smtp.behave((moment, to) =>
      moment === 'rcpt' && to.startsWith('bob') ? { code: 550, text: 'No such user' } : null,
    )
    await runAt(NOW + HOUR)
    const [recorded] = await history(id)
    expect(recorded).toMatchObject({ status: 'failed' })
    expect(recorded?.recipient_results.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['success', 1],
      ['failed', 1],
    ])
    expect((await app.call('GET', `${PATH}${id}/`)).json()).toMatchObject({ enabled: true, delivery_problem: null })
  })

  it('is found in the middle of it after a kill: sent again under the same id, as a possible repeat', async () => {
    const { id } = await settled(daily)
    await app.features.deliveries.createDueDeliveries()
    app.clock.set(NOW + HOUR)
    await app.features.deliveries.createDueDeliveries()
    const recorded = (await history(id))[0]
    const [row] = await app.stores.deliveries.recipients([recorded?.id ?? ''])
    await app.stores.transaction((tx) =>
      tx.deliveries.updateRecipient(row?.id ?? '', { status: 'sending', attempts: 1 }, app.clock.now()),
    )
    await app.runner.runDue()
    const [after] = await history(id)
    expect(after?.recipient_results[0]).toMatchObject({ status: 'success', attempts: 2, possible_repeat: true })
    expect(headerOf(smtp.mails[0] as never, 'Message-ID')).toBe(row?.messageId)
  })
})

describe('a webhook', () => {
  it('is signed with the secret of its subscription and names its delivery', async () => {
    const made = await settled(hooked())
    await runAt(NOW + HOUR)
    const [request] = hook.requests
    expect(hook.requests).toHaveLength(1)
    const [recorded] = await history(made.id)
    expect(request?.headers['hedgerow-delivery']).toBe(recorded?.id)
    const [, unix, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['hedgerow-signature'])) ?? []
    expect(Number(unix) * 1_000).toBe(NOW + HOUR)
    const own = createHmac('sha256', String(made.signing_secret)).update(`${unix}.${request?.body}`).digest('hex')
    expect(hex).toBe(own)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ delivery_id: recorded?.id, occasion: 'scheduled' })
    expect(recorded?.target_value).toBe(hook.host)
    expect(recorded?.recipient_results[0]?.recipient).toBe(hook.host)
    expect(JSON.stringify([recorded, app.logs])).not.toMatch(/secret\/path|hidden|whsec_/)
  })

  it('that answers 410 disables its subscription, and its creator is notified once', async () => {
    const { id } = await settled({ ...hooked(), title: 'Hook' })
    hook.answer((_request, response) => void response.writeHead(410).end())
    await runAt(NOW + HOUR)
    expect(hook.requests).toHaveLength(1)
    const after = (await app.call('GET', `${PATH}${id}/`)).json()
    expect(after).toMatchObject({ enabled: false, delivery_problem: `${hook.host} answered 410.` })
    expect(smtp.mails).toHaveLength(1)
    const creator = after.created_by.email
    expect([smtp.mails[0]?.to, headerOf(smtp.mails[0] as never, 'Subject')]).toEqual([
      creator,
      expect.stringMatching(/Hook.*disabled/),
    ])
    await runAfter(DAY)
    expect([hook.requests.length, smtp.mails.length]).toEqual([1, 1])
    const log = (
      await app.call('GET', '/api/environments/1/activity_log/', { query: { scope: 'Subscription' } })
    ).json()
    expect(log.results[0].detail.changes).toEqual([expect.objectContaining({ field: 'enabled', after: false })])
  })

  it('starts again with another target', async () => {
    const { id } = await settled(hooked())
    hook.answer((_request, response) => void response.writeHead(410).end())
    await runAt(NOW + HOUR)
    hook.answer((_request, response) => void response.end())
    const body = { target_value: `${hook.url}/new` }
    const after = (await app.call('PATCH', `${PATH}${id}/`, { body })).json()
    expect(after).toMatchObject({ enabled: true, delivery_problem: null, next_delivery_date: '2026-03-05T13:00:00Z' })
    await app.runner.runDue()
    expect(hook.requests.map(({ path }) => path)).toEqual(['/secret/path?key=hidden', '/new'])
  })

  it('that redirects inward is refused, and the redirect is not followed', async () => {
    const other = await startReceiver()
    const { id } = await settled(hooked())
    hook.answer((_request, response) => void response.writeHead(302, { location: other.url }).end())
    await runAt(NOW + HOUR)
    expect(other.requests).toEqual([])
    const [recorded] = await history(id)
    expect(recorded).toMatchObject({ status: 'failed', error: { type: 'refused' } })
    expect((await app.call('GET', `${PATH}${id}/`)).json().enabled).toBe(true)
    await other.stop()
  })

  it('reaches Slack and Teams by their own forms', async () => {
    await settled({ ...daily, target_type: 'slack', target_value: `${hook.url}/slack` })
    await settled({ ...daily, target_type: 'teams', target_value: `${hook.url}/teams` })
    await runAt(NOW + HOUR)
    const bodies = Object.fromEntries(hook.requests.map(({ path, body }) => [path, JSON.parse(body)]))
    expect(bodies['/slack']).toHaveProperty('blocks')
    expect(bodies['/teams']).toMatchObject({ type: 'message' })
  })
})

describe('without a public address', () => {
  beforeEach(async () => {
    await app.end()
    await start({ env: { HEDGEROW_PUBLIC_URL: undefined } })
  })
  it('messages have no links: neither the address listened on nor the name that a request used', async () => {
    await subscribe(app, { ...daily, target_value: 'ann@example.com' })
    await subscribe(app, { ...daily, target_type: 'slack', target_value: `${hook.url}/slack` })
    await subscribe(app, { ...daily, target_type: 'teams', target_value: `${hook.url}/teams` })
    await subscribe(app, hooked())
    await app.runner.runDue()
    const [mail] = smtp.mails
    if (!mail) throw new Error('There is no mail.')
    expect([headerOf(mail, 'List-Unsubscribe'), headerOf(mail, 'List-Unsubscribe-Post')]).toEqual([null, null])
    expect(textOf(mail)).toContain('ask whoever runs this server to take your address off')
    expect(textOf(mail)).not.toMatch(/https?:|href/)
    const said = hook.requests.map(({ body }) => body.replace('http://adaptivecards.io/', ''))
    expect(said).toHaveLength(3)
    for (const body of said) expect(body).not.toMatch(/https?:/)
  })
  it('the creator of a disabled subscription is notified without a link', async () => {
    await settled({ ...hooked(), title: 'Hook' })
    hook.answer((_request, response) => void response.writeHead(410).end())
    await runAt(NOW + HOUR)
    const [notice = '', ...others] = smtp.mails.map(textOf)
    expect(others).toEqual([])
    expect(notice).toContain('has been disabled')
    expect(notice).not.toMatch(/https?:|href/)
  })
})

describe('without a mail server', () => {
  beforeEach(async () => {
    await app.end()
    app = await makeApp()
  })
  it('a subscription is made, and answer and history say that mail is not configured', async () => {
    const made = await subscribe(app, daily)
    const problem = 'Mail is not configured: set HEDGEROW_SMTP_URL and HEDGEROW_MAIL_FROM.'
    expect(made.delivery_problem).toBe(problem)
    await runAt(NOW + HOUR)
    await runAfter(HOUR)
    const recorded = await history(made.id)
    expect(recorded.map(({ status, occasion, error }) => [status, occasion, error?.message])).toEqual([
      ['failed', 'scheduled', problem],
      ['failed', 'confirmation', problem],
    ])
    expect(recorded[0]?.recipient_results).toMatchObject([
      { status: 'failed', attempts: 0, error: { type: 'not_configured' } },
    ])
    expect((await app.stores.jobs.backlog(app.clock.now())).due).toBe(0)
    const again = await app.call('POST', `${PATH}${made.id}/deliveries/${recorded[0]?.id}/resend/`)
    expect([again.statusCode, again.json().detail]).toEqual([409, problem])
  })
  it('a Slack channel says the same of Slack', async () => {
    const made = await subscribe(app, { ...daily, target_type: 'slack', target_value: 'C01|#general' })
    expect(made.delivery_problem).toContain('HEDGEROW_SLACK_TOKEN')
    expect((await history(made.id))[0]).toMatchObject({ status: 'failed', target_value: 'C01|#general' })
  })
})

describe('GET subscriptions/{id}/deliveries/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => `/subscriptions/${(await subscribe(app)).id}/deliveries/`,
    scope: 'subscription:read',
    status: 200,
  })

  it('gives fifty, newest first, by status', async () => {
    const { id } = await settled(hooked())
    for (let day = 0; day < 60; day++) {
      app.clock.set(NOW + HOUR + day * DAY)
      await app.features.deliveries.createDueDeliveries()
    }
    await app.runner.runDue()
    const page = (await app.call('GET', `${PATH}${id}/deliveries/`)).json()
    expect([page.count, page.results.length, page.previous]).toEqual([61, 50, null])
    expect(page.results[0].scheduled_at).toBe('2026-05-02T13:00:00Z')
    const rest = (await app.call('GET', new URL(page.next).pathname + new URL(page.next).search)).json()
    expect([rest.results.length, rest.next]).toEqual([11, null])
    const failed = (await app.call('GET', `${PATH}${id}/deliveries/`, { query: { status: 'failed' } })).json()
    expect(failed.count).toBe(0)
  })

  it('refuses a status that is none', async () => {
    const { id } = await subscribe(app)
    const answer = await app.call('GET', `${PATH}${id}/deliveries/`, { query: { status: 'lost' } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      attr: 'status',
      detail: 'Must be one of: completed, failed, skipped, starting.',
    })
  })

  it('does not know other subscriptions', async () => {
    const other = await makeProject(app)
    const { id } = await subscribe(app)
    for (const path of [`${PATH}99999/deliveries/`, `/api/environments/${other.id}/subscriptions/${id}/deliveries/`]) {
      expect((await app.call('GET', path)).statusCode).toBe(404)
    }
  })
})

describe('GET subscriptions/{id}/deliveries/{delivery_id}/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => {
      const { id } = await settled(daily)
      return `/subscriptions/${id}/deliveries/${(await history(id))[0]?.id}/`
    },
    scope: 'subscription:read',
    status: 200,
  })
  it('gives what the list gives, of its own subscription only', async () => {
    const one = await settled(daily)
    const other = await settled(daily)
    const [recorded] = await history(one.id)
    expect((await app.call('GET', `${PATH}${one.id}/deliveries/${recorded?.id}/`)).json()).toEqual(recorded)
    for (const path of [`${PATH}${other.id}/deliveries/${recorded?.id}/`, `${PATH}${one.id}/deliveries/x/`]) {
      expect((await app.call('GET', path)).statusCode).toBe(404)
    }
  })
})

describe('POST subscriptions/{id}/test-delivery/', () => {
  itIsGuarded(() => app, {
    method: 'POST',
    path: async () => `/subscriptions/${(await settled(daily)).id}/test-delivery/`,
    scope: 'subscription:write',
    status: 202,
  })

  const test = (id: number | string) => app.call('POST', `${PATH}${id}/test-delivery/`)

  it('sends to everybody now and leaves the date', async () => {
    const { id, next_delivery_date } = await settled({ ...daily, target_value: 'ann@example.com,bob@example.com' })
    const answer = await test(id)
    expect([answer.statusCode, answer.body]).toEqual([202, ''])
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual(['ann@example.com', 'bob@example.com'])
    expect((await history(id))[0]).toMatchObject({ trigger_type: 'manual', occasion: 'test', status: 'completed' })
    expect((await app.call('GET', `${PATH}${id}/`)).json().next_delivery_date).toBe(next_delivery_date)
  })

  it('waits for what is in progress', async () => {
    const { id } = await subscribe(app, daily)
    const answer = await test(id)
    expect([answer.statusCode, answer.json().detail]).toEqual([409, 'Delivery already in progress'])
  })

  it('does not send what is disabled, deleted or unknown', async () => {
    const { id } = await settled(daily)
    await app.call('PATCH', `${PATH}${id}/`, { body: { enabled: false } })
    const answer = await test(id)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'Subscription is disabled. Re-enable it before sending a test delivery.',
    ])
    await app.call('DELETE', `${PATH}${id}/`)
    expect((await test(id)).statusCode).toBe(404)
    expect((await test(99_999)).statusCode).toBe(404)
    expect((await test('x')).statusCode).toBe(404)
  })

  it('is limited to ten a minute in a project', async () => {
    const { id } = await settled(daily)
    for (let i = 0; i < 10; i++) expect((await test(id)).statusCode).toBeOneOf([202, 409])
    const answer = await test(id)
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('60')
    await app.runner.runDue()
    app.clock.advance(MINUTE)
    expect((await test(id)).statusCode).toBe(202)
  })
})

describe('POST subscriptions/{id}/deliveries/{delivery_id}/resend/', () => {
  const failing = async () => {
    const { id } = await settled({ ...daily, target_value: 'ann@example.com,bob@example.com' })
    smtp.behave((moment, to) =>
      moment === 'rcpt' && to.startsWith('bob') ? { code: 550, text: 'No such user' } : null,
    )
    expect((await app.call('POST', `${PATH}${id}/test-delivery/`)).statusCode).toBe(202)
    await app.runner.runDue()
    smtp.behave(() => null)
    const [recorded] = await history(id)
    return { id, recorded, path: `/subscriptions/${id}/deliveries/${recorded?.id}/resend/` }
  }

  itIsGuarded(() => app, {
    method: 'POST',
    path: async () => (await failing()).path,
    scope: 'subscription:write',
    status: 202,
  })

  it('sends to those who failed and to no others, under the same message id', async () => {
    const { id, recorded, path } = await failing()
    smtp.mails.length = 0
    const answer = await app.call('POST', `/api/environments/1${path}`)
    expect([answer.statusCode, answer.json().status]).toEqual([202, 'starting'])
    expect((await app.call('POST', `/api/environments/1${path}`)).statusCode).toBe(409)
    await app.runner.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['bob@example.com'])
    const [after] = await history(id)
    expect(after).toMatchObject({ id: recorded?.id, status: 'completed', error: null })
    expect(after?.recipient_results[1]?.message_id).toBe(headerOf(smtp.mails[0] as never, 'Message-ID'))
    const again = await app.call('POST', `/api/environments/1${path}`)
    expect([again.statusCode, again.json().detail]).toEqual([409, 'No recipient of this delivery has failed.'])
  })
})
