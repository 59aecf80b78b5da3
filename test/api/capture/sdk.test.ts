/** What the SDKs request besides sending data: flags, configuration, scripts. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'

interface Fixture {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body_base64: string
  events?: unknown[]
}

const FIXTURE_TOKEN = 'phc_testtoken0001'
const asked = readFileSync(new URL('../../fixtures/capture-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fixture)
  .filter((fixture) => /^\/(?:flags|decide)\//.test(fixture.path))

const ORIGIN = 'https://shop.example'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const RECORDING = {
  endpoint: '/s/',
  consoleLogRecordingEnabled: true,
  recorderVersion: 'v2',
  sampleRate: null,
  minimumDurationMilliseconds: null,
  linkedFlag: null,
  networkPayloadCapture: null,
  masking: null,
  urlTriggers: [],
  urlBlocklist: [],
  eventTriggers: [],
  triggerMatchType: null,
  scriptConfig: null,
  recordCanvas: false,
  canvasFps: null,
  canvasQuality: null,
}
const CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  autocapture_opt_out: false,
  capturePerformance: { network_timing: true, web_vitals: false },
  autocaptureExceptions: false,
  errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
  analytics: { endpoint: '/i/v0/e/' },
  elementsChainAsString: true,
  captureDeadClicks: false,
  heatmaps: false,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
  editorParams: {},
  defaultIdentifiedOnly: true,
  sessionRecording: RECORDING,
}
/**
 * In addition to the configuration, on /decide/ only: posthog-js up to 1.115 captures nothing automatically without it.
 */
const DECIDE = { ...CONFIG, config: { enable_collect_everything: true } }
const MODERN = { flags: {}, errorsWhileComputingFlags: false, requestId: expect.stringMatching(UUID) }
const OLD = {
  featureFlags: {},
  featureFlagPayloads: {},
  errorsWhileComputingFlags: false,
  requestId: expect.stringMatching(UUID),
}
const LISTED = { featureFlags: [], errorsWhileComputingFlags: false, requestId: expect.stringMatching(UUID) }

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })
const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ method: 'GET', url, headers })
const who = (token = PROJECT_TOKEN) => JSON.stringify({ token, distinct_id: 'jane' })

describe('the requests of the real SDKs', () => {
  beforeAll(async () => {
    const project = await makeProject(app)
    await app.stores.transaction((tx) => tx.projects.update(project.id, { apiToken: FIXTURE_TOKEN }))
  })
  it('are four', () => {
    expect(asked.map(({ name }) => name).sort()).toEqual([
      'js-flags-base64',
      'js-flags-gzip',
      'js96-decide',
      'node-flags',
    ])
  })
  it.each(asked.map((fixture) => [fixture.name, fixture] as const))('%s is answered', async (_name, fixture) => {
    const response = await post(fixture.path, Buffer.from(fixture.body_base64, 'base64'), fixture.headers)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(
      fixture.path.startsWith('/decide/') ? { ...DECIDE, token: FIXTURE_TOKEN, ...OLD } : MODERN,
    )
  })
})

describe('/flags/ and /decide/', () => {
  it.each([
    ['/flags/?v=2', MODERN],
    ['/flags?v=2', MODERN],
    ['/flags/', OLD],
    ['/flags/?v=2&config=true', { ...CONFIG, token: PROJECT_TOKEN, ...MODERN }],
    ['/decide/?v=4', { ...DECIDE, token: PROJECT_TOKEN, ...MODERN }],
    ['/decide/?v=3', { ...DECIDE, token: PROJECT_TOKEN, ...OLD }],
    ['/decide?v=2', { ...DECIDE, token: PROJECT_TOKEN, ...OLD }],
    ['/decide/', { ...DECIDE, token: PROJECT_TOKEN, ...LISTED }],
  ])('%s answers in the shape of its generation', async (path, expected) => {
    const response = await post(path, who())
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual(expected)
  })
  it('reads every encoding of the body, and the query', async () => {
    const data = encodeURIComponent(Buffer.from(who()).toString('base64'))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const all = [
      await post('/flags/?v=2', gzipSync(who()), { 'content-type': 'text/plain' }),
      await post('/flags/?v=2', `data=${data}`, form),
      await post('/flags/?v=2', JSON.stringify({ api_key: PROJECT_TOKEN, distinct_id: 'jane' })),
      await get(`/flags/?v=2&data=${data}`),
      await get(`/flags/?v=2&token=${PROJECT_TOKEN}`),
    ]
    for (const response of all) expect(response.json()).toEqual(MODERN)
  })
  it.each([
    ['no token', '{"distinct_id":"jane"}', 401, 'event submitted without an api_key'],
    ['an unknown token', who('phc_nobody'), 401, 'API key is not valid: no project has it'],
    ['a personal key', who('phx_secret'), 401, 'API key is not valid: personal API key'],
    ['no JSON', '{"token"', 400, expect.stringMatching(/^failed to parse request/)],
    ['an empty body', '', 400, expect.stringMatching(/^failed to decode request/)],
  ])('refuse %s in plain text', async (_name, body, status, text) => {
    for (const path of ['/flags/?v=2', '/decide/?v=3']) {
      const response = await post(path, body, { origin: ORIGIN })
      expect([response.statusCode, response.body]).toEqual([status, text])
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(response.headers).not.toHaveProperty('www-authenticate')
      expect(response.headers['access-control-allow-origin']).toBe(ORIGIN)
    }
  })
})

describe('/array/{token}/config', () => {
  it('is the configuration, for any origin', async () => {
    for (const path of ['config', 'config/']) {
      const response = await get(`/array/${PROJECT_TOKEN}/${path}`, { origin: ORIGIN })
      expect(response.statusCode).toBe(200)
      expect(response.json()).toEqual({ ...CONFIG, token: PROJECT_TOKEN })
      expect(response.headers['access-control-allow-origin']).toBe(ORIGIN)
      expect(response.headers.vary).toContain('Origin')
    }
  })
  it('is also a script that leaves it where the SDK looks', async () => {
    const response = await get(`/array/${PROJECT_TOKEN}/config.js`, { origin: ORIGIN })
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(response.headers['access-control-allow-origin']).toBe(ORIGIN)
    const window: Record<string, unknown> = { _POSTHOG_REMOTE_CONFIG: { other: 1 } }
    new Function('window', response.body)(window)
    expect(window._POSTHOG_REMOTE_CONFIG).toEqual({
      other: 1,
      [PROJECT_TOKEN]: { config: { ...CONFIG, token: PROJECT_TOKEN }, siteApps: [] },
    })
  })
  it('follows the settings of the project at once, and is not sent again while they stay', async () => {
    const project = await makeProject(app)
    const path = `/array/${project.apiToken}/config`
    const first = await get(path)
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = () => get(path, { 'if-none-match': String(first.headers.etag) })
    expect((await again()).statusCode).toBe(304)
    const patch = (body: object) => app.call('PATCH', `/api/projects/${project.id}/`, { body })
    await patch({ capture_console_log_opt_in: false })
    expect((await again()).json().sessionRecording).toEqual({ ...RECORDING, consoleLogRecordingEnabled: false })
    await patch({ session_recording_opt_in: false })
    expect((await again()).json().sessionRecording).toBe(false)
    expect((await get(`/array/${project.apiToken}/config.js`)).body).toContain('"sessionRecording":false')
  })
  it.each(['config', 'config.js'])('refuses unknown tokens: %s', async (file) => {
    for (const token of ['phc_nobody', 'phx_0123456789', 'x'.repeat(65), '%22%5D']) {
      const response = await get(`/array/${token}/${file}`)
      expect([response.statusCode, response.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
    }
  })
})

describe('/static/', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'))
  const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string }

  it.each([
    'array.js',
    'array.full.js',
    'lazy-recorder.js',
    'posthog-recorder.js',
    'recorder.js',
    'recorder-v2.js',
    'surveys.js',
    'web-vitals.js',
    'exception-autocapture.js',
    'dead-clicks-autocapture.js',
    'tracing-headers.js',
  ])('gives %s at every path that an SDK asks', async (name) => {
    const bytes = readFileSync(join(folder, name), 'utf8')
    for (const path of [
      `/static/${name}`,
      `/static/${name}?v=1.96.1`,
      `/static/${version}/${name}`,
      `/static/1.445.5/${name}`,
    ]) {
      const response = await get(path, { origin: ORIGIN })
      expect([path, response.statusCode]).toEqual([path, 200])
      expect(response.body).toBe(bytes)
      expect(response.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': ORIGIN,
        'x-content-type-options': 'nosniff',
        'cache-control': path.includes(version) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      })
    }
  })
  it('is compressed for clients that accept it, and not sent again to clients that have it', async () => {
    const packed = await get('/static/array.js', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.headers.vary).toBe('Origin, Accept-Encoding')
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(brotliDecompressSync(packed.rawPayload))).toBe(hash(readFileSync(join(folder, 'array.js'))))
    const tag = String(packed.headers.etag)
    for (const known of [tag, tag.replace('W/', ''), `"x", ${tag}`]) {
      const again = await get('/static/array.js', { 'if-none-match': known })
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    }
    expect((await get('/static/array.js', { 'if-none-match': '"x"' })).statusCode).toBe(200)
  })
  it('serves nothing but scripts of the package', async () => {
    const others = readdirSync(folder).filter((name) => !name.endsWith('.js'))
    expect(others.length).toBeGreaterThan(50)
    const paths = [
      ...others,
      'nothing.js',
      `latest/array.js`,
      '..%2Fpackage.json',
      '1.434.18/..%2Fpackage.json',
      '%2e%2e/array.js',
      '..%2Fdist%2Farray.js',
      'array.js%00.js',
      'constructor',
    ]
    for (const path of paths) {
      const response = await get(`/static/${path}`)
      expect([path, response.statusCode]).toEqual([path, 404])
    }
  })
})

it('answers preflights on all of them', async () => {
  for (const url of [
    '/flags/',
    '/decide/',
    `/array/${PROJECT_TOKEN}/config`,
    '/static/array.js',
    '/static/1.0.0/array.js',
  ]) {
    const headers = { origin: ORIGIN, 'access-control-request-headers': 'content-type,x-posthog' }
    const response = await app.server.inject({ method: 'OPTIONS', url, headers })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type,x-posthog',
    })
  }
})
