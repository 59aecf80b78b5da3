/** PATCH, PUT and DELETE of subscriptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { expectFields, PATH, SEED_FIELDS, SMALLEST, subscribe } from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const START = Date.UTC(2026, 2, 4, 12)
const at = async <T>(instant: number, work: () => Promise<T>): Promise<T> => {
  app.clock.set(instant)
  try {
    return await work()
  } finally {
    app.clock.set(START)
  }
}
const patch = async (id: number, body: unknown) => {
  const answer = await app.call('PATCH', `${PATH}${id}/`, { body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const entries = async (id: number) => {
  const filter = { projectId: 1, scope: 'Subscription', itemId: String(id) }
  const { items } = await app.stores.activity.page(filter, { limit: 20, offset: 0 })
  return items.map(({ activity, detail }) => [
    activity,
    detail.changes?.map(({ type, action, field, before, after }) => [type, action, field, before, after]) ?? null,
  ])
}

const writes = [
  { method: 'PATCH', body: {}, done: 200 },
  { method: 'PUT', body: SMALLEST, done: 200 },
  { method: 'DELETE', body: undefined, done: 204 },
]

describe.each(writes)('$method subscriptions/{id}/', ({ method, body, done }) => {
  const call = async (options: { key?: string | null } = {}, path?: string) => {
    const { id } = await subscribe(app)
    return app.call(method, path ?? `${PATH}${id}/`, { ...options, ...(body ? { body } : {}) })
  }

  it('needs a key with the scope to write, of a member', async () => {
    expect((await call()).statusCode).toBe(done)
    expect((await call({ key: await makeKey(app, { scopes: ['subscription:write'] }) })).statusCode).toBe(done)
    expect((await call({ key: null })).statusCode).toBe(401)
    const denied = await call({ key: await makeKey(app, { scopes: ['subscription:read'] }) })
    expect(denied.statusCode).toBe(403)
    expect(denied.json().detail).toBe("API key missing required scope 'subscription:write'")
    expect((await call({ key: (await makeStranger(app)).key })).statusCode).toBe(403)
  })

  it('does not find what is unknown, not an integer, or another project’s', async () => {
    for (const id of ['999999', 'abc', '-1']) expect((await call({}, `${PATH}${id}/`)).statusCode).toBe(404)
    const other = await makeProject(app)
    const { id } = await subscribe(app)
    expect((await call({}, `/api/environments/${other.id}/subscriptions/${id}/`)).statusCode).toBe(404)
    expect((await app.call('GET', `${PATH}${id}/`)).json().deleted).toBe(false)
  })
})

describe('PATCH', () => {
  it('changes what it names and keeps the rest', async () => {
    const made = await subscribe(app, { title: 'Before', dashboard: 1, byweekday: ['monday'] })
    const changed = await patch(made.id, { title: 'After', insight: 2, dashboard: null })
    expect(changed).toEqual({ ...made, title: 'After', insight: 2, dashboard: null })
    expectFields(changed, SEED_FIELDS)
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual(changed)
    expect(await entries(made.id)).toEqual([
      [
        'updated',
        [
          ['Subscription', 'changed', 'dashboard', 1, null],
          ['Subscription', 'changed', 'insight', null, 2],
          ['Subscription', 'changed', 'title', 'Before', 'After'],
        ],
      ],
      ['created', null],
    ])
  })

  it.each([
    ['nothing', {}],
    ['what is there already', { title: 'Same', ...SMALLEST, interval: 1, byweekday: null, deleted: false }],
    [
      'what only the server may say',
      { id: 99, created_by: null, summary: 'x', next_delivery_date: null, created_at: 5 },
    ],
  ])('of %s changes nothing and notes nothing', async (_name, body) => {
    const made = await subscribe(app, { title: 'Same' })
    expect(await at(START + 9 * 86_400_000, () => patch(made.id, body))).toEqual(made)
    expect(await entries(made.id)).toEqual([['created', null]])
  })

  it.each([
    [{ frequency: 'daily' }, '2026-03-21T09:00:00Z'],
    [{ interval: 2 }, '2026-03-30T09:00:00Z'],
    [{ byweekday: ['tuesday'] }, '2026-03-24T09:00:00Z'],
    [{ byweekday: ['monday', 'friday'], bysetpos: -1 }, '2026-03-27T09:00:00Z'],
    [{ count: 4 }, '2026-03-23T09:00:00Z'],
    [{ count: 3 }, null],
    [{ start_date: '2026-04-01T00:00:00Z' }, '2026-04-01T00:00:00Z'],
    [{ until_date: '2026-03-20T12:00:00Z' }, null],
    [{ timezone: 'Europe/Berlin' }, '2026-03-23T09:00:00Z'],
  ])('of the schedule, %j, looks for the next date anew', async (body, expected) => {
    const made = await subscribe(app)
    expect(made.next_delivery_date).toBe('2026-03-09T09:00:00Z')
    const changed = await at(Date.UTC(2026, 2, 20, 12), () => patch(made.id, body))
    expect(changed).toEqual({ ...made, ...body, next_delivery_date: expected, summary: changed.summary })
  })

  it.each([
    { title: 'New' },
    { target_value: 'bob@example.com' },
    { insight: 1 },
    { invite_message: 'Hi' },
    { deleted: true },
  ])('of anything else, %j, leaves the date alone', async (body) => {
    const made = await subscribe(app)
    const changed = await at(Date.UTC(2026, 2, 20, 12), () => patch(made.id, body))
    expect(changed).toEqual({ ...made, ...body })
  })

  it('restores a deleted one with a date that is still to come', async () => {
    const made = await subscribe(app)
    await patch(made.id, { deleted: true })
    const restored = await at(Date.UTC(2026, 2, 20, 12), () => patch(made.id, { deleted: false }))
    expect(restored).toMatchObject({ deleted: false, next_delivery_date: '2026-03-23T09:00:00Z' })
    expect(await entries(made.id)).toEqual([
      ['updated', [['Subscription', 'changed', 'deleted', true, false]]],
      ['deleted', [['Subscription', 'changed', 'deleted', false, true]]],
      ['created', null],
    ])
  })

  it.each<[Record<string, unknown>, Record<string, unknown>, string, string]>([
    [{}, { frequency: null }, 'frequency', 'null'],
    [{}, { interval: 0 }, 'interval', 'min_value'],
    [{}, { until_date: '2026-03-02T08:00:00Z' }, 'until_date', 'invalid_input'],
    [{ until_date: '2026-04-01' }, { start_date: '2026-04-02' }, 'until_date', 'invalid_input'],
    [{ bysetpos: 3 }, { byweekday: ['monday'] }, 'bysetpos', 'invalid_input'],
    [
      { byweekday: ['monday'], bysetpos: 5, frequency: 'monthly' },
      { frequency: 'weekly' },
      'bysetpos',
      'invalid_input',
    ],
    [{}, { target_type: 'webhook' }, 'target_value', 'invalid_input'],
    [{}, { target_value: 'nobody' }, 'target_value', 'invalid_input'],
    [{}, { dashboard: 999 }, 'dashboard', 'does_not_exist'],
    [{}, { rotate_secret: true }, 'rotate_secret', 'invalid_input'],
    [{}, { rotate_secret: 'yes' }, 'rotate_secret', 'invalid_input'],
  ])('of %j by %j is refused on %s as %s, and nothing changes', async (given, body, attr, code) => {
    const made = await subscribe(app, given)
    const answer = await app.call('PATCH', `${PATH}${made.id}/`, { body: { title: 'Not kept', ...body } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr, code })
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual(made)
  })

  it('reports a bad body before an unknown subscription', async () => {
    const answer = await app.call('PATCH', `${PATH}999999/`, { body: { interval: 'x' } })
    expect([answer.statusCode, answer.json().attr]).toEqual([400, 'interval'])
  })

  it('keeps naming an insight that was deleted meanwhile', async () => {
    const insight = (await app.call('POST', '/api/environments/1/insights/', { body: {} })).json()
    const made = await subscribe(app, { insight: insight.id })
    await app.call('DELETE', `/api/environments/1/insights/${insight.id}/`)
    expect(await patch(made.id, { insight: insight.id, title: 'Kept' })).toMatchObject({
      insight: insight.id,
      title: 'Kept',
    })
  })

  it('lets any member change what another one made', async () => {
    const made = await subscribe(app)
    const { userId, project } = await makeStranger(app)
    const first = await app.stores.projects.find(1)
    await app.stores.transaction((tx) => tx.users.addMember(first?.organizationId ?? '', userId, 15))
    const key = await makeKey(app, { userId })
    const answer = await app.call('PATCH', `${PATH}${made.id}/`, { key, body: { title: 'Theirs' } })
    expect(answer.json()).toMatchObject({ title: 'Theirs', created_by: { id: 1 } })
    expect(project.id).not.toBe(1)
  })
})

describe('the signing secret', () => {
  const WEBHOOK = { target_type: 'webhook', target_value: 'https://hooks.example.com/x' }

  it('is replaced on request, and shown in that answer only', async () => {
    const made = await subscribe(app, WEBHOOK)
    const answer = await app.call('PATCH', `${PATH}${made.id}/`, { body: { rotate_secret: true } })
    expect(answer.headers['cache-control']).toBe('no-store')
    const { signing_secret } = answer.json()
    expect(signing_secret).toMatch(/^whsec_/)
    expect(signing_secret).not.toBe(made.signing_secret)
    expect((await patch(made.id, { rotate_secret: false, title: 'x' })).signing_secret).toBeNull()
    expect((await app.stores.subscriptions.find(1, made.id))?.signingSecret).toBe(signing_secret)
    expect((await entries(made.id))[1]).toEqual([
      'updated',
      [['Subscription', 'changed', 'signing_secret', null, null]],
    ])
  })

  it('comes with becoming a webhook and goes with ceasing to be one', async () => {
    const made = await subscribe(app)
    expect((await patch(made.id, WEBHOOK)).signing_secret).toMatch(/^whsec_/)
    const { target_type, target_value } = SMALLEST
    expect((await patch(made.id, { target_type, target_value })).signing_secret).toBeNull()
    expect((await app.stores.subscriptions.find(1, made.id))?.signingSecret).toBeNull()
  })
})

describe('PUT', () => {
  it('replaces what it names and keeps the rest', async () => {
    const made = await subscribe(app, { title: 'Kept', byweekday: ['monday'] })
    const body = { ...SMALLEST, frequency: 'daily', target_value: 'bob@example.com' }
    const answer = await app.call('PUT', `${PATH}${made.id}/`, { body })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ ...made, ...body, summary: 'sent every day' })
  })

  it('takes back the object that GET gave', async () => {
    const made = await subscribe(app, { title: 'Round trip', insight: 1, byweekday: ['monday'], bysetpos: 1 })
    const body = (await app.call('GET', `${PATH}${made.id}/`)).json()
    expect((await app.call('PUT', `${PATH}${made.id}/`, { body })).json()).toEqual(made)
  })

  it('needs the four fields', async () => {
    const { id } = await subscribe(app)
    const answer = await app.call('PUT', `${PATH}${id}/`, { body: { frequency: 'daily' } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().errors.map((problem: { attr: string; code: string }) => [problem.attr, problem.code])).toEqual(
      [
        ['target_type', 'required'],
        ['target_value', 'required'],
        ['start_date', 'required'],
      ],
    )
  })
})

describe('DELETE', () => {
  it('answers 204 without a body, hides it from the list, and leaves it to be read', async () => {
    const made = await subscribe(app)
    const answer = await app.call('DELETE', `${PATH}${made.id}/`)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    const listed = async (query: Record<string, string>) =>
      (await app.call('GET', PATH, { query: { limit: '1000', ...query } }))
        .json()
        .results.map((s: { id: number }) => s.id)
    expect(await listed({})).not.toContain(made.id)
    expect(await listed({ deleted: 'true' })).toContain(made.id)
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual({ ...made, deleted: true })
    expect(await entries(made.id)).toEqual([
      ['deleted', [['Subscription', 'changed', 'deleted', false, true]]],
      ['created', null],
    ])
  })

  it('twice is the same as once', async () => {
    const { id } = await subscribe(app)
    await app.call('DELETE', `${PATH}${id}/`)
    expect((await app.call('DELETE', `${PATH}${id}/`)).statusCode).toBe(204)
    expect(await entries(id)).toHaveLength(2)
  })
})

it('answers 405 with what is allowed', async () => {
  const answer = await app.call('DELETE', PATH)
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  const one = await app.call('POST', `${PATH}1/`)
  expect([one.statusCode, one.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'])
})

it('follows one change with the next when two come at once', async () => {
  const { id } = await subscribe(app)
  const bodies = Array.from({ length: 8 }, (_, i) => (i % 2 ? { title: `Title ${i}` } : { interval: i + 2 }))
  await Promise.all(bodies.map((body) => patch(id, body)))
  const last = (await app.call('GET', `${PATH}${id}/`)).json()
  expect(last.title).toMatch(/^Title [1357]$/)
  expect([2, 4, 6, 8]).toContain(last.interval)
  expect(await entries(id)).toHaveLength(9)
})
