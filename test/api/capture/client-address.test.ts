/** `$ip`: the visitor's address is kept with an event only when the project says so. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'

const PROXY = '10.0.0.9'
const VISITOR = '203.0.113.77'

let app: TestApp
beforeAll(async () => {
  app = await makeApp({ env: { HEDGEROW_TRUST_PROXY: `${PROXY},10.0.0.8` } })
})
afterAll(() => app.end())

interface Sent {
  url?: string
  from?: string
  headers?: Record<string, string>
}

async function project(settings: object) {
  const { id, apiToken } = await makeProject(app)
  await app.call('PATCH', `/api/projects/${id}/`, { body: settings })
  const send = async (body: object, { url = '/batch/', from = VISITOR, headers = {} }: Sent = {}) => {
    const payload = JSON.stringify({ api_key: apiToken, ...body })
    const response = await app.server.inject({ method: 'POST', url, remoteAddress: from, headers, payload })
    expect(response.statusCode).toBe(200)
  }
  const stored = async (): Promise<Record<string, Record<string, unknown>>> => {
    const { results } = (await app.call('GET', `/api/environments/${id}/events/?limit=1000`)).json()
    return Object.fromEntries(
      results.map(({ event, properties }: { event: string; properties: Record<string, unknown> }) => [
        event,
        properties,
      ]),
    )
  }
  return { id, apiToken, send, stored }
}

const event = (name: string, properties: object = {}) => ({ event: name, distinct_id: 'ann', properties })

describe('a project that keeps addresses out, as all do by default', () => {
  it('stores none, whoever names one', async () => {
    const { send, stored } = await project({})
    await send(
      { batch: [event('plain', { a: 1 }), event('named', { $ip: '198.51.100.4', b: 2 })] },
      { headers: { 'x-forwarded-for': '198.51.100.5' } },
    )
    await send(event('proxied'), { url: '/i/v0/e/', from: PROXY, headers: { 'x-forwarded-for': VISITOR } })
    const events = await stored()
    expect(events.plain).toEqual({ a: 1 })
    expect(events.named).toEqual({ b: 2 })
    expect(events.proxied).not.toHaveProperty('$ip')
    const all = await app.call('GET', '/api/environments/1/persons/?limit=1000')
    expect(all.body).not.toContain(VISITOR)
  })

  it('leaves other properties as they are, whatever they are called', async () => {
    const { apiToken, stored } = await project({})
    const payload = `{"api_key":"${apiToken}","event":"odd","distinct_id":"ann",
      "properties":{"$ip":"198.51.100.4","__proto__":{"x":1},"$ipv":"kept","ip":"own"}}`
    await app.server.inject({ method: 'POST', url: '/i/v0/e/', payload })
    const { odd } = await stored()
    expect(Object.entries(odd ?? {}).sort()).toEqual([
      ['$ipv', 'kept'],
      ['__proto__', { x: 1 }],
      ['ip', 'own'],
    ])
  })
})

describe('a project that keeps addresses', () => {
  it.each(['/i/v0/e/', '/e/', '/capture/', '/track/', '/engage/', '/batch/'])('stores them on %s', async (url) => {
    const { send, stored } = await project({ anonymize_ips: false })
    await send({ batch: [event('one', { a: 1 }), event('two')] }, { url })
    expect(await stored()).toMatchObject({ one: { a: 1, $ip: VISITOR }, two: { $ip: VISITOR } })
  })

  it('stores them on protocol v1', async () => {
    const { apiToken, stored } = await project({ anonymize_ips: false })
    const response = await app.server.inject({
      method: 'POST',
      url: '/i/v1/analytics/events',
      remoteAddress: VISITOR,
      headers: { authorization: `Bearer ${apiToken}` },
      payload: JSON.stringify({ batch: [{ ...event('v1'), uuid: '0190a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2b' }] }),
    })
    expect(response.statusCode).toBe(200)
    expect(await stored()).toMatchObject({ v1: { $ip: VISITOR } })
  })

  it('believes an address that the SDK names', async () => {
    const { send, stored } = await project({ anonymize_ips: false })
    await send({ batch: [event('named', { $ip: '198.51.100.4' }), event('emptied', { $ip: null })] })
    expect(await stored()).toEqual({ named: { $ip: '198.51.100.4' }, emptied: { $ip: null } })
  })

  it('asks the header of a trusted proxy, and of no one else', async () => {
    const { send, stored } = await project({ anonymize_ips: false })
    const headers = { 'x-forwarded-for': VISITOR }
    await send(event('trusted'), { url: '/e/', from: PROXY, headers })
    await send(event('twice'), {
      url: '/e/',
      from: PROXY,
      headers: { 'x-forwarded-for': `6.6.6.6, ${VISITOR}, 10.0.0.8` },
    })
    await send(event('claimed'), { url: '/e/', from: '198.51.100.9', headers })
    expect(await stored()).toEqual({
      trusted: { $ip: VISITOR },
      twice: { $ip: VISITOR },
      claimed: { $ip: '198.51.100.9' },
    })
  })

  it('stores nothing that is no address, whatever a trusted proxy hands on', async () => {
    const { send, stored } = await project({ anonymize_ips: false })
    for (const [name, claimed] of [
      ['word', 'unknown'],
      ['long', 'x'.repeat(2_000)],
      ['script', '<b>1.2.3.4</b>'],
    ] as const) {
      await send(event(name), { url: '/e/', from: PROXY, headers: { 'x-forwarded-for': claimed } })
    }
    expect(await stored()).toEqual({ word: {}, long: {}, script: {} })
  })

  it('writes IPv4 as IPv4, also when it arrives on a socket of IPv6', async () => {
    const { send, stored } = await project({ anonymize_ips: false })
    await send(event('mapped'), { url: '/e/', from: `::ffff:${VISITOR}` })
    await send(event('six'), { url: '/e/', from: '2001:db8::7' })
    expect(await stored()).toEqual({ mapped: { $ip: VISITOR }, six: { $ip: '2001:db8::7' } })
  })

  it('does so for thousands in one compressed request', async () => {
    const { id, apiToken } = await project({ anonymize_ips: false })
    const batch = Array.from({ length: 3_000 }, (_, i) => event('many', { i, ...(i % 3 ? {} : { $ip: '192.0.2.1' }) }))
    await app.server.inject({
      method: 'POST',
      url: '/batch/',
      remoteAddress: VISITOR,
      headers: { 'content-type': 'text/plain' },
      payload: gzipSync(JSON.stringify({ api_key: apiToken, batch })),
    })
    const seen: Record<string, number> = {}
    for (let next = `/api/environments/${id}/events/?limit=1000`; next; ) {
      const page = (await app.call('GET', next)).json()
      for (const { properties } of page.results) seen[properties.$ip] = (seen[properties.$ip] ?? 0) + 1
      next = page.next
    }
    expect(seen).toEqual({ '192.0.2.1': 1_000, [VISITOR]: 2_000 })
  })

  it('gives none of it to the person', async () => {
    const { id, send } = await project({ anonymize_ips: false })
    await send(event('$identify', { $set: { plan: 'pro' } }), { url: '/e/' })
    const { results } = (await app.call('GET', `/api/environments/${id}/persons/`)).json()
    expect(results[0].properties).toMatchObject({ plan: 'pro' })
    expect(JSON.stringify(results)).not.toContain(VISITOR)
  })

  it('and from the next request on no more, once it is told so', async () => {
    const { id, send, stored } = await project({ anonymize_ips: false })
    await send(event('before'), { url: '/e/' })
    await app.call('PATCH', `/api/projects/${id}/`, { body: { anonymize_ips: true } })
    await send(event('after'), { url: '/e/' })
    expect(await stored()).toEqual({ before: { $ip: VISITOR }, after: {} })
  })
})
