/** Signing in by password, link and key; the cookie; what a sign-in may do, and when it ends. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/time.ts'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'
import { cookieOf, givePassword, makeLink, OWN_PAGE, PASSWORD, postLogin, signIn } from '../../support/sign-in.ts'

const EMAIL = 'admin@localhost'
const BY_KEY = { personal_api_key: ROOT_KEY }
const ME = '/api/users/@me/'
const SIGN_INS = '/api/users/@me/login_sessions/'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const as = (cookie: string, method: string, path: string, body?: unknown) =>
  app.call(method, path, { key: null, headers: { ...OWN_PAGE, cookie }, ...(body === undefined ? {} : { body }) })
const statusOf = async (cookie: string, path = ME) => (await as(cookie, 'GET', path)).statusCode

describe('signing in by password', () => {
  beforeEach(() => givePassword(app))

  it('gives a cookie that counts as a key would, for this server’s pages only', async () => {
    const answer = await postLogin(app, { email: 'ADMIN@localhost', password: PASSWORD })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }])
    expect(answer.headers['set-cookie']).toMatch(
      /^hedgerow=[A-Za-z0-9]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const me = await as(cookieOf(answer), 'GET', ME)
    expect(me.json()).toMatchObject({
      email: EMAIL,
      is_impersonated: false,
      theme_mode: null,
      organization: { membership_level: 15 },
    })
    expect(await statusOf(cookieOf(answer), '/api/environments/1/persons/')).toBe(200)
    expect(await statusOf('hedgerow=nobody')).toBe(401)
    expect(app.logs.join('\n')).not.toContain(cookieOf(answer).slice('hedgerow='.length))
  })

  it('takes a password however its accents are composed', async () => {
    await givePassword(app, 1, 'Ärger über Öl'.normalize('NFC'))
    await signIn(app, { email: EMAIL, password: 'Ärger über Öl'.normalize('NFD') })
  })

  it('has one answer for a wrong password and an unknown address', async () => {
    const wrong = await postLogin(app, { email: EMAIL, password: 'wrong horse battery' })
    const unknown = await postLogin(app, { email: 'nobody@localhost', password: PASSWORD })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toMatchObject({
      code: 'invalid_credentials',
      detail: 'Invalid email or password.',
      attr: null,
    })
    expect(unknown.json()).toEqual(wrong.json())
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })

  it('says what is missing', async () => {
    expect((await postLogin(app, {})).json()).toMatchObject({ code: 'required', attr: 'email' })
    expect((await postLogin(app, { email: EMAIL })).json()).toMatchObject({ code: 'required', attr: 'password' })
    expect((await postLogin(app, { email: 7 })).statusCode).toBe(400)
    expect((await postLogin(app, [])).statusCode).toBe(400)
  })

  it('lets ten wrong tries through in ten minutes, also at once; right ones do not count', async () => {
    for (let i = 0; i < 3; i++) await signIn(app)
    const tries = Array.from({ length: 14 }, () => postLogin(app, { email: EMAIL, password: 'wrong horse battery' }))
    const codes = (await Promise.all(tries)).map((answer) => answer.json().code)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    const refused = await postLogin(app, { email: EMAIL, password: PASSWORD })
    expect(refused.statusCode).toBe(429)
    expect(refused.json().code).toBe('too_many_failed_attempts')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect((await postLogin(app, { email: 'other@localhost', password: PASSWORD })).statusCode).toBe(400)
    app.clock.advance(10 * MINUTE + SECOND)
    await signIn(app)
  })

  it('of a removed user is refused', async () => {
    const cookie = await signIn(app)
    await app.stores.transaction((tx) => tx.users.update(1, { isActive: false }))
    app.clock.advance(SECOND)
    expect(await statusOf(cookie)).toBe(401)
    expect((await postLogin(app, { email: EMAIL, password: PASSWORD })).statusCode).toBe(400)
  })
})

describe('signing in with a key', () => {
  it('has exactly that key’s rights, and ends with it', async () => {
    const secret = await makeKey(app, { scopes: ['person:read'], scopedTeams: [1] })
    const cookie = await signIn(app, { personal_api_key: secret })
    expect(await statusOf(cookie, '/api/environments/1/persons/')).toBe(200)
    const denied = await as(cookie, 'GET', '/api/environments/1/session_recordings/')
    expect([denied.statusCode, denied.json().code]).toEqual([403, 'permission_denied'])
    expect((await as(cookie, 'PATCH', ME, { password: 'a new long password' })).statusCode).toBe(403)
    const rolled = await app.call('POST', '/api/personal_api_keys/@current/roll/', { key: secret })
    expect(rolled.statusCode).toBe(200)
    expect(await statusOf(cookie, '/api/environments/1/persons/')).toBe(401)

    const again = await signIn(app, { personal_api_key: rolled.json().value })
    await app.call('DELETE', `/api/personal_api_keys/${rolled.json().id}/`)
    expect(await statusOf(again, '/api/environments/1/persons/')).toBe(401)
    expect((await postLogin(app, { personal_api_key: rolled.json().value })).json()).toMatchObject({
      code: 'invalid_credentials',
      detail: 'Invalid API key.',
    })
  })

  it('ends when the key expires, and is refused after that', async () => {
    const secret = await makeKey(app, { expiresAt: app.clock.now() + HOUR })
    const cookie = await signIn(app, { personal_api_key: secret })
    expect(await statusOf(cookie)).toBe(200)
    app.clock.advance(HOUR)
    expect(await statusOf(cookie)).toBe(401)
    expect((await postLogin(app, { personal_api_key: secret })).statusCode).toBe(400)
  })
})

describe('a one-time link', () => {
  const post = (body: unknown) => app.call('POST', '/api/signup/', { key: null, body, headers: OWN_PAGE })

  it('says what it is for, sets a password once, and signs in', async () => {
    expect((await app.call('GET', '/_preflight/', { key: null })).json()).toEqual({
      initiated: false,
      email_service_available: false,
    })
    const token = await makeLink(app)
    const read = await post({ token })
    expect([read.statusCode, read.json()]).toEqual([
      200,
      { purpose: 'setup', target_email: EMAIL, organization_name: 'Default organization' },
    ])
    expect((await post({ token, password: 'too short' })).json()).toMatchObject({
      code: 'password_too_short',
      attr: 'password',
    })
    expect((await post({ token, password: 'x'.repeat(1_001) })).json()).toMatchObject({ code: 'password_too_long' })
    const used = await post({ token, password: PASSWORD, first_name: 'Ann' })
    expect([used.statusCode, used.json()]).toEqual([201, { success: true }])
    expect((await as(cookieOf(used), 'GET', ME)).json()).toMatchObject({ first_name: 'Ann' })
    expect((await post({ token })).json()).toMatchObject({ code: 'link_used' })
    expect((await post({ token, password: PASSWORD })).json()).toMatchObject({ code: 'link_used' })
    expect((await app.call('GET', '/_preflight/', { key: null })).json()).toMatchObject({ initiated: true })
    await signIn(app)
  })

  it('is used by one of two at once', async () => {
    const token = await makeLink(app)
    const both = await Promise.all([1, 2].map((n) => post({ token, password: `${PASSWORD} ${n}` })))
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400])
  })

  it('expires, may be wrong, and ends all sign-ins when it is used', async () => {
    expect((await post({ token: 'nobody' })).json()).toMatchObject({ code: 'link_unknown' })
    const late = await makeLink(app)
    app.clock.advance(DAY)
    expect((await post({ token: late })).json()).toMatchObject({ code: 'link_expired' })
    await givePassword(app)
    const before = await signIn(app)
    await post({ token: await makeLink(app), password: 'another long password' })
    expect(await statusOf(before)).toBe(401)
    expect((await postLogin(app, { email: EMAIL, password: PASSWORD })).statusCode).toBe(400)
  })
})

describe('sign-ins', () => {
  beforeEach(() => givePassword(app))

  it('are listed, ended one by one, all others at once, and by signing out', async () => {
    const [first, second, third] = [await signIn(app), await signIn(app), await signIn(app)]
    const list = (await as(first, 'GET', SIGN_INS)).json()
    expect(list).toHaveLength(3)
    const current = list.filter((one: { is_current: boolean }) => one.is_current)
    expect(current).toMatchObject([{ via: 'password', ip: '127.0.0.1' }])
    const [own] = (await as(second, 'GET', SIGN_INS)).json().filter((one: { is_current: boolean }) => one.is_current)
    expect((await as(first, 'DELETE', `${SIGN_INS}${own.id}/`)).statusCode).toBe(204)
    expect(await statusOf(second)).toBe(401)
    expect((await as(first, 'DELETE', `${SIGN_INS}${own.id}/`)).statusCode).toBe(404)
    expect((await as(first, 'POST', `${SIGN_INS}revoke_others/`)).json()).toEqual({ revoked_count: 1 })
    expect(await statusOf(third)).toBe(401)
    const out = await as(first, 'POST', '/logout')
    expect(out.statusCode).toBe(204)
    expect(out.headers['set-cookie']).toBe('hedgerow=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"')
    expect(await statusOf(first)).toBe(401)
  })

  it('of others are not found, and keys have none', async () => {
    const { key } = await makeStranger(app)
    const stranger = await signIn(app, { personal_api_key: key })
    const [theirs] = (await as(stranger, 'GET', SIGN_INS)).json()
    const cookie = await signIn(app)
    expect((await as(cookie, 'DELETE', `${SIGN_INS}${theirs.id}/`)).statusCode).toBe(404)
    expect((await app.call('GET', SIGN_INS)).statusCode).toBe(403)
    expect((await app.call('POST', '/logout')).statusCode).toBe(403)
  })

  it('made with a key show and end those of that key only', async () => {
    await signIn(app)
    const byKey = await signIn(app, { personal_api_key: ROOT_KEY })
    expect((await as(byKey, 'GET', SIGN_INS)).json()).toMatchObject([{ via: 'key', is_current: true }])
    expect((await as(byKey, 'POST', `${SIGN_INS}revoke_others/`)).json()).toEqual({ revoked_count: 0 })
  })

  it('end after 14 days without use, after 90 in any case, and are removed then', async () => {
    const cookie = await signIn(app)
    for (let days = 0; days < 84; days += 12) {
      app.clock.advance(12 * DAY)
      expect(await statusOf(cookie)).toBe(200)
      await expect.poll(async () => (await app.stores.signIns.listOfUser(1))[0]?.lastUsedAt).toBe(app.clock.now())
    }
    app.clock.advance(7 * DAY)
    expect(await statusOf(cookie)).toBe(401)
    const idle = await signIn(app)
    app.clock.advance(14 * DAY + SECOND)
    expect(await statusOf(idle)).toBe(401)
    await app.features.signIn.removeEnded(app.clock.now(), new AbortController().signal)
    expect(await app.stores.signIns.listOfUser(1)).toEqual([])
  })

  it('are proved again in place, and make way for another user in the same browser', async () => {
    const cookie = await signIn(app)
    const again = await postLogin(app, { email: EMAIL, password: PASSWORD }, { cookie })
    expect(cookieOf(again)).toBe(cookie)
    expect(await app.stores.signIns.listOfUser(1)).toHaveLength(1)
    const { key } = await makeStranger(app)
    const other = cookieOf(await postLogin(app, { personal_api_key: key }, { cookie }))
    expect(other).not.toBe(cookie)
    expect(await statusOf(cookie)).toBe(401)
    expect((await as(other, 'GET', ME)).json().email).toMatch(/^stranger-/)
  })
})

describe('what is sensitive', () => {
  const NEW_KEY = { label: 'New', scopes: ['person:read'] }
  beforeEach(() => givePassword(app))

  it('asks for a sign-in of the last hour, and takes the password again', async () => {
    const cookie = await signIn(app)
    const make = () => as(cookie, 'POST', '/api/personal_api_keys/', NEW_KEY)
    expect((await make()).statusCode).toBe(201)
    app.clock.advance(HOUR + SECOND)
    const asked = [
      await make(),
      await as(cookie, 'POST', '/api/projects/1/reset_token/'),
      await as(cookie, 'DELETE', '/api/projects/1/'),
      await as(cookie, 'PATCH', ME, { password: 'a new long password', current_password: PASSWORD }),
    ]
    for (const answer of asked) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'recent_sign_in_required'])
    }
    expect((await as(cookie, 'PATCH', ME, { theme_mode: 'dark' })).json()).toMatchObject({ theme_mode: 'dark' })
    await postLogin(app, { email: EMAIL, password: PASSWORD }, { cookie })
    expect((await make()).statusCode).toBe(201)
    app.clock.advance(2 * HOUR)
    expect((await app.call('POST', '/api/projects/1/reset_token/')).statusCode).toBe(200)
  })

  it('a new password wants the present one, and ends all other sign-ins', async () => {
    const [cookie, elsewhere] = [await signIn(app), await signIn(app)]
    const change = (body: object) => as(cookie, 'PATCH', ME, body)
    const wrong = await change({ password: 'a new long password', current_password: 'wrong horse battery' })
    expect(wrong.json()).toMatchObject({ code: 'incorrect_password', attr: 'current_password' })
    expect((await change({ password: 'a new long password' })).statusCode).toBe(400)
    expect((await change({ password: 'short', current_password: PASSWORD })).statusCode).toBe(400)
    expect((await app.call('PATCH', ME, { body: { password: 'a new long password' } })).statusCode).toBe(403)
    expect((await change({ password: 'a new long password', current_password: PASSWORD })).statusCode).toBe(200)
    expect([await statusOf(cookie), await statusOf(elsewhere)]).toEqual([200, 401])
    await signIn(app, { email: EMAIL, password: 'a new long password' })
  })

  it('keys are made, changed and removed within the level', async () => {
    await app.stores.transaction(async (tx) => {
      const home = (await tx.projects.find(1))?.organizationId ?? ''
      await tx.users.addMember(home, 1, 1)
    })
    app.clock.advance(SECOND)
    const cookie = await signIn(app)
    const make = (scopes: string[]) => as(cookie, 'POST', '/api/personal_api_keys/', { label: 'New', scopes })
    for (const scopes of [['*'], ['person:read', 'project:write']]) {
      const answer = await make(scopes)
      expect([answer.statusCode, answer.json().detail]).toEqual([403, expect.stringContaining('Your level (member)')])
    }
    const made = (await make(['person:write'])).json()
    const path = `/api/personal_api_keys/${made.id}/`
    expect((await as(cookie, 'PATCH', path, { scopes: ['*'] })).statusCode).toBe(403)
    expect((await as(cookie, 'PATCH', path, { label: 'Renamed' })).statusCode).toBe(200)
    const [first] = (await as(cookie, 'GET', '/api/personal_api_keys/')).json().results.slice(-1)
    expect((await as(cookie, 'DELETE', `/api/personal_api_keys/${first.id}/`)).statusCode).toBe(403)
    expect((await as(cookie, 'DELETE', path)).statusCode).toBe(204)
    expect((await as(cookie, 'GET', '/api/personal_api_keys/@current/')).statusCode).toBe(404)
  })
})

describe('a sign-in', () => {
  it('has limits of its own, as a key has', async () => {
    const limited = await makeApp({ env: { HEDGEROW_RATE_LIMITS: 'on' } })
    try {
      const [one, other] = [await signIn(limited, BY_KEY), await signIn(limited, BY_KEY)]
      const left = async (cookie: string) => {
        const answer = await limited.call('GET', ME, { key: null, headers: { ...OWN_PAGE, cookie } })
        return Number(answer.headers['ratelimit-remaining'])
      }
      const first = await left(one)
      expect(await left(one)).toBe(first - 1)
      expect(await left(other)).toBe(first)
    } finally {
      await limited.end()
    }
  })

  it('has Idempotency-Key as a key has', async () => {
    await givePassword(app)
    const cookie = await signIn(app)
    const headers = { ...OWN_PAGE, cookie, 'idempotency-key': 'once' }
    const make = () => app.call('POST', '/api/projects/', { key: null, headers, body: { name: 'Once' } })
    const [first, second] = [await make(), await make()]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
  })

  it('over TLS has another name and is secure', async () => {
    const behind = await makeApp({ env: { HEDGEROW_PUBLIC_URL: 'https://analytics.example.com/hedgerow' } })
    try {
      const answer = await postLogin(behind, { personal_api_key: ROOT_KEY })
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-hedgerow=\w{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      )
      const ask = (cookie: string) => behind.call('GET', ME, { key: null, headers: { ...OWN_PAGE, cookie } })
      expect((await ask(cookieOf(answer))).statusCode).toBe(200)
      expect((await ask(cookieOf(answer).replace('__Host-', ''))).statusCode).toBe(401)
    } finally {
      await behind.end()
    }
  })

  it('gives way to a key, and opens nothing that needs no credential', async () => {
    const { key } = await makeStranger(app)
    const cookie = await signIn(app, { personal_api_key: ROOT_KEY })
    const both = await app.call('GET', ME, { key, headers: { cookie, 'sec-fetch-site': 'cross-site' } })
    expect(both.json().email).toMatch(/^stranger-/)
    const wrong = await app.call('GET', ME, { key: 'phx_nobody', headers: { ...OWN_PAGE, cookie } })
    expect(wrong.statusCode).toBe(401)
    const basic = { authorization: 'Basic eDp5', cookie, ...OWN_PAGE }
    expect((await app.call('GET', ME, { key: null, headers: basic })).statusCode).toBe(401)
  })
})
