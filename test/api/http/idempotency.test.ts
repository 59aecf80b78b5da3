/** Idempotency-Key on routes that create. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimKey } from '../../../src/http/idempotency/claim.ts'
import { beginIdempotent, memoryIn } from '../../../src/http/idempotency/idempotency.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { PATH, SMALLEST } from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeRecording } from '../../support/make.ts'
import { withTables } from '../../support/stores/tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

let counter = 0
const token = () => `token-${++counter}`
const post = (idempotencyKey: string, body: unknown, options: { path?: string; key?: string } = {}) =>
  app.call('POST', options.path ?? PATH, {
    body,
    headers: { 'idempotency-key': idempotencyKey },
    ...(options.key ? { key: options.key } : {}),
  })
const count = async () => (await app.call('GET', PATH)).json().count
const WEBHOOK = { ...SMALLEST, target_type: 'webhook', target_value: 'https://hooks.example.com/x' }

it('gives the first answer again for the same body, and creates nothing twice', async () => {
  const before = await count()
  const key = token()
  const first = await post(key, SMALLEST)
  const again = await post(key, SMALLEST)
  expect([first.statusCode, again.statusCode]).toEqual([201, 201])
  expect(again.json()).toEqual(first.json())
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await count()).toBe(before + 1)
})

it('answers the same whichever way the project is spelled', async () => {
  const key = token()
  const first = await post(key, SMALLEST)
  const again = await post(key, SMALLEST, { path: '/api/projects/@current/subscriptions' })
  expect(again.json()).toEqual(first.json())
})

it('does not show a secret again', async () => {
  const key = token()
  const first = (await post(key, WEBHOOK)).json()
  const again = (await post(key, WEBHOOK)).json()
  expect(first.signing_secret).toMatch(/^whsec_/)
  expect(again).toEqual({ ...first, signing_secret: null })
})

it('refuses another body under the same key', async () => {
  const key = token()
  await post(key, SMALLEST)
  const other = await post(key, { ...SMALLEST, title: 'Other' })
  expect(other.statusCode).toBe(422)
  expect(other.json()).toMatchObject({ type: 'invalid_request', code: 'idempotency_key_reused', attr: null })
  const elsewhere = await post(key, SMALLEST, { path: '/api/environments/1/insights/' })
  expect(elsewhere.statusCode).toBe(422)
})

it('belongs to the named object', async () => {
  const passwords = async () => {
    const { sessionId } = await makeRecording(app)
    const path = `/api/environments/1/session_recordings/${sessionId}/sharing/`
    await app.call('PATCH', path, { body: { enabled: true, password_required: true } })
    return { path: `${path}passwords/`, sessionId }
  }
  const [one, other] = [await passwords(), await passwords()]
  const key = token()
  const first = await post(key, { note: 'mine' }, { path: one.path })
  expect(first.statusCode).toBe(201)
  const elsewhere = await post(key, { note: 'mine' }, { path: other.path })
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([422, 'idempotency_key_reused'])
  const same = `/api/projects/@current/session_recordings/${one.sessionId}/sharing/passwords`
  expect((await post(key, { note: 'mine' }, { path: same })).json()).toEqual({ ...first.json(), password: null })
})

it('is the same at both addresses of the list of projects', async () => {
  const key = token()
  const first = await post(key, { name: 'Once' }, { path: '/api/projects/' })
  const again = await post(key, { name: 'Once' }, { path: '/api/environments' })
  expect([again.statusCode, again.json()]).toEqual([201, first.json()])
})

it('a request so slow that another replaced it does nothing', async () => {
  const [slow, quick] = [token(), token()]
  const hash = 'hash'
  const claim = { keyId: 'key', projectId: 1, token: slow }
  const begin = (at: number) => app.stores.transaction((tx) => claimKey(tx, claim, hash, at))
  const finish = (claimedAt: number, body: string) =>
    app.stores.transaction((tx) => tx.idempotency.finish({ ...claim, claimedAt }, 201, body))
  const now = app.clock.now()
  expect(await begin(now)).toEqual({ state: 'started', claimedAt: now })
  expect(await begin(now + 61_000)).toEqual({ state: 'started', claimedAt: now + 61_000 })
  expect(await finish(now, 'slow')).toBe(false)
  expect(await finish(now + 61_000, quick)).toBe(true)
  expect(await finish(now + 61_000, 'twice')).toBe(false)
  expect(await begin(now + 61_001)).toEqual({ state: 'done', status: 201, body: quick })
})

it('is checked before the body is validated', async () => {
  const key = token()
  await post(key, SMALLEST)
  expect((await post(key, { frequency: 'never' })).statusCode).toBe(422)
})

it('remembers a refusal too', async () => {
  const key = token()
  const first = await post(key, { ...SMALLEST, interval: 0 })
  const again = await post(key, { ...SMALLEST, interval: 0 })
  expect([first.statusCode, again.statusCode]).toEqual([400, 400])
  expect(again.json()).toEqual(first.json())
})

it('lets two requests at once create one object', async () => {
  const before = await count()
  const key = token()
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(key, SMALLEST)))
  expect(await count()).toBe(before + 1)
  const made = answers.filter((answer) => answer.statusCode === 201)
  const waiting = answers.filter((answer) => answer.statusCode === 409)
  expect(made.length).toBeGreaterThan(0)
  expect(made.length + waiting.length).toBe(6)
  expect(new Set(made.map((answer) => answer.json().id)).size).toBe(1)
  for (const answer of waiting) {
    expect(answer.json()).toMatchObject({ type: 'invalid_request', code: 'idempotency_in_progress', attr: null })
    expect(answer.headers['retry-after']).toBe('1')
  }
})

it('answers 409 while the first request runs, and accepts another when its holder crashed', async () => {
  const claimed = token()
  const caller = (await app.stores.keys.listOfUser(1)).find((key) => key.label === 'First key')
  const claim = { keyId: caller?.id ?? '', projectId: 1, token: claimed }
  const begun = await beginIdempotent(memoryIn(app.stores, app.clock), claim, 'POST /subscriptions/', SMALLEST)
  expect(begun).toEqual({ claim: { ...claim, claimedAt: app.clock.now() } })
  const waiting = await post(claimed, SMALLEST)
  expect(waiting.statusCode).toBe(409)
  expect(waiting.json()).toMatchObject({ type: 'invalid_request', code: 'idempotency_in_progress', attr: null })
  expect((await post(claimed, WEBHOOK)).statusCode).toBe(422)
  app.clock.advance(61_000)
  expect((await post(claimed, SMALLEST)).statusCode).toBe(201)
})

it('keeps no answer of a request that failed on our side', async () => {
  const key = token()
  const rename = (from: string, to: string) => withTables(app, ({ all }) => all(`alter table ${from} rename to ${to}`))
  await rename('subscriptions', 'elsewhere')
  try {
    expect((await post(key, SMALLEST)).statusCode).toBe(500)
  } finally {
    await rename('elsewhere', 'subscriptions')
  }
  const second = await post(key, SMALLEST)
  expect(second.statusCode).toBe(201)
  expect(second.headers['idempotent-replayed']).toBeUndefined()
})

it('belongs to one key and one project', async () => {
  const before = await count()
  const key = token()
  await post(key, SMALLEST)
  expect((await post(key, { ...SMALLEST, title: 'Other key' }, { key: await makeKey(app) })).statusCode).toBe(201)
  expect(await count()).toBe(before + 2)
  const project = await makeProject(app)
  const path = `/api/environments/${project.id}/subscriptions/`
  expect((await post(key, { ...SMALLEST, title: 'Other project' }, { path })).statusCode).toBe(201)
})

it('is forgotten after a day', async () => {
  const key = token()
  const first = await post(key, SMALLEST)
  app.clock.advance(24 * 3_600_000 - 1)
  expect((await post(key, SMALLEST)).json().id).toBe(first.json().id)
  app.clock.advance(1)
  const later = await post(key, { ...SMALLEST, title: 'A new day' })
  expect(later.statusCode).toBe(201)
  expect(later.json().id).not.toBe(first.json().id)
})

it.each(['x'.repeat(256), 'ünreadable'])('must be short and plain: %s', async (key) => {
  const answer = await post(key, SMALLEST)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().detail).toBe('Idempotency-Key must be 1 to 255 printable ASCII characters.')
})

it('is not checked for a refused caller, and is ignored on other methods', async () => {
  const key = token()
  const reader = await makeKey(app, { scopes: ['subscription:read'] })
  expect((await post(key, SMALLEST, { key: reader })).statusCode).toBe(403)
  const headers = { 'idempotency-key': key }
  const listed = await app.call('GET', PATH, { headers })
  expect(listed.headers['idempotent-replayed']).toBeUndefined()
  expect((await post(key, SMALLEST)).statusCode).toBe(201)
})
