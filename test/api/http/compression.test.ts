/** Answers above 1 kB are compressed for clients that accept it; the same bytes come out, whichever way they went. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson } from '../../support/make.ts'
import { pageOf, saying, sendRecorded } from '../../support/replay/hand-made-recording.ts'

const PERSONS = 3_000
const SESSION = '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2d'
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }
type Coding = keyof typeof DECODE
const CODINGS: Coding[] = ['br', 'gzip']

let app: TestApp
let playerScript: string
let large: number
let small: number
let lateRecording: string

beforeAll(async () => {
  app = await makeApp()
  for (let n = 0; n < PERSONS; n++) {
    await makePerson(app, { distinctIds: [`user-${n}`], properties: { email: `user-${n}@example.com`, n } })
  }
  small = (await makePerson(app, { distinctIds: ['small'], properties: { a: 1 } })).id
  large = (await makePerson(app, { distinctIds: ['large'], properties: { text: 'äöü '.repeat(500) } })).id
  await makeEvents(app, [{ event: 'bought' }])
  const start = app.clock.now() - 60_000
  const events = [...pageOf(start, 'begin'), ...Array.from({ length: 200 }, (_, i) => saying(start + i, `step ${i}`))]
  await sendRecorded(app, { sessionId: SESSION, events })
  const path = `/api/environments/1/session_recordings/${SESSION}/sharing/`
  const shared = (await app.call('PATCH', path, { body: { enabled: true } })).json().access_token
  const page = await app.call('GET', `/shared/${shared}`)
  playerScript = /src="\.\.(\/static\/player\/[^"]+)"/.exec(page.body)?.[1] ?? ''
  lateRecording = `/api/environments/1/session_recordings/${SESSION}/snapshots/`
})
afterAll(() => app.end())

const ask = (path: string, encoding?: string, { headers = {}, ...options }: CallOptions = {}, method = 'GET') =>
  app.call(method, path, {
    ...options,
    headers: { ...headers, ...(encoding === undefined ? {} : { 'accept-encoding': encoding }) },
  })
const varies = ({ headers }: LightMyRequestResponse) => /(?:^|, )Accept-Encoding(?:,|$)/.test(String(headers.vary))

describe.each<[string, () => string]>([
  ['a page that is written as one text', () => '/api/environments/1/persons/?limit=50'],
  ['a page that is written row by row', () => '/api/environments/1/persons/?limit=1000'],
  ['one large person', () => `/api/environments/1/persons/${large}/`],
  ['one page as CSV', () => '/api/environments/1/persons/?limit=50&format=csv'],
  ['the whole list as CSV', () => '/api/environments/1/persons/?format=csv'],
  ['an insight', () => '/api/environments/1/insights/1/'],
  ['a drawing', () => '/api/environments/1/insights/1/chart.svg'],
  ['the blocks of a recording', () => `${lateRecording}?source=blob_v2&start_blob_key=0&end_blob_key=0`],
  ['a recording as one file', () => `${lateRecording}export/`],
  ['the API document', () => '/api/schema/'],
  ['the program of the explorer', () => '/api/docs/scalar.js'],
  ['the metrics', () => '/metrics'],
  ['the program of the player', () => playerScript],
  ['a script of the SDKs', () => '/static/array.js'],
])('%s', (_, path) => {
  it.each(CODINGS)('is compressed by %s, and is the same', async (coding) => {
    const plain = await ask(path())
    const packed = await ask(path(), coding)
    expect([plain.statusCode, packed.statusCode]).toEqual([200, 200])
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, coding])
    expect([varies(plain), varies(packed)]).toEqual([true, true])
    expect(plain.rawPayload.length).toBeGreaterThan(1_024)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
    expect(packed.headers['content-type']).toBe(plain.headers['content-type'])
    expect(packed.headers['content-disposition']).toBe(plain.headers['content-disposition'])
    // Metrics count the requests between the two.
    if (path() === '/metrics') return
    expect(DECODE[coding](packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it('is sent as it is to who refuses or prefers that', async () => {
    for (const encoding of ['br;q=0', 'br;q=0, gzip;q=0', 'identity', 'identity, gzip;q=0.5', 'deflate', '']) {
      const answer = await ask(path(), encoding)
      expect([encoding, answer.headers['content-encoding'], varies(answer)]).toEqual([encoding, undefined, true])
    }
  })

  it('has the same headers for HEAD, and no body', async () => {
    const head = await ask(path(), 'br', {}, 'HEAD')
    expect([head.statusCode, head.headers['content-encoding'], head.rawPayload.length]).toEqual([200, 'br', 0])
    expect(varies(head)).toBe(true)
  })
})

describe('what is not compressed', () => {
  const untouched = (answer: LightMyRequestResponse) => {
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(varies(answer)).toBe(false)
  }
  it.each<[string, () => string, number]>([
    ['a small object', () => `/api/environments/1/persons/${small}/`, 200],
    ['a page without rows', () => '/api/environments/1/persons/?search=nobody-at-all', 200],
    ['a small object as CSV', () => `/api/environments/1/persons/${small}/?format=csv`, 200],
    ['health', () => '/_health', 200],
    ['an error', () => '/api/environments/1/persons/999999/', 404],
    ['a path without a route', () => '/nowhere', 404],
    ['a picture', () => '/api/environments/1/insights/1/chart.png', 200],
    ['a small file', () => '/api/docs/start.js', 200],
  ])('%s', async (_, path, status) => {
    const answer = await ask(path(), 'br, gzip')
    expect(answer.statusCode).toBe(status)
    untouched(answer)
  })

  it('a stream that turns out to be small', async () => {
    const answer = await ask('/api/environments/1/persons/?search=nobody-at-all&format=csv', 'br, gzip')
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined])
    expect(answer.body).toMatch(/^created_at,/)
  })

  it('exactly 1 kB, but one byte more', async () => {
    const bytesOf = async (length: number) => {
      const { id } = await makePerson(app, { properties: { text: 'x'.repeat(length) } })
      return `/api/environments/1/persons/${id}/`
    }
    const { rawPayload } = await ask(await bytesOf(0))
    // The ids of the next persons have as many digits.
    const path = await bytesOf(1_024 - rawPayload.length)
    const [exact, more] = [await ask(path, 'gzip'), await ask(await bytesOf(1_025 - rawPayload.length), 'gzip')]
    expect([exact.rawPayload.length, exact.headers['content-encoding']]).toEqual([1_024, undefined])
    expect([gunzipSync(more.rawPayload).length, more.headers['content-encoding']]).toEqual([1_025, 'gzip'])
  })

  it('answers to the SDKs that send data or ask by POST, however long', async () => {
    const batch = [{ event: 'ok', distinct_id: 'a' }, ...Array.from({ length: 100 }, () => ({ event: '' }))]
    const body = { api_key: PROJECT_TOKEN, batch }
    const taken = await ask('/batch/', 'br, gzip', { key: null, body }, 'POST')
    expect([taken.statusCode, taken.rawPayload.length > 1_024]).toEqual([200, true])
    untouched(taken)
    const decided = await ask('/decide/?v=3', 'br, gzip', { key: null, body: { token: PROJECT_TOKEN } }, 'POST')
    expect(decided.statusCode).toBe(200)
    untouched(decided)
  })
})

describe('answers to writes', () => {
  it('are compressed too, also when an idempotency key replays them', async () => {
    const body = { name: 'Long', description: 'd'.repeat(3_000) }
    const headers = { 'idempotency-key': 'long-one' }
    const first = await ask('/api/environments/1/dashboards/', 'br', { body, headers }, 'POST')
    const again = await ask('/api/environments/1/dashboards/', 'gzip', { body, headers }, 'POST')
    expect([first.statusCode, first.headers['content-encoding']]).toEqual([201, 'br'])
    expect([again.statusCode, again.headers['content-encoding']]).toEqual([201, 'gzip'])
    expect(gunzipSync(again.rawPayload).equals(brotliDecompressSync(first.rawPayload))).toBe(true)
  })

  it('are compressed when they refuse at length', async () => {
    const numbers = ['title', 'target_type', 'target_value', 'frequency', 'start_date', 'until_date', 'timezone']
    const texts = ['interval', 'count', 'bysetpos', 'insight', 'dashboard', 'byweekday', 'deleted']
    const body = Object.fromEntries([...numbers.map((name) => [name, 5]), ...texts.map((name) => [name, 'x'])])
    const path = '/api/environments/1/subscriptions/'
    const [plain, packed] = [await ask(path, undefined, { body }, 'POST'), await ask(path, 'br', { body }, 'POST')]
    expect([plain.statusCode, packed.statusCode, packed.headers['content-encoding']]).toEqual([400, 400, 'br'])
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body)
  })
})

describe.each<[string, () => string]>([
  ['the API document', () => '/api/schema/'],
  ['a script of the SDKs', () => '/static/array.js'],
  ['a drawing', () => '/api/environments/1/insights/1/chart.svg'],
])('the ETag of %s', (_, path) => {
  it('is strong as it is, weak when compressed, and 304 is the answer to both', async () => {
    const plain = String((await ask(path())).headers.etag)
    expect(plain).toMatch(/^"[^"]+"$/)
    for (const coding of CODINGS) {
      const packed = String((await ask(path(), coding)).headers.etag)
      expect(packed).toBe(`W/${plain}`)
      // As caches ask: with the tag of what they hold, whichever form they would get now.
      for (const [tag, encoding] of [
        [packed, coding],
        [packed, undefined],
        [plain, coding],
        [plain, undefined],
      ] as const) {
        const again = await ask(path(), encoding, { headers: { 'if-none-match': tag } })
        expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
        // A cache updates what it holds under this very tag.
        expect(again.headers.etag).toBe(tag)
        expect([again.headers['content-encoding'], varies(again)]).toEqual([undefined, true])
      }
    }
  })
})
