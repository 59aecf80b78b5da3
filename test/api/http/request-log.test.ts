/** What a line of the log says about a request: who sent it, for which project, from where, and why it was refused. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp({ env: { HEDGEROW_TRUST_PROXY: '10.0.0.0/8' } })
})
afterEach(() => app.end())

type Line = Record<string, unknown>
const line = (): Line =>
  app.logs
    .map((text) => JSON.parse(text) as Line)
    .filter(({ msg }) => msg === 'request answered')
    .at(-1) ?? {}

const keyId = async () => (await app.stores.keys.listAll())[0]?.id

it('has project, key and address of an API request, never the key itself', async () => {
  await app.call('GET', '/api/environments/1/persons/')
  expect(line()).toMatchObject({ project: 1, keyId: await keyId(), address: '127.0.0.1', status: 200, method: 'GET' })
  expect(app.logs.join('')).not.toContain(ROOT_KEY)
})

it('has the key where there is no project, and neither where nobody is known', async () => {
  await app.call('GET', '/api/users/@me/')
  expect(line()).toMatchObject({ keyId: await keyId() })
  expect(line()).not.toHaveProperty('project')
  await app.call('GET', '/api/environments/1/persons/', { key: 'phx_nobody_has_this_key_01' })
  expect(line()).toMatchObject({ status: 401, reason: 'authentication_failed', address: '127.0.0.1' })
  expect(line()).not.toHaveProperty('keyId')
  expect(line()).not.toHaveProperty('project')
})

it('has the address that a trusted proxy names, and no other', async () => {
  const from = (remoteAddress: string) =>
    app.server.inject({ url: '/_health', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.7' } })
  await from('10.0.0.3')
  expect(line()).toMatchObject({ address: '203.0.113.7' })
  await from('192.0.2.1')
  expect(line()).toMatchObject({ address: '192.0.2.1' })
})

it('has the project of what SDKs send, also when it is refused', async () => {
  const post = (path: string, body: unknown) => app.call('POST', path, { key: null, body })
  await post('/batch/', { api_key: PROJECT_TOKEN, batch: [{ event: 'x', distinct_id: 'u' }] })
  expect(line()).toMatchObject({ project: 1, status: 200, route: '/batch/' })
  await post('/batch/', { api_key: PROJECT_TOKEN, batch: [{ event: '' }] })
  expect(line()).toMatchObject({ project: 1, status: 400, reason: 'invalid_input' })
  await post('/flags/', { token: PROJECT_TOKEN, distinct_id: 'u' })
  expect(line()).toMatchObject({ project: 1, status: 200 })
  const snapshot = { event: '$snapshot', properties: { token: PROJECT_TOKEN, distinct_id: 'u' } }
  await post('/s/', [snapshot])
  expect(line()).toMatchObject({ project: 1, status: 400 })
  await post('/batch/', { api_key: 'phc_nobody_has_this_token_0', batch: [{ event: 'x', distinct_id: 'u' }] })
  expect(line()).toMatchObject({ status: 401 })
  expect(line()).not.toHaveProperty('project')
})
