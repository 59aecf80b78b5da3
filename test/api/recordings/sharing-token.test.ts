/** What a sharing token gives access to, and what it does not; opening by password. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkPassword } from '../../../src/features/sharing/check-password.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
let session: string
let token: string
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())
beforeEach(async () => {
  session = (await makeRecording(app)).sessionId
  token = (await sharing(session, { enabled: true })).access_token
})

const one = (id: string, project: number | string = 1) => `/api/environments/${project}/session_recordings/${id}/`
const sharing = async (id: string, body: unknown) => (await app.call('PATCH', `${one(id)}sharing/`, { body })).json()
const refresh = async () => (await app.call('POST', `${one(session)}sharing/refresh/`)).json().access_token
const open = (given: string, path = one(session), method = 'GET') =>
  app.call(method, path, { key: null, query: { sharing_access_token: given } })
const WRONG = {
  type: 'authentication_error',
  code: 'authentication_failed',
  detail: 'Sharing access token is invalid.',
  attr: null,
}

describe('GET session_recordings/{id}/?sharing_access_token=', () => {
  it('answers four fields without a key', async () => {
    const response = await open(token)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.body).toBe(
      JSON.stringify({
        id: session,
        recording_duration: 32,
        start_time: '2026-03-04T11:00:00Z',
        end_time: '2026-03-04T11:00:32.871000Z',
      }),
    )
    expect((await open(token, one(session).replace('environments', 'projects').slice(0, -1))).statusCode).toBe(200)
  })
  it('is never cached, nor are refusals', async () => {
    for (const given of [token, 'x']) {
      const { headers } = await open(given)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['x-robots-tag']).toBe('noindex')
    }
  })
  it.each([
    ['wrong', () => 'x'.repeat(30)],
    ['empty', () => ''],
    ['of other length', () => `${token}a`],
    [
      'of other case',
      () => token.replace(/[a-z]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
    ],
    ['with a NUL', () => `${token.slice(1)}\0`],
    ['a wildcard', () => '%'.repeat(30)],
  ])('refuses one that is %s', async (_, given) => {
    const response = await open(given())
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json()).toEqual(WRONG)
  })
  it('opens no other recording, no other project and no project that does not exist', async () => {
    const other = await makeProject(app)
    const sibling = await makeRecording(app)
    await makeRecording(app, { projectId: other.id, sessionId: session })
    for (const path of [one(sibling.sessionId), one('unknown'), one(session, other.id), one(session, 987_654)]) {
      const response = await open(token, path)
      expect(response.statusCode, path).toBe(403)
      expect(response.json()).toEqual({
        type: 'authentication_error',
        code: 'permission_denied',
        detail: 'The sharing access token opens another recording than this one.',
        attr: null,
      })
    }
    expect((await open(token, one(session, '@current'))).statusCode).toBe(403)
  })
  it.each([
    ['PATCH', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', 'viewed/'],
    ['GET', 'sharing/'],
    ['POST', 'sharing/refresh/'],
    ['GET', 'snapshots/export/'],
    ['GET', '../'],
    ['POST', '../'],
    ['GET', '../../persons/'],
    ['GET', '../../'],
    ['GET', '../../../'],
    ['GET', '/api/users/@me/'],
    ['GET', '/api/personal_api_keys/'],
  ])('does not stand in for a key: %s %s', async (method, rest) => {
    const path = rest.startsWith('/') ? rest : new URL(rest, `http://x${one(session)}`).pathname
    const response = await open(token, path, method)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual({
      type: 'authentication_error',
      code: 'permission_denied',
      detail: 'A sharing access token opens one recording and its snapshots, and nothing else.',
      attr: null,
    })
    expect(response.headers['cache-control']).toBe('no-store')
    const wrong = await open('x'.repeat(30), path, method)
    expect([wrong.statusCode, wrong.json()]).toEqual([401, WRONG])
    expect((await app.call('GET', one(session))).statusCode).toBe(200)
  })
  it('is ignored on routes that need no key', async () => {
    expect((await open('nonsense', '/_health')).statusCode).toBe(200)
    expect((await open(token, '/api/schema/')).statusCode).toBe(200)
  })
  it('gives way to a key', async () => {
    const query = { sharing_access_token: 'nonsense' }
    expect((await app.call('GET', one(session), { query })).json()).toHaveProperty('person')
    const key = await makeKey(app, { scopes: ['person:read'] })
    expect((await app.call('GET', one(session), { key, query: { sharing_access_token: token } })).statusCode).toBe(403)
  })
  it('is nowhere in the log', async () => {
    await open(token)
    await open('guessed-token')
    await open(token, one('unknown'))
    const logs = app.logs.join('')
    expect(logs).toContain('session_recordings/:id/')
    expect(logs).not.toContain(token)
    expect(logs).not.toContain('guessed-token')
  })
})

describe('a live token', () => {
  const status = async (given = token) => (await open(given)).statusCode
  it('is one of a share that is enabled', async () => {
    await sharing(session, { enabled: false })
    expect(await status()).toBe(401)
    const again = (await sharing(session, { enabled: true })).access_token
    expect(await status()).toBe(401)
    expect(await status(again)).toBe(200)
  })
  it('is not one that was only ever shown', async () => {
    const other = (await makeRecording(app)).sessionId
    const shown = (await app.call('GET', `${one(other)}sharing/`)).json().access_token
    expect((await open(shown, one(other))).statusCode).toBe(401)
  })
  it('has 300 seconds after it was replaced', async () => {
    const next = await refresh()
    app.clock.advance(299_999)
    expect([await status(), await status(next)]).toEqual([200, 200])
    app.clock.advance(1)
    expect([await status(), await status(next)]).toEqual([401, 200])
  })
  it('is none while a password is required', async () => {
    await sharing(session, { password_required: true })
    expect(await status()).toBe(401)
    await sharing(session, { password_required: false })
    expect(await status()).toBe(200)
  })
  it('dies with its recording', async () => {
    await app.call('DELETE', one(session))
    expect(await status()).toBe(401)
  })
  it('dies when its recording expires, sharing does not lengthen it', async () => {
    const { expiresAt } = (await app.stores.recordings.find(1, session, app.clock.now())) ?? {}
    const now = app.clock.now()
    app.clock.set((expiresAt as number) - 1)
    expect(await status()).toBe(200)
    app.clock.set(expiresAt as number)
    expect(await status()).toBe(401)
    app.clock.set(now)
  })
  it('is no longer one after the project is gone', async () => {
    const project = await makeProject(app)
    await makeRecording(app, { projectId: project.id, sessionId: 'p' })
    const path = one('p', project.id)
    const shared = await app.call('PATCH', `${path}sharing/`, { body: { enabled: true } })
    expect((await open(shared.json().access_token, path)).statusCode).toBe(200)
    await app.call('DELETE', `/api/projects/${project.id}/`)
    expect((await open(shared.json().access_token, path)).statusCode).toBe(401)
  })
})

describe('opening by password', () => {
  const check = (password: string, given = token) => checkPassword(app, given, password)
  beforeEach(async () => {
    await sharing(session, { password_required: true })
    for (const raw_password of ['first password', 'pässwörd zwei']) {
      await app.call('POST', `${one(session)}sharing/passwords/`, { body: { raw_password } })
    }
  })
  it('distinguishes right ones from wrong ones', async () => {
    const [first, second] = await app.stores.sharing.passwords(1, session)
    expect(await check('first password')).toEqual(first)
    expect(await check('pässwörd zwei'.normalize('NFD'))).toEqual(second)
    expect(await check('First password')).toBeNull()
    expect(await check('')).toBeNull()
  })
  it('forgets a password that was removed', async () => {
    const [first] = await app.stores.sharing.passwords(1, session)
    await app.call('DELETE', `${one(session)}sharing/passwords/${first?.id}/`)
    expect(await check('first password')).toBeNull()
  })
  it('opens nothing that is not live', async () => {
    expect(await check('first password', 'x'.repeat(30))).toBeNull()
    await sharing(session, { enabled: false })
    expect(await check('first password')).toBeNull()
  })
  it('allows ten wrong tries in ten minutes, then no visitor gets in until one has expired', async () => {
    for (let count = 0; count < 10; count++) {
      expect(await check('wrong')).toBeNull()
      app.clock.advance(1_000)
    }
    await expect(check('first password')).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 590 })
    app.clock.advance(590_000)
    expect(await check('first password')).not.toBeNull()
    expect(await check('wrong')).toBeNull()
    await expect(check('first password')).rejects.toMatchObject({ kind: 'throttled' })
  })
  it('does not count the right password', async () => {
    for (let count = 0; count < 12; count++) expect(await check('first password')).not.toBeNull()
  })
  it('answers ten of many guesses made at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 15 }, () => check('wrong')))
    expect(all.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
  })
  it('counts each token by itself', async () => {
    for (let count = 0; count < 10; count++) await check('wrong')
    const next = await refresh()
    expect(await check('first password', next)).not.toBeNull()
  })
})
