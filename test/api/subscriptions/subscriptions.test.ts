/** The seed's three operations: list, create and read subscriptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import {
  expectFields,
  PATH,
  SEED_FIELDS,
  SMALLEST,
  subscribe,
  USER_FIELDS,
} from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const EVERYTHING = {
  dashboard: 1,
  insight: 3,
  target_type: 'email',
  target_value: 'ann@example.com, bob@example.com,ANN@example.com',
  frequency: 'monthly',
  interval: 2,
  byweekday: ['wednesday', 'friday'],
  bysetpos: -1,
  count: 100,
  start_date: '2026-01-01T09:30:00.123456+01:00',
  until_date: '2027-01-01T00:00:00',
  deleted: false,
  title: 'Monthly numbers',
  invite_message: 'Have a look.\nAnn',
}

const operations = [
  { name: 'GET subscriptions/', method: 'GET', path: () => PATH, scope: 'subscription:read' },
  { name: 'POST subscriptions/', method: 'POST', path: () => PATH, scope: 'subscription:write' },
  { name: 'GET subscriptions/{id}/', method: 'GET', path: (id: number) => `${PATH}${id}/`, scope: 'subscription:read' },
]

describe.each(operations)('$name', ({ method, path, scope }) => {
  const call = async (options: { key?: string | null }, project = '1') => {
    const { id } = await subscribe(app)
    const url = path(id).replace('/environments/1/', `/environments/${project}/`)
    return app.call(method, url, { ...options, ...(method === 'POST' ? { body: SMALLEST } : {}) })
  }

  it('asks for a key', async () => {
    const answer = await call({ key: null })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ type: 'authentication_error', code: 'not_authenticated', attr: null })
  })

  it('asks for its scope', async () => {
    const key = await makeKey(app, { scopes: ['person:write', 'insight:write', 'dashboard:write'] })
    const answer = await call({ key })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({
      type: 'authentication_error',
      code: 'permission_denied',
      detail: `API key missing required scope '${scope}'`,
      attr: null,
    })
  })

  it('is content with its scope, and with the project spelled the other way', async () => {
    const key = await makeKey(app, { scopes: [scope] })
    const { id } = await subscribe(app)
    const url = path(id).replace('environments', 'projects').replace(/\/$/, '')
    const answer = await app.call(method, url, { key, ...(method === 'POST' ? { body: SMALLEST } : {}) })
    expect(answer.statusCode).toBe(method === 'POST' ? 201 : 200)
  })

  it('refuses a stranger, and does not know a project that is not there', async () => {
    const { key } = await makeStranger(app)
    const answer = await call({ key })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().detail).toBe("You don't have access to the project.")
    expect((await call({}, '999')).statusCode).toBe(404)
  })

  it('refuses a key that may not write', async () => {
    const key = await makeKey(app, { scopes: ['subscription:read'] })
    expect((await call({ key })).statusCode).toBe(method === 'POST' ? 403 : 200)
  })
})

describe('POST subscriptions/', () => {
  it('answers 201 with every field of the seed, each of its type', async () => {
    const body = await subscribe(app, EVERYTHING)
    expectFields(body, SEED_FIELDS)
    expectFields(body.created_by as Record<string, unknown>, USER_FIELDS)
    expect(body).toEqual({
      ...EVERYTHING,
      id: body.id,
      enabled: true,
      delivery_problem: 'Mail is not configured: set HEDGEROW_SMTP_URL and HEDGEROW_MAIL_FROM.',
      target_value: 'ann@example.com,bob@example.com',
      start_date: '2026-01-01T08:30:00.123456Z',
      until_date: '2027-01-01T00:00:00Z',
      created_at: '2026-03-04T12:00:00Z',
      created_by: {
        id: 1,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        distinct_id: expect.stringMatching(/./),
        first_name: 'Admin',
        last_name: '',
        email: 'admin@localhost',
        is_email_verified: false,
        hedgehog_config: {},
      },
      summary: 'sent every 2 months on the last day',
      next_delivery_date: '2026-03-27T08:30:00Z',
      timezone: 'UTC',
      signing_secret: null,
    })
  })

  it('needs four fields only, and gives the others their defaults', async () => {
    const body = await subscribe(app)
    expectFields(body, SEED_FIELDS)
    expect(body).toMatchObject({
      ...SMALLEST,
      dashboard: null,
      insight: null,
      interval: 1,
      byweekday: null,
      bysetpos: null,
      count: null,
      until_date: null,
      deleted: false,
      title: null,
      summary: 'sent every week',
      next_delivery_date: '2026-03-09T09:00:00Z',
      invite_message: null,
      timezone: 'UTC',
    })
  })

  it.each([
    ['neither insight nor dashboard', {}, { insight: null, dashboard: null }],
    ['an insight', { insight: 6 }, { insight: 6, dashboard: null }],
    ['a dashboard', { dashboard: 1, insight: null }, { insight: null, dashboard: 1 }],
    ['both', { dashboard: 1, insight: 1 }, { insight: 1, dashboard: 1 }],
  ])('takes %s', async (_name, given, kept) => {
    expect(await subscribe(app, given)).toMatchObject(kept)
  })

  it.each([
    ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
    ['slack', 'C0123456789|#general'],
    ['teams', 'https://acme.webhook.office.com/x'],
    ['webhook', 'http://hooks.example.com:8080/x?y=1'],
  ])('takes a target of type %s: %s', async (target_type, target_value) => {
    expect(await subscribe(app, { target_type, target_value: ` ${target_value} ` })).toMatchObject({
      target_type,
      target_value,
    })
  })

  it.each([
    ['an empty list of weekdays', { byweekday: [] }],
    ['a weekday twice', { byweekday: ['monday', 'monday'] }],
    ['a position without weekdays, which is ignored', { bysetpos: 300 }],
    ['an empty title', { title: '' }],
    ['a title of a hundred characters of two units each', { title: '🦔'.repeat(100) }],
    ['an empty message', { invite_message: '' }],
    ['an end that is the start', { until_date: SMALLEST.start_date }],
    ['the largest numbers', { interval: 1_000, count: 10_000 }],
  ])('keeps %s as it was sent', async (_name, given) => {
    expect(await subscribe(app, given)).toMatchObject(given)
  })

  it('ignores read-only and unknown fields', async () => {
    const given = {
      id: 7,
      created_at: '1999-01-01',
      created_by: { id: 9 },
      summary: 'x',
      next_delivery_date: null,
      foo: [1],
    }
    const body = await subscribe(app, { ...given, signing_secret: 'mine', rotate_secret: true })
    expect(body.id).not.toBe(7)
    expect(body).toMatchObject({ created_at: '2026-03-04T12:00:00Z', summary: 'sent every week', signing_secret: null })
    expect(body.next_delivery_date).toBe('2026-03-09T09:00:00Z')
    expect(body).not.toHaveProperty('foo')
  })

  it('answers null for the date of a schedule that is over', async () => {
    const over = await subscribe(app, { until_date: '2026-03-03T00:00:00Z' })
    expect(over.next_delivery_date).toBeNull()
  })

  it('keeps one that is made deleted, with its date', async () => {
    const body = await subscribe(app, { deleted: true })
    expect(body).toMatchObject({ deleted: true, next_delivery_date: '2026-03-09T09:00:00Z' })
    const list = await app.call('GET', PATH, { query: { limit: '1000' } })
    expect(list.json().results.map((item: { id: number }) => item.id)).not.toContain(body.id)
  })

  it('shows the signing secret of a webhook once, and does not let the answer be cached', async () => {
    const body = { ...SMALLEST, target_type: 'webhook', target_value: 'https://hooks.example.com/' }
    const answer = await app.call('POST', PATH, { body })
    expect(answer.json().signing_secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/)
    expect(answer.headers['cache-control']).toBe('no-store')
    const read = await app.call('GET', `${PATH}${answer.json().id}/`)
    expect(read.json().signing_secret).toBeNull()
    expect(read.headers['cache-control']).toBeUndefined()
  })

  it('writes one activity entry', async () => {
    const body = await subscribe(app, { title: 'Noted' })
    const filter = { projectId: 1, scope: 'Subscription', itemId: String(body.id) }
    const { items } = await app.stores.activity.page(filter, { limit: 10, offset: 0 })
    expect(items).toMatchObject([{ activity: 'created', userId: 1, detail: { name: 'Noted', changes: null } }])
  })
})

describe('next_delivery_date', () => {
  it.each([
    ['2022-01-01T00:00Z', { frequency: 'weekly', start_date: '2022-01-01T00:00Z' }, '2022-01-08T00:00:00Z'],
    ['2022-01-11T09:44Z', { frequency: 'daily', start_date: '2022-01-01T10:00Z' }, '2022-01-11T10:00:00Z'],
    ['2022-01-11T09:45Z', { frequency: 'daily', start_date: '2022-01-01T10:00Z' }, '2022-01-12T10:00:00Z'],
    ['2022-02-01T00:00Z', { frequency: 'monthly', start_date: '2022-01-31T10:00Z' }, '2022-03-31T10:00:00Z'],
    [
      '2022-01-01T00:00Z',
      { frequency: 'monthly', start_date: '2022-01-01', interval: 2, byweekday: ['wednesday', 'friday'], bysetpos: -1 },
      '2022-01-28T00:00:00Z',
    ],
    ['2024-03-01T00:00Z', { frequency: 'yearly', start_date: '2024-02-29T00:00Z' }, '2028-02-29T00:00:00Z'],
    ['2022-01-03T09:50Z', { frequency: 'daily', start_date: '2022-01-01T10:00Z', count: 3 }, null],
    [
      '2022-01-03T00:00Z',
      { frequency: 'daily', start_date: '2022-01-01T10:00Z', until_date: '2022-01-03T10:00Z' },
      '2022-01-03T10:00:00Z',
    ],
    [
      '2026-03-28T12:00Z',
      { frequency: 'daily', start_date: '2026-03-01T08:00Z', timezone: 'Europe/Berlin' },
      '2026-03-29T07:00:00Z',
    ],
    [
      '2026-03-07T20:00Z',
      { frequency: 'daily', start_date: '2026-03-01T07:30Z', timezone: 'America/New_York' },
      '2026-03-08T07:30:00Z',
    ],
  ])('at %s of %o is %s', async (now, schedule, expected) => {
    const then = app.clock.now()
    app.clock.set(Date.parse(now.replace('Z', ':00Z')))
    try {
      expect((await subscribe(app, schedule)).next_delivery_date).toBe(expected)
    } finally {
      app.clock.set(then)
    }
  })

  it.each([
    ['the first year there is', { start_date: '0001-01-01T00:00:00Z' }, '2026-03-09T00:00:00Z'],
    ['the last moment there is', { start_date: '9999-12-31T23:59:59.999999Z' }, '9999-12-31T23:59:59Z'],
  ])('is found from %s', async (_name, schedule, expected) => {
    const body = await subscribe(app, schedule)
    expectFields(body, SEED_FIELDS)
    expect(body.next_delivery_date).toBe(expected)
  })
})

describe('GET subscriptions/{id}/', () => {
  it('answers 200 with what create answered', async () => {
    const made = await subscribe(app, EVERYTHING)
    const answer = await app.call('GET', `${PATH}${made.id}/`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(made)
    expectFields(answer.json(), SEED_FIELDS)
  })

  it.each(['999999', 'abc', '-1', '1.5', '0', '9223372036854775808', '1e3', '%00'])('does not find %s', async (id) => {
    const answer = await app.call('GET', `${PATH}${id}/`)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null })
  })

  it('does not find one of another project', async () => {
    const other = await makeProject(app)
    const { id } = await subscribe(app)
    const answer = await app.call('GET', `/api/environments/${other.id}/subscriptions/${id}/`)
    expect(answer.statusCode).toBe(404)
    expect(answer.json().detail).toBe('Not found.')
  })

  it('keeps a removed user as the author', async () => {
    const { userId, key, project } = await makeStranger(app)
    const theirs = `/api/environments/${project.id}/subscriptions/`
    const made = (await app.call('POST', theirs, { key, body: SMALLEST })).json()
    await app.stores.transaction(async (tx) => {
      await tx.users.update(userId, { isActive: false })
      await tx.users.addMember(project.organizationId, 1, 15)
    })
    const late = await makeKey(app)
    const answer = await app.call('GET', `${theirs}${made.id}/`, { key: late })
    expect(answer.json().created_by).toEqual(made.created_by)
    expect((await app.call('GET', theirs, { key: late })).json().results).toEqual([made])
  })
})
