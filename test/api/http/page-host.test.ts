/** With a public URL, pages are shown at its host only: whoever reaches the server by another name gets a sentence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { pageOf, sendRecorded } from '../../support/replay/hand-made-recording.ts'

const PUBLIC = 'https://stats.acme.example/hedgerow'
const SESSION = 'session-1'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await makeApp({ env: { HEDGEROW_PUBLIC_URL: PUBLIC, HEDGEROW_TRUST_PROXY: '10.0.0.1' } })
  await sendRecorded(app, { sessionId: SESSION, events: pageOf(app.clock.now() - 10_000, 'here') })
  const path = `/api/environments/1/session_recordings/${SESSION}/sharing/`
  token = (await app.call('PATCH', path, { body: { enabled: true } })).json().access_token
})
afterAll(() => app.end())

const get = (path: string, host: string, headers: Record<string, string> = {}) =>
  app.call('GET', path, { key: null, headers: { host, ...headers } })

const OTHERS = [
  'stats.evil.example',
  'acme.example',
  'stats.acme.example.evil.example',
  '192.0.2.7:8000',
  '[2001:db8::1]',
]
const ODD = [
  'evil.example/stats.acme.example',
  'stats.acme.example@evil.example',
  'evil.example#',
  'a b',
  '127.0.0.1.evil.example',
]
const OURS = [
  'stats.acme.example',
  'STATS.acme.Example',
  'stats.acme.example:443',
  'stats.acme.example:8443',
  'stats.acme.example.',
]
const LOOPBACK = [
  'localhost',
  'localhost:8000',
  'hedgerow.localhost',
  '127.0.0.1',
  '127.0.0.1:8000',
  '127.8.9.1',
  '[::1]:8000',
]

describe.each<[string, () => string, number]>([
  ['the page of a share', () => `/shared/${token}`, 200],
  ['the page of a share in a frame', () => `/embedded/${token}/`, 200],
  ['the data of a share with a password', () => `/shared/${token}/snapshots`, 200],
  ['a page that does not exist', () => '/shared/unknown', 404],
  ['the page to unsubscribe', () => '/unsubscribe?token=x', 400],
  ['the explorer', () => '/api/docs/', 200],
])('%s', (_, path, status) => {
  it.each([...OTHERS, ...ODD])('is refused at %s, in plain words', async (host) => {
    const answer = await get(path(), host)
    expect(answer.statusCode).toBe(421)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.body).toContain(`The pages of this server are at ${PUBLIC}`)
    expect(answer.body).not.toContain('evil')
  })

  it.each([...OURS, ...LOOPBACK])('is shown at %s', async (host) => {
    expect((await get(path(), host)).statusCode).toBe(status)
  })
})

it('refuses what a page is sent, too, and says so to programs in their form', async () => {
  const url = `/shared/${token}`
  const headers = { host: 'evil.example' }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await app.call('POST', url, { key: null, headers: form, body: 'password=x' })).statusCode).toBe(421)
  const answer = await app.call('POST', url, { key: null, headers, body: { password: 'x' } })
  expect([answer.statusCode, answer.json()]).toEqual([
    421,
    {
      type: 'invalid_request',
      code: 'misdirected_request',
      detail: `The pages of this server are at ${PUBLIC} (HEDGEROW_PUBLIC_URL). This request named another host.`,
      attr: null,
    },
  ])
})

it('goes by the host that a trusted proxy forwards, and by no one else’s', async () => {
  const forwarded = { 'x-forwarded-host': 'stats.acme.example', 'x-forwarded-proto': 'https' }
  const ask = (remoteAddress: string, host: string, headers: Record<string, string>) =>
    app.server.inject({ url: '/api/docs/', remoteAddress, headers: { host, ...headers } })
  expect((await ask('10.0.0.1', 'hedgerow:8000', forwarded)).statusCode).toBe(200)
  expect((await ask('10.0.0.9', 'hedgerow:8000', forwarded)).statusCode).toBe(421)
  expect((await ask('10.0.0.1', 'stats.acme.example', { 'x-forwarded-host': 'evil.example' })).statusCode).toBe(421)
})

it.each<[string, string, string, number]>([
  ['health', 'GET', '/_health', 200],
  ['readiness', 'GET', '/_ready', 200],
  ['metrics', 'GET', '/metrics', 200],
  ['the API', 'GET', '/api/environments/1/persons/', 200],
  ['the API document', 'GET', '/api/schema/', 200],
  ['what the SDKs ask', 'GET', `/array/${PROJECT_TOKEN}/config`, 200],
  ['scripts of the SDKs', 'GET', '/static/array.js', 200],
  ['capture', 'POST', '/i/v0/e/', 200],
])('%s answers at every host', async (_, method, path, status) => {
  const body = { api_key: PROJECT_TOKEN, event: 'x', distinct_id: 'a' }
  const headers = { host: 'hedgerow.internal:8000' }
  const answer = await app.call(method, path, { headers, ...(method === 'POST' ? { body } : {}) })
  expect(answer.statusCode).toBe(status)
})

it('shows pages at every host when there is no public URL', async () => {
  const open = await makeApp()
  const answer = await open.call('GET', '/api/docs/', { key: null, headers: { host: 'whatever.example' } })
  expect(answer.statusCode).toBe(200)
  await open.end()
})
