/**
 * Who may read /metrics: loopback itself, an address that a trusted proxy reports as loopback, or a caller with the
 * token.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'

let app: TestApp
afterEach(() => app.end())

const LOOPBACK_ONLY = 'Metrics are open to loopback only; set HEDGEROW_METRICS_TOKEN and send it as a bearer token.'

const read = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  app.server.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })

const statusOf = async (headers: Record<string, string>, remoteAddress?: string) =>
  (await read(headers, remoteAddress)).statusCode

/** The headers proxies add, each by itself. */
const FORWARDED: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '' },
  { forwarded: 'for=127.0.0.1' },
  { 'x-real-ip': '127.0.0.1' },
  { 'x-forwarded-host': 'stats.example.com' },
  { 'x-forwarded-proto': 'https' },
  { via: '1.1 proxy' },
]

describe('without a trusted proxy', () => {
  it('loopback reads it, and no other address', async () => {
    app = await makeApp()
    for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) expect(await statusOf({}, ip)).toBe(200)
    for (const ip of ['203.0.113.7', '10.0.0.1', '::2', '::ffff:10.0.0.1']) expect(await statusOf({}, ip)).toBe(403)
  })

  it.each(FORWARDED)('what was forwarded is refused: %j', async (headers) => {
    app = await makeApp()
    const answer = await read(headers)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'permission_denied', detail: LOOPBACK_ONLY })
  })
})

describe('behind a trusted proxy', () => {
  const trusting = (networks: string) => makeApp({ env: { HEDGEROW_TRUST_PROXY: networks } })

  it('the address that it names decides', async () => {
    app = await trusting('127.0.0.1,10.0.0.0/8')
    expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' })).toBe(200)
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.7' })).toBe(403)
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.7, 10.0.0.3' })).toBe(403)
    // The client's own claim comes before the address that the proxy saw.
    expect(await statusOf({ 'x-forwarded-for': '127.0.0.1, 203.0.113.7' })).toBe(403)
    expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' }, '10.0.0.3')).toBe(200)
    expect(await statusOf({})).toBe(200)
  })

  it('what another forwards, or forwards without an address, is refused', async () => {
    app = await trusting('10.0.0.0/8')
    expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1')).toBe(403)
    expect(await statusOf({ forwarded: 'for=127.0.0.1' }, '10.0.0.3')).toBe(403)
    await app.end()
    app = await trusting('127.0.0.1')
    expect(await statusOf({ forwarded: 'for=203.0.113.7' })).toBe(403)
    expect(await statusOf({ 'x-forwarded-proto': 'https' })).toBe(403)
  })
})

it('the token opens it, forwarded or not', async () => {
  const token = 'metrics-token-0123456789'
  app = await makeApp({ env: { HEDGEROW_METRICS_TOKEN: token } })
  for (const headers of [{}, ...FORWARDED]) {
    expect(await statusOf({ ...headers, authorization: `Bearer ${token}` }, '203.0.113.7')).toBe(200)
    expect(await statusOf(headers)).toBe(403)
  }
})
