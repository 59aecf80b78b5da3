/** Small requests that expand to a lot: what they may take, when they are refused, and that others do not wait. */
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { compressLz64 } from '../../support/replay/lz64.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const UNKNOWN = 'API key is not valid: no project has it'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const event = (more: object = {}) => ({ event: 'x', distinct_id: 'u', ...more })
const send = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })
const batch = (events: unknown[], more: object = {}) =>
  send('/batch/', JSON.stringify({ api_key: PROJECT_TOKEN, batch: events, ...more }))
const count = () => countEvents(app.stores.events, 1)

/** A gzip of the text and of spaces without end: more than may be inflated. */
const bomb = (start: string, filling = ' ') => gzipSync(start + filling.repeat(70_000_000))

describe('a compressed request', () => {
  it.each([
    ['beside the batch', '{"api_key":"phc_nobody","batch":[', UNKNOWN],
    ['beside the batch, as token', '{"sent_at":"2026-03-04T12:00:00Z","token":"phc_nobody","batch":[', UNKNOWN],
    ['in the first event of a list', '[{"event":"x","properties":{"token":"phc_nobody"}},', UNKNOWN],
    ['in an event that does not end', '[{"event":"x","api_key":"phc_nobody","properties":{"a":"', UNKNOWN],
    ['that no project can have', '{"api_key":"phx_secret","batch":[', 'API key is not valid: personal API key'],
  ])('is refused for a token %s before the rest is unpacked', async (_name, start, text) => {
    for (const path of ['/batch/', '/s/', '/i/v0/e/']) {
      const response = await send(path, bomb(start))
      expect([response.statusCode, response.body]).toEqual([401, text])
    }
  })
  it('is not refused for what only looks like a token', async () => {
    const padding = 'p'.repeat(300_000)
    const events = [event({ properties: { token: 'mine', $set: { api_key: 'theirs' }, padding } }), event()]
    for (const body of [
      { batch: events, api_key: PROJECT_TOKEN },
      [{ properties: { token: 'mine', padding }, ...event(), api_key: PROJECT_TOKEN }],
      { properties: { token: 'mine', padding }, ...event(), api_key: PROJECT_TOKEN },
    ]) {
      const response = await send('/batch/', gzipSync(JSON.stringify(body)))
      expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
    }
  })
  it('is refused at the piece in which the limit is exceeded', async () => {
    const deep = await send('/batch/', bomb(`{"api_key":"${PROJECT_TOKEN}","batch":`, '['))
    expect([deep.statusCode, deep.body]).toEqual([400, expect.stringContaining('nested deeper than 100 levels')])
    const wide = await send('/batch/', gzipSync(`{"api_key":"${PROJECT_TOKEN}","batch":[[${'[],'.repeat(20_000_000)}`))
    expect([wide.statusCode, wide.body]).toEqual([
      413,
      'maximum event size exceeded: more than 2000000 lists and objects',
    ])
    const long = await send('/batch/', bomb(`{"api_key":"${PROJECT_TOKEN}","batch":[`))
    expect([long.statusCode, long.body]).toEqual([
      413,
      'maximum event size exceeded: more than 64000000 bytes after decompression',
    ])
  })
  it('is refused before it is unpacked when its token came in a header', async () => {
    const headers = { authorization: 'Bearer phc_nobody' }
    const response = await send('/i/v1/analytics/events', bomb('[', '['), headers)
    expect([response.statusCode, response.json().error_description]).toEqual([401, UNKNOWN])
  })
  it('counts against the bytes that are held, unpacked and read', async () => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: '2000000' } })
    const packed = (padding: number) =>
      gzipSync(JSON.stringify({ api_key: PROJECT_TOKEN, batch: [event({ properties: { p: 'p'.repeat(padding) } })] }))
    expect((await send('/batch/', packed(900_000))).statusCode).toBe(200)
    expect((await send('/batch/', packed(2_000_000))).statusCode).toBe(413)
    const values = JSON.stringify({
      api_key: PROJECT_TOKEN,
      batch: [event({ properties: { p: Array(450_000).fill(0) } })],
    })
    expect((await send('/batch/', gzipSync(values))).statusCode).toBe(413)
    const lz = `data=${encodeURIComponent(compressLz64(`"${'a'.repeat(800_000)}"`))}&compression=lz64`
    expect((await send('/batch/', lz, FORM)).statusCode).toBe(413)
    // A refused request holds nothing.
    expect((await send('/batch/', packed(900_000))).statusCode).toBe(200)
    expect(await count()).toBe(2)
  })
})

describe('very many small objects', () => {
  it.each([
    [5_000_000, 413],
    [20_000_000, 200],
  ])('are charged what they take once they are read, of %i bytes', async (bytes, status) => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: String(bytes) } })
    // 800 kB of text, 5 MB in memory.
    const p = Array(50_000).fill({ k: 1 })
    expect((await batch([event({ properties: { p } }), event({ properties: { p } })])).statusCode).toBe(status)
  })
})

describe('lz64', () => {
  const body = JSON.stringify({ api_key: PROJECT_TOKEN, batch: [event({ properties: { text: 'é😀' } })] })
  it('is read from a form, with its hint in a field or in the query, from the query only, and from a plain body', async () => {
    const packed = compressLz64(body)
    const data = encodeURIComponent(packed)
    const all = [
      await send('/e/?ip=1&_=1772625600000&v=2.6.2', `data=${data}&compression=lz64`, FORM),
      await send('/e/', `compression=lz64&data=${data}`, FORM),
      await send('/i/v0/e/?compression=lz64', `data=${data}`, FORM),
      await send('/e/?compression=lz-string', packed, { 'content-type': 'text/plain' }),
      await app.server.inject({ method: 'GET', url: `/e/?compression=lz64&data=${data}` }),
      await send('/e/?compression=lz64', body),
    ]
    for (const response of all) expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
    expect(await count()).toBe(6)
    const { results } = (await app.call('GET', '/api/environments/1/events/')).json()
    expect(results[0].properties.text).toBe('é😀')
  })
  it('is refused where it is broken, and bounded where it is not', async () => {
    for (const broken of ['AAAA', '%%%', compressLz64(body).slice(0, -20)]) {
      const response = await send('/e/', `data=${encodeURIComponent(broken)}&compression=lz64`, FORM)
      expect([response.statusCode, response.body]).toEqual([400, 'failed to decode request: invalid lz64 data'])
    }
    await app.end()
    app = await makeApp({ env: { HEDGEROW_CAPTURE_INFLATED_BYTES: '100000' } })
    const long = encodeURIComponent(compressLz64(' '.repeat(150_000) + body))
    const response = await send('/e/', `data=${long}&compression=lz64`, FORM)
    expect([response.statusCode, response.body]).toEqual([413, expect.stringContaining('more than 100000 bytes')])
  })
})

describe('a form', () => {
  it('may have any number of fields', async () => {
    const data = encodeURIComponent(
      Buffer.from(JSON.stringify({ api_key: PROJECT_TOKEN, ...event() })).toString('base64'),
    )
    const response = await send('/e/', `a=1${'&b'.repeat(400_000)}&data=${data}`, FORM)
    expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
    const without = await send('/e/', `mydata=1${'&b'.repeat(400_000)}`, FORM)
    expect([without.statusCode, without.body]).toEqual([400, 'failed to decode request: missing data field in form'])
  })
  it('may hold base64 or JSON, encoded in any way', async () => {
    const body = JSON.stringify({ api_key: PROJECT_TOKEN, ...event({ properties: { text: '>>> ??? ~~~ é 100% +' } }) })
    const base64 = Buffer.from(body).toString('base64')
    expect(base64).toMatch(/[+]/)
    const fields = [encodeURIComponent(base64), base64, encodeURIComponent(body), base64.replaceAll('+', '%20')]
    fields.push(new URLSearchParams({ data: body }).toString().slice('data='.length))
    for (const field of fields) {
      const response = await send('/e/', `data=${field}`, FORM)
      expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
    }
    const { results } = (await app.call('GET', '/api/environments/1/events/')).json()
    for (const { properties } of results) expect(properties.text).toBe('>>> ??? ~~~ é 100% +')
    expect(results).toHaveLength(5)
  })
})

describe('an event that is far too large', () => {
  it('is dropped unread, and the others of its batch are stored', async () => {
    const response = await batch([
      event(),
      event({ properties: { p: 'p'.repeat(4_100_000) } }),
      event({ properties: { p: Array(120_000).fill([]) } }),
      event(),
    ])
    expect(response.json()).toEqual({
      status: 'Ok',
      dropped: [
        { index: 1, reason: 'event_too_large' },
        { index: 2, reason: 'event_too_large' },
      ],
    })
    expect(await count()).toBe(2)
    const alone = await send(
      '/batch/',
      JSON.stringify({ api_key: PROJECT_TOKEN, ...event(), p: 'p'.repeat(4_100_000) }),
    )
    expect(alone.statusCode).toBe(413)
  })
})

describe('long work', () => {
  /** How many other requests are answered while one is in progress. */
  async function meanwhile(work: Promise<unknown>): Promise<number> {
    let [isDone, answered] = [false, 0]
    void work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      expect((await app.call('GET', '/_health', { key: null })).statusCode).toBe(200)
      if (!isDone) answered++
      await new Promise((resolve) => setImmediate(resolve))
    }
    return answered
  }
  const tiny = (events: number) => {
    const at = app.clock.now()
    const data = Array.from({ length: events }, (_, i) => `{"type":3,"timestamp":${at + (i % 1_000)}}`)
    const ids = `"$session_id":"s1","distinct_id":"u","token":"${PROJECT_TOKEN}"`
    return gzipSync(`[{"event":"$snapshot","properties":{${ids},"$snapshot_data":[${data.join(',')}]}}]`)
  }
  it('of a recording of very many events leaves room for others', async () => {
    const work = send('/s/', tiny(90_000))
    expect(await meanwhile(work)).toBeGreaterThan(10)
    expect([(await work).statusCode, (await work).body]).toEqual([200, '{"status":"Ok"}'])
    expect((await app.stores.recordings.standing(1, 's1'))?.recording.eventCount).toBe(90_000)
  })
  it('is not even started for far more of them', async () => {
    const response = await send('/s/', tiny(500_000))
    expect([response.statusCode, response.body]).toEqual([413, expect.stringMatching(/^maximum event size exceeded/)])
  })
  it('is not started for recordings of very many sessions in one request', async () => {
    const of = (session: number) => ({
      event: '$snapshot',
      properties: {
        $session_id: `s${session}`,
        distinct_id: 'u',
        token: PROJECT_TOKEN,
        $snapshot_data: [{ type: 3, timestamp: app.clock.now() }],
      },
    })
    const sessions = (many: number) => send('/s/', JSON.stringify(Array.from({ length: many }, (_, i) => of(i))))
    expect((await sessions(101)).statusCode).toBe(413)
    expect((await sessions(100)).statusCode).toBe(200)
  })
  it('of very many aliases leaves room for others, and all of them are applied', async () => {
    const aliases = Array.from({ length: 4_000 }, (_, i) => ({
      event: '$create_alias',
      distinct_id: `p${i % 10}`,
      properties: { alias: `a${i}` },
    }))
    const work = batch(aliases)
    expect(await meanwhile(work)).toBeGreaterThan(10)
    expect((await work).body).toBe('{"status":"Ok"}')
    const person = await app.stores.persons.findByDistinctId(1, 'a3999')
    expect(person?.distinctIds).toHaveLength(401)
    expect(person?.distinctIds).toContain('p9')
    expect(await count()).toBe(4_000)
  })
  it('of very many properties leaves room for others, and all of them are applied', async () => {
    const $set = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, i]))
    const work = batch([event({ $set }), event({ $set: { k0: 1 } })])
    expect(await meanwhile(work)).toBeGreaterThan(5)
    expect((await work).body).toBe('{"status":"Ok"}')
    const person = await app.stores.persons.findByDistinctId(1, 'u')
    expect(Object.keys(person?.properties ?? {})).toHaveLength(40_001)
    expect(person?.properties).toMatchObject({ k0: 1, k39999: 39_999 })
  })
  it('of very many events leaves room for others, and their order is kept', async () => {
    const events = Array.from({ length: 20_000 }, (_, i) => (i % 2 ? event({ $set: { last: i } }) : 'no event'))
    const work = batch(events)
    expect(await meanwhile(work)).toBeGreaterThan(10)
    const { dropped } = (await work).json()
    expect(dropped).toHaveLength(10_000)
    expect(dropped[9_999]).toEqual({ index: 19_998, reason: 'invalid_event' })
    expect((await app.stores.persons.findByDistinctId(1, 'u'))?.properties).toMatchObject({ last: 19_999 })
    expect(await count()).toBe(10_000)
  })
})
