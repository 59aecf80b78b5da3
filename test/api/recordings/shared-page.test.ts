/** The page of a share's link: who sees what, under which headers, and how a password opens it. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readGrant, writeGrant } from '../../../src/features/sharing/share-grant.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
let session: string
let token: string
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())
beforeEach(async () => {
  session = (await makeRecording(app)).sessionId
  token = (await sharing({ enabled: true })).access_token
})

const one = (id = session, project = 1) => `/api/environments/${project}/session_recordings/${id}/`
const sharing = async (body: unknown, path = one()) => (await app.call('PATCH', `${path}sharing/`, { body })).json()
const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ method: 'GET', url, headers })
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const policyOf = (response: { headers: Record<string, unknown> }) =>
  Object.fromEntries(
    String(response.headers['content-security-policy'])
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
  )
/** How a policy names the style that the page carries. */
const styleOf = (html: string) =>
  `'sha256-${createHash('sha256')
    .update(/<style>([\s\S]+)<\/style>/.exec(html)?.[1] ?? '')
    .digest('base64')}'`
const attribute = (html: string, name: string) =>
  new RegExp(` data-${name}="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')
/** Where an address on a page leads to: the path on this server. */
const resolved = (address: unknown, page: string) => {
  expect(address).toMatch(/^\.\.?\//)
  const { pathname, search } = new URL(String(address), `http://localhost${page}`)
  return pathname + search
}

const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
}

describe('/shared/{token} and /embedded/{token}', () => {
  it.each(['shared', 'embedded'])('%s is the player, for anyone, with or without a slash', async (kind) => {
    for (const path of [`/${kind}/${token}`, `/${kind}/${token}/`, `/${kind}/${token}?t=12`]) {
      const response = await get(path)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' })
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
      expect(response.headers).not.toHaveProperty('set-cookie')
      expect(response.body).toContain('Session recording · 2026-03-04 11:00 UTC · 0:32')
      expect(resolved(attribute(response.body, 'source'), path)).toBe(
        `/api/projects/1/session_recordings/${session}/snapshots/?sharing_access_token=${token}`,
      )
      expect(attribute(response.body, 'start')).toBe(String(Date.UTC(2026, 2, 4, 11)))
      expect(response.body).not.toMatch(/user-1|example\.com|https?:\/\//)
    }
  })
  it('carries its style, runs one script, and takes nothing else from this server but the recording', async () => {
    const response = await get(`/shared/${token}`)
    const nonce = /<script type="module" src="[^"]+" nonce="([^"]{22,})">/.exec(response.body)?.[1]
    expect(policyOf(response)).toEqual({
      'default-src': "'none'",
      'script-src': `'nonce-${nonce}'`,
      'style-src': "'unsafe-inline'",
      'connect-src': "'self'",
      'img-src': 'data: blob:',
      'font-src': 'data: blob:',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(response.body).not.toMatch(/style=|<script(?![^>]* src=)|\son\w+=/)
    expect(response.headers['x-dns-prefetch-control']).toBe('off')
    expect((await get(`/shared/${token}`)).body).not.toContain(nonce)
  })
  it('may be framed when it is the one for embedding, and only then', async () => {
    const shared = await get(`/shared/${token}`)
    expect([policyOf(shared)['frame-ancestors'], shared.headers['x-frame-options']]).toEqual(["'none'", 'DENY'])
    const embedded = await get(`/embedded/${token}`)
    expect([policyOf(embedded)['frame-ancestors'], embedded.headers['x-frame-options']]).toEqual(['*', undefined])
  })
  it('loads images and fonts of the recorded site only when configured', async () => {
    await sharing({ settings: { loadRemote: true } })
    const policy = policyOf(await get(`/shared/${token}`))
    expect([policy['img-src'], policy['font-src']]).toEqual(Array(2).fill('data: blob: https: http:'))
    expect(policy['script-src']).toMatch(/^'nonce-[^']+'$/)
    expect([policy['connect-src'], policy['style-src']]).toEqual(["'self'", "'unsafe-inline'"])
  })
  it('looks as its settings say', async () => {
    const body = async () => (await get(`/shared/${token}`)).body
    const plain = await body()
    expect(plain).toContain('data-theme="system"')
    expect(plain).toContain('<p class="name">Hedgerow</p>')
    expect(attribute(plain, 'inspector')).toBeUndefined()
    await sharing({ settings: { theme: 'dark', whitelabel: true, showInspector: true } })
    const white = await body()
    expect(white).toContain('data-theme="dark"')
    expect(white).toContain('<header>')
    expect(white).not.toContain('Hedgerow')
    expect(attribute(white, 'inspector')).toBe('1')
    await sharing({ settings: { noHeader: true } })
    expect(await body()).not.toContain('<header>')
  })
  it('passes to the page when the recording is of a mobile app', async () => {
    const { sessionId } = await makeRecording(app, { snapshotSource: 'mobile' })
    const shared = await sharing({ enabled: true }, one(sessionId))
    expect(attribute((await get(`/shared/${shared.access_token}`)).body, 'platform')).toBe('mobile')
    expect(attribute((await get(`/shared/${token}`)).body, 'platform')).toBe('web')
  })
  it('refuses other methods and other bodies, as a page', async () => {
    const put = await app.server.inject({ method: 'PUT', url: `/shared/${token}` })
    expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    const other = await app.server.inject({
      method: 'POST',
      url: `/shared/${token}`,
      payload: '<password/>',
      headers: { 'content-type': 'application/xml' },
    })
    expect(other.statusCode).toBe(415)
    const long = await post(`/shared/${token}`, { password: 'x'.repeat(20_000) })
    expect(long.statusCode).toBe(413)
    for (const response of [put, other, long]) {
      expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' })
      expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })
})

describe('a dead link', () => {
  const dead = async (given: string) => {
    const all = [
      await get(`/shared/${given}`),
      await get(`/embedded/${given}`),
      await post(`/shared/${given}`, { password: 'x' }),
    ]
    for (const response of all) {
      expect(response.statusCode).toBe(404)
      expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' })
      expect(policyOf(response)).toMatchObject({
        'default-src': "'none'",
        'style-src': styleOf(response.body),
        'img-src': 'data:',
      })
      expect(policyOf(response)).not.toHaveProperty('connect-src')
      expect(response.body).toContain('Recording not found')
      expect(response.body).not.toContain(session)
    }
    expect((await get(`/shared/${given}/snapshots`)).statusCode).toBe(404)
    expect(new Set(all.slice(0, 2).map(({ body }) => body)).size).toBe(1)
    return all[0]?.body
  }
  const alive = async (given: string) => expect((await get(`/shared/${given}`)).statusCode).toBe(200)

  it.each([['x'.repeat(30)], ['short'], ['%00'], ['%3Cscript%3E'], ['constructor']])(
    'shows a page with the status 404: %s',
    async (given) => {
      await dead(given)
    },
  )
  it('is one whose share was disabled, the same as one that never was', async () => {
    const unknown = await dead('x'.repeat(30))
    await sharing({ enabled: false })
    expect(await dead(token)).toBe(unknown)
    const again = await sharing({ enabled: true })
    await alive(again.access_token)
    await dead(token)
  })
  it('is one that was only ever shown', async () => {
    const { sessionId } = await makeRecording(app)
    await dead((await app.call('GET', `${one(sessionId)}sharing/`)).json().access_token)
  })
  it('is one replaced more than 300 seconds ago', async () => {
    const next = (await app.call('POST', `${one()}sharing/refresh/`)).json().access_token
    app.clock.advance(299_999)
    await alive(token)
    app.clock.advance(1)
    await dead(token)
    await alive(next)
  })
  it('is one of a recording that was deleted', async () => {
    await app.call('DELETE', one())
    await dead(token)
  })
  it('is one of a recording that has expired', async () => {
    const found = await app.stores.recordings.find(1, session, app.clock.now())
    const now = app.clock.now()
    app.clock.set((found?.expiresAt ?? 0) - 1)
    await alive(token)
    app.clock.set(found?.expiresAt ?? 0)
    await dead(token)
    app.clock.set(now)
  })
  it('is one of a project that is gone', async () => {
    const project = await makeProject(app)
    await makeRecording(app, { projectId: project.id, sessionId: 'gone' })
    const shared = await sharing({ enabled: true }, one('gone', project.id))
    await alive(shared.access_token)
    await app.call('DELETE', `/api/projects/${project.id}/`)
    await dead(shared.access_token)
  })
})

describe('a share with a password', () => {
  let passwordId: number
  const PASSWORD = 'correct horse'
  beforeEach(async () => {
    await sharing({ password_required: true })
    const made = await app.call('POST', `${one()}sharing/passwords/`, { body: { raw_password: PASSWORD } })
    passwordId = made.json().id
  })
  const enter = (password: string, kind = 'shared') => post(`/${kind}/${token}`, { password })
  const cookieOf = (response: { headers: Record<string, unknown> }) =>
    String(response.headers['set-cookie']).split(';')[0] as string
  const isLocked = async (cookie: string) => {
    const { statusCode, body } = await get(`/shared/${token}`, { cookie })
    expect(statusCode).toBe(200)
    return body.includes('<form')
  }

  describe('opened by a program', () => {
    const send = (payload: string, url = `/shared/${token}`, type = 'application/json') =>
      app.server.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    const enterJson = (password: unknown, url?: string) => send(JSON.stringify({ password, extra: 1 }), url)
    const error = (type: string, code: string, detail: string, attr: string | null = null) => ({
      type,
      code,
      detail,
      attr,
    })

    it.each(['shared', 'embedded'])('gives at /%s/ a token that opens the recording', async (kind) => {
      const response = await enterJson(PASSWORD, `/${kind}/${token}/`)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'application/json; charset=utf-8' })
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
      expect(Object.keys(response.json())).toEqual(['shareToken'])
      const { shareToken } = response.json()
      const path = `/${kind}/${token}/snapshots`
      expect((await get(path, { authorization: `Bearer ${shareToken}` })).statusCode).toBe(200)
      expect((await get(path)).statusCode).toBe(404)
      if (kind === 'shared') expect(await isLocked(cookieOf(response))).toBe(false)
      else expect(response.headers).not.toHaveProperty('set-cookie')
    })
    it('refuses a wrong one in the one error body', async () => {
      const response = await enterJson('wrong horse')
      expect(response.statusCode).toBe(401)
      expect(response.headers).toMatchObject({ ...PRIVATE, 'www-authenticate': 'Bearer' })
      expect(response.json()).toEqual(error('authentication_error', 'authentication_failed', 'Incorrect password'))
      expect(response.headers).not.toHaveProperty('set-cookie')
    })
    it('refuses an invalid body in the one error body', async () => {
      const cases: [string, number, object][] = [
        ['{"password"', 400, { type: 'invalid_request', code: 'parse_error' }],
        ['', 400, error('validation_error', 'required', 'This field is required.', 'password')],
        ['{}', 400, error('validation_error', 'required', 'This field is required.', 'password')],
        ['{"password":5}', 400, error('validation_error', 'invalid_input', 'Not a valid string.', 'password')],
        ['{"password":null}', 400, error('validation_error', 'null', 'This field may not be null.', 'password')],
        ['["x"]', 400, { type: 'validation_error', code: 'invalid_input' }],
        [JSON.stringify({ password: 'x'.repeat(20_000) }), 413, { type: 'invalid_request' }],
      ]
      for (const [payload, status, body] of cases) {
        const response = await send(payload)
        expect([payload.slice(0, 20), response.statusCode]).toEqual([payload.slice(0, 20), status])
        expect(response.json()).toMatchObject(body)
        expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'application/json; charset=utf-8' })
      }
    })
    it('takes the content types that JSON has', async () => {
      const payload = JSON.stringify({ password: PASSWORD })
      for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json']) {
        expect((await send(payload, undefined, type)).statusCode).toBe(200)
      }
    })
    it('counts its tries together with those of the form', async () => {
      for (let count = 0; count < 5; count++) {
        expect((await enterJson('wrong')).statusCode).toBe(401)
        expect((await enter('wrong')).statusCode).toBe(401)
      }
      const response = await enterJson(PASSWORD)
      expect(response.statusCode).toBe(429)
      expect(response.headers['retry-after']).toBe('600')
      expect(response.json()).toMatchObject({ type: 'throttled_error', code: 'throttled' })
      expect((await enter(PASSWORD)).statusCode).toBe(429)
    })
    it('knows no dead link, and none that asks for no password', async () => {
      const dead = await enterJson(PASSWORD, `/shared/${'x'.repeat(30)}`)
      expect([dead.statusCode, dead.json().code]).toEqual([404, 'not_found'])
      await sharing({ password_required: false })
      const open = await enterJson(PASSWORD)
      expect(open.statusCode).toBe(400)
      expect(open.json()).toEqual(
        error('validation_error', 'invalid_input', 'This recording asks for no password.', 'password'),
      )
    })
  })

  it('asks for it, and shows nothing of the recording', async () => {
    for (const kind of ['shared', 'embedded']) {
      const response = await get(`/${kind}/${token}`)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject(PRIVATE)
      expect(policyOf(response)).toMatchObject({
        'default-src': "'none'",
        'style-src': styleOf(response.body),
        'form-action': "'self'",
      })
      expect(response.body).toContain('<form method="post">')
      expect(response.body).not.toContain(session)
      expect(response.body).not.toContain('2026-03-04')
    }
  })
  it('opens with a cookie that is bound to the page', async () => {
    const response = await post(`/shared/${token}?t=7`, { password: PASSWORD })
    expect(response.statusCode).toBe(303)
    expect(resolved(response.headers.location, `/shared/${token}`)).toBe(`/shared/${token}?t=7`)
    expect(response.headers['set-cookie']).toMatch(
      new RegExp(`^hedgerow_share=[\\w.-]+; Path=/shared/${token}; Max-Age=86400; HttpOnly; SameSite=Lax$`),
    )
    const page = await get(`/shared/${token}`, { cookie: `a=b; ${cookieOf(response)}; c` })
    expect(page.statusCode).toBe(200)
    expect(resolved(attribute(page.body, 'source'), `/shared/${token}`)).toBe(`/shared/${token}/snapshots`)
    expect(attribute(page.body, 'grant')).toBeUndefined()
  })
  it('keeps the cookie to encrypted connections where there are any', async () => {
    const secure = await makeApp({ env: { HEDGEROW_PUBLIC_URL: 'https://replay.example' } })
    try {
      const { sessionId } = await makeRecording(secure)
      const path = `/api/environments/1/session_recordings/${sessionId}/sharing/`
      const body = { enabled: true, password_required: true }
      const { access_token } = (await secure.call('PATCH', path, { body })).json()
      await secure.call('POST', `${path}passwords/`, { body: { raw_password: PASSWORD } })
      const response = await secure.server.inject({
        method: 'POST',
        url: `/shared/${access_token}`,
        payload: new URLSearchParams({ password: PASSWORD }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(response.headers['set-cookie']).toMatch(/; Secure$/)
    } finally {
      await secure.end()
    }
  })
  it('opens in a frame, where no cookie is kept, by what the page itself holds', async () => {
    const response = await enter(PASSWORD, 'embedded')
    expect(response.statusCode).toBe(200)
    expect(response.headers).not.toHaveProperty('set-cookie')
    expect(resolved(attribute(response.body, 'source'), `/embedded/${token}`)).toBe(`/embedded/${token}/snapshots`)
    const grant = attribute(response.body, 'grant')
    const authorization = `Bearer ${grant}`
    expect((await get(`/embedded/${token}/snapshots`, { authorization })).statusCode).toBe(200)
    expect((await get(`/embedded/${token}/snapshots`, { authorization: `${authorization}x` })).statusCode).toBe(404)
  })
  it('gives its data to visitors with the password, and to no others', async () => {
    const snapshots = `/shared/${token}/snapshots`
    expect((await get(snapshots)).statusCode).toBe(404)
    const cookie = cookieOf(await enter(PASSWORD))
    const response = await get(snapshots, { cookie })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(response.json()).toHaveProperty('sources')
    expect((await get(`${one()}snapshots/?sharing_access_token=${token}`)).statusCode).toBe(401)
  })
  it.each([['wrong'], [''], ['Correct horse'], [`${PASSWORD} `]])('stays closed to %j', async (password) => {
    const response = await enter(password)
    expect(response.statusCode).toBe(401)
    expect(response.body).toContain('Incorrect password')
    expect(response.headers).not.toHaveProperty('set-cookie')
    expect(response.body).not.toContain(session)
  })
  it('allows ten wrong tries in ten minutes, then no visitor gets in until one has expired', async () => {
    for (let count = 0; count < 10; count++) expect((await enter('wrong')).statusCode).toBe(401)
    const response = await enter(PASSWORD)
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '600'])
    expect(response.headers).toMatchObject({ ...PRIVATE, 'content-type': 'text/html; charset=utf-8' })
    expect(response.body).toContain('Too many wrong passwords')
    app.clock.advance(600_000)
    expect((await enter(PASSWORD)).statusCode).toBe(303)
  })
  it('closes again after 24 hours', async () => {
    const cookie = cookieOf(await enter(PASSWORD))
    app.clock.advance(86_399_999)
    expect(await isLocked(cookie)).toBe(false)
    app.clock.advance(1)
    expect(await isLocked(cookie)).toBe(true)
    expect((await get(`/shared/${token}/snapshots`, { cookie })).statusCode).toBe(404)
  })
  it('closes at once when the password is removed, and stays open for those of another', async () => {
    await app.call('POST', `${one()}sharing/passwords/`, { body: { raw_password: 'second password' } })
    const [first, second] = [cookieOf(await enter(PASSWORD)), cookieOf(await enter('second password'))]
    await app.call('DELETE', `${one()}sharing/passwords/${passwordId}/`)
    expect([await isLocked(first), await isLocked(second)]).toEqual([true, false])
  })
  it('is not opened by the cookie of another share, nor by one that was changed', async () => {
    const cookie = cookieOf(await enter(PASSWORD))
    expect(await isLocked(cookie)).toBe(false)
    const [name, value = ''] = cookie.split('=')
    const [id, end, signature] = value.split('.')
    for (const other of [
      `${id}.${Number(end) + 1}.${signature}`,
      `${Number(id) + 1}.${end}.${signature}`,
      `${id}.${end}.`,
    ]) {
      expect(await isLocked(`${name}=${other}`)).toBe(true)
    }
    const next = (await app.call('POST', `${one()}sharing/refresh/`)).json().access_token
    expect((await get(`/shared/${next}`, { cookie })).body).toContain('<form')
  })
  it('leads on when nothing is locked any more', async () => {
    await sharing({ password_required: false })
    const response = await enter('whatever')
    expect(response.statusCode).toBe(303)
    expect(resolved(response.headers.location, `/shared/${token}`)).toBe(`/shared/${token}`)
  })
})

describe('the grant of a password', () => {
  const secret = 'the server’s secret, long enough'
  const now = Date.UTC(2026, 2, 4)
  const text = writeGrant(secret, 'token', { passwordId: 7, expiresAt: now + 1_000 })
  it.each([
    ['is read by who wrote it', secret, 'token', text, now, 7],
    ['ends', secret, 'token', text, now + 1_000, null],
    ['is for one token', secret, 'other', text, now, null],
    ['needs the secret', 'another secret', 'token', text, now, null],
    ['is not nothing', secret, 'token', '', now, null],
    ['is not made up', secret, 'token', `7.${now + 1_000}.${'A'.repeat(43)}`, now, null],
  ])('%s', (_name, key, token, given, at, expected) => {
    expect(readGrant(key, token, given, at)).toBe(expected)
  })
  it('is signed with the operator’s secret when there is one', async () => {
    const own = await makeApp({ env: { HEDGEROW_SECRET: 'operator-secret-0123456789' } })
    try {
      const { sessionId } = await makeRecording(own)
      const path = `/api/environments/1/session_recordings/${sessionId}/sharing/`
      const { access_token } = (
        await own.call('PATCH', path, { body: { enabled: true, password_required: true } })
      ).json()
      const { id } = (await own.call('POST', `${path}passwords/`, { body: {} })).json()
      const grant = writeGrant('operator-secret-0123456789', access_token, {
        passwordId: id,
        expiresAt: own.clock.now() + 5,
      })
      const page = await own.server.inject({
        url: `/shared/${access_token}`,
        headers: { cookie: `hedgerow_share=${grant}` },
      })
      expect(page.body).not.toContain('<form')
    } finally {
      await own.end()
    }
  })
})

describe('the files of the page', () => {
  it('come from this server, to be cached permanently, under a name that changes with them', async () => {
    const { body } = await get(`/shared/${token}`)
    const addresses = [...body.matchAll(/(?:src|href)="(\.[^"]+)"/g)].map((match) => match[1])
    const paths = addresses.map((address) => resolved(address, `/shared/${token}`))
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual(['shared-page.js'])
    for (const path of paths) {
      const response = await get(path)
      expect([path, response.statusCode]).toEqual([path, 200])
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(response.headers['content-type']).toMatch(/^text\/javascript/)
    }
  })
  it('are these and no others', async () => {
    const { body } = await get(`/shared/${token}`)
    const folder = /"\.\.(\/static\/player\/\w+\/)/.exec(body)?.[1]
    expect(folder).toBeDefined()
    for (const path of [
      `${folder}page.css`,
      `${folder}package.json`,
      `${folder}..%2F..%2Fpackage.json`,
      '/static/player/0/shared-page.js',
    ]) {
      expect([path, (await get(path)).statusCode]).toEqual([path, 404])
    }
  })
})

it('writes no token to the log and none to the metrics', async () => {
  await get(`/shared/${token}?t=3`)
  await get(`/embedded/${token}/snapshots`)
  await get('/shared/guessed-token-0123456789')
  await post(`/shared/${token}`, { password: 'secret-guess' })
  await app.server.inject({ method: 'PUT', url: `/shared/${token}` })
  const logs = app.logs.join('')
  expect(logs).toContain('/shared/:token')
  const { body } = await app.call('GET', '/metrics', { key: null })
  expect(body).toContain('route="/shared/:token"')
  for (const text of [logs, body]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain('guessed-token')
    expect(text).not.toContain('secret-guess')
  }
})
