/** What the SDKs ask besides flags and configuration: surveys, early access, flag definitions, and scripts we lack. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

const ORIGIN = 'https://shop.example'
const MIRRORED = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true', vary: 'Origin' }

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'GET', url, headers: { origin: ORIGIN, ...headers } })

describe('what the browser SDK asks by its token', () => {
  const ANSWERS: [path: string, answer: object][] = [
    ['/api/surveys/', { surveys: [], survey_config: null }],
    ['/api/early_access_features/', { earlyAccessFeatures: [] }],
    ['/api/web_experiments/', { experiments: [] }],
    ['/api/product_tours/', { product_tours: [] }],
  ]
  it.each(ANSWERS)('%s answers that there are none, with and without its slash', async (path, answer) => {
    for (const url of [path, path.slice(0, -1)]) {
      const response = await get(`${url}?token=${PROJECT_TOKEN}&_=1700000000000&ver=1.115.0`)
      expect([response.statusCode, response.json()]).toEqual([200, answer])
      expect(response.headers).toMatchObject({
        ...MIRRORED,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
    }
    expect((await get(`${path}?token=${PROJECT_TOKEN}&stage=beta&stage=alpha`)).json()).toEqual(answer)
  })
  it.each(ANSWERS)('%s refuses who has no token, in plain text that the page may read', async (path) => {
    for (const [query, text] of [
      ['', 'API key is missing: it is expected as ?token='],
      ['?token=', 'API key is missing: it is expected as ?token='],
      ['?token=phc_nobody', 'API key is not valid: no project has it'],
      ['?token=phx_personal', 'API key is not valid: personal API key'],
    ]) {
      const response = await get(path + query)
      expect([response.statusCode, response.body]).toEqual([401, text])
      expect(response.headers).toMatchObject({ ...MIRRORED, 'content-type': 'text/plain; charset=utf-8' })
    }
  })
  it.each(ANSWERS)('%s answers preflights, and no other method', async (path) => {
    const headers = { origin: ORIGIN, 'access-control-request-headers': 'x-posthog' }
    const preflight = await app.server.inject({ method: 'OPTIONS', url: path, headers })
    expect(preflight.statusCode).toBe(200)
    expect(preflight.headers).toMatchObject({ ...MIRRORED, 'access-control-allow-headers': 'x-posthog' })
    expect((await app.server.inject({ method: 'DELETE', url: path, headers })).statusCode).toBe(405)
  })
})

describe('definitions of flags, for evaluation on a server', () => {
  const PATHS = ['/api/feature_flag/local_evaluation', '/api/feature_flag/local_evaluation/', '/flags/definitions']
  /** What posthog-node 1 asks for the same purpose. */
  const LIST = '/api/feature_flag/'
  const ask = (path: string, key: string | null, token: string | null = PROJECT_TOKEN) =>
    get(`${path}?${token === null ? '' : `token=${token}&`}send_cohorts`, {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    })

  it.each(PATHS)('%s answers that there are none', async (path) => {
    const reader = await makeKey(app, { scopes: ['feature_flag:read'] })
    for (const response of [
      await ask(path, ROOT_KEY),
      await ask(path, ROOT_KEY, null),
      await ask(path, reader),
      await ask(path, await makeKey(app, { scopes: ['feature_flag:write'], scopedTeams: [1] })),
    ]) {
      expect(response.statusCode).toBe(200)
      expect(response.json()).toEqual({ flags: [], group_type_mapping: {}, cohorts: {} })
      expect(response.headers).toMatchObject(MIRRORED)
    }
  })
  it('the list that the oldest releases ask for is empty', async () => {
    const reader = await makeKey(app, { scopes: ['feature_flag:read'] })
    for (const response of [await ask(LIST, ROOT_KEY), await ask('/api/feature_flag', reader, null)]) {
      expect(response.statusCode).toBe(200)
      expect(response.json()).toEqual({ count: 0, next: null, previous: null, results: [] })
      expect(response.headers).toMatchObject(MIRRORED)
    }
  })
  it.each([...PATHS, LIST])('%s refuses wrong keys, wrong tokens and foreign projects', async (path) => {
    const second = await makeProject(app)
    const confined = await makeKey(app, { scopedTeams: [second.id] })
    const stranger = await makeStranger(app)
    for (const [key, token, status, code] of [
      [null, PROJECT_TOKEN, 401, 'not_authenticated'],
      ['phx_nobody_has_this_key', PROJECT_TOKEN, 401, 'authentication_failed'],
      [PROJECT_TOKEN, PROJECT_TOKEN, 401, 'authentication_failed'],
      [ROOT_KEY, 'phc_nobody', 401, 'invalid_token'],
      [ROOT_KEY, '%22', 401, 'invalid_token'],
      [await makeKey(app, { scopes: ['person:read'] }), PROJECT_TOKEN, 403, 'permission_denied'],
      [confined, PROJECT_TOKEN, 403, 'permission_denied'],
      [stranger.key, PROJECT_TOKEN, 403, 'permission_denied'],
      [ROOT_KEY, stranger.project.apiToken, 403, 'permission_denied'],
    ] as const) {
      const response = await ask(path, key, token)
      expect([key, token, response.statusCode, response.json().code]).toEqual([key, token, status, code])
      expect(response.headers).toMatchObject(MIRRORED)
    }
    expect((await ask(path, confined, second.apiToken)).statusCode).toBe(200)
    expect((await ask(path, confined, null)).statusCode).toBe(200)
  })
  it.each([...PATHS, LIST])('%s answers preflights', async (path) => {
    const headers = { origin: ORIGIN, 'access-control-request-headers': 'authorization' }
    const preflight = await app.server.inject({ method: 'OPTIONS', url: path, headers })
    expect(preflight.statusCode).toBeLessThan(300)
    expect(preflight.headers).toMatchObject({ ...MIRRORED, vary: 'Origin, Access-Control-Request-Headers' })
    expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).toContain('authorization')
    expect(preflight.headers['access-control-allow-methods']).toContain('GET')
  })
  it('other routes of the API name no origin', async () => {
    const { headers } = await get('/api/projects/', { authorization: `Bearer ${ROOT_KEY}` })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('the payload of a flag', () => {
  it('is null, which posthog-node hands on as it is', async () => {
    for (const project of ['@current', '1']) {
      const response = await app.call('GET', `/api/projects/${project}/feature_flags/some-flag/remote_config?token=x`)
      expect([response.statusCode, response.body]).toEqual([200, 'null'])
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })
})

describe('GET /decide/ without a token', () => {
  it.each(['/decide/', '/decide', '/decide/?verbose=1&version=1&lib=web&ip=1&_=1584000000000'])(
    '%s configures the oldest SDK, and records nothing',
    async (url) => {
      const response = await get(url)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject(MIRRORED)
      expect(response.json()).toMatchObject({
        config: { enable_collect_everything: true },
        featureFlags: [],
        sessionRecording: false,
        autocapture_opt_out: false,
        autocaptureExceptions: false,
        heatmaps: false,
        captureDeadClicks: false,
      })
      expect(response.json()).not.toHaveProperty('token')
    },
  )
  it('a wrong token, and a body without one, are refused as before', async () => {
    expect((await get('/decide/?token=phc_nobody')).statusCode).toBe(401)
    expect((await get('/decide/?token=')).statusCode).toBe(401)
    expect((await get('/decide/?data=e30=')).statusCode).toBe(401)
    expect((await get('/flags/')).statusCode).toBe(400)
    expect((await app.server.inject({ method: 'POST', url: '/decide/', payload: '' })).statusCode).toBe(400)
    expect((await app.server.inject({ method: 'POST', url: '/decide/', payload: '{}' })).statusCode).toBe(401)
  })
})

const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'))

describe('/array/{token}/array.js', () => {
  const path = `/array/${PROJECT_TOKEN}/array.js`
  const script = readFileSync(join(folder, 'array.js'), 'utf8')

  it('is the SDK with the project’s configuration before it', async () => {
    const response = await get(path)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': ORIGIN,
    })
    expect(response.body.endsWith(script)).toBe(true)
    const window: Record<string, unknown> = {}
    new Function('window', response.body.slice(0, -script.length))(window)
    const configured = (await get(`/array/${PROJECT_TOKEN}/config`)).json()
    expect(window._POSTHOG_REMOTE_CONFIG).toEqual({ [PROJECT_TOKEN]: { config: configured, siteApps: [] } })
  })
  it('is one script that a browser can read', async () => {
    const { body } = await get(path)
    expect(() => new Function(body)).not.toThrow()
  })
  it('is compressed on request, and not sent again while nothing has changed', async () => {
    const project = await makeProject(app)
    const own = `/array/${project.apiToken}/array.js`
    const plain = await get(own)
    const packed = await get(own, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers.vary).toBe('Origin, Accept-Encoding')
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(gunzipSync(packed.rawPayload))).toBe(hash(plain.rawPayload))
    const again = () => get(own, { 'if-none-match': String(plain.headers.etag) })
    expect((await again()).statusCode).toBe(304)
    await app.call('PATCH', `/api/projects/${project.id}/`, { body: { heatmaps_opt_in: true } })
    const changed = await again()
    expect(changed.statusCode).toBe(200)
    expect(changed.body).toContain('"heatmaps":true')
  })
  it('is each project’s own, for more projects than are kept ready', async () => {
    const tokens = await Promise.all(Array.from({ length: 25 }, async () => (await makeProject(app)).apiToken))
    for (let round = 0; round < 2; round++) {
      const bodies = await Promise.all(tokens.map(async (token) => (await get(`/array/${token}/array.js`)).body))
      bodies.forEach((body, at) => {
        expect(tokens.filter((token) => body.includes(token))).toEqual([tokens[at]])
      })
    }
  })
  it('refuses unknown tokens', async () => {
    for (const token of ['phc_nobody', 'phx_0123456789', '%22%5D']) {
      expect((await get(`/array/${token}/array.js`)).statusCode).toBe(401)
    }
  })
})

describe('scripts that posthog-js does not ship', () => {
  it.each(['toolbar.js', 'loader.js', 'editor.js'])('%s says so in the console, and breaks nothing', async (name) => {
    for (const url of [`/static/${name}?v=1.200.0&t=1`, `/static/1.434.18/${name}`]) {
      const response = await get(url)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': ORIGIN,
        'cache-control': 'public, max-age=300',
      })
      const said: string[] = []
      const window: Record<string, unknown> = {}
      const context = createContext({ window, console: { warn: (text: string) => void said.push(text) } })
      runInContext(response.body, context)
      expect(said).toEqual([expect.stringContaining(name)])
      // The SDK calls the first of these without looking, with its parameters and itself.
      runInContext('(window.ph_load_toolbar || window.ph_load_editor)({}, {})', context)
    }
  })
  it('takes the place of nothing that is there', async () => {
    const { body } = await get('/static/toolbar.js')
    const window: Record<string, unknown> = { ph_load_toolbar: 'own' }
    runInContext(body, createContext({ window, console: { warn: () => undefined } }))
    expect(window.ph_load_toolbar).toBe('own')
  })
})
