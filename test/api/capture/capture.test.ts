/** Capture: every request the real SDKs made, replayed byte for byte, and the rules of people and time. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, SECOND } from '../../../src/lib/time/time.ts'
import { personUuid } from '../../../src/rules/persons/identity.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'

interface Fixture {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body_base64: string
  events?: { event: string; distinct_id: string; uuid?: string; session_id?: string }[]
}

const FIXTURE_TOKEN = 'phc_testtoken0001'
const fixtures = readFileSync(new URL('../../fixtures/capture-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fixture)
const eventFixtures = fixtures.filter((fixture) => (fixture.events?.length ?? 0) > 0 && !fixture.path.startsWith('/s/'))

let app: TestApp
afterEach(() => app.end())

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body),
  })
const batch = (events: unknown[], extra: object = {}) =>
  send('/batch/', { api_key: PROJECT_TOKEN, batch: events, ...extra })
const personOf = (distinctId: string) => app.stores.persons.findByDistinctId(1, distinctId)
const count = () => countEvents(app.stores.events, 1)

describe('the requests of the real SDKs', () => {
  beforeEach(async () => {
    app = await makeApp()
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
    app.clock.set(Date.UTC(2026, 10, 15, 1))
  })
  it.each(eventFixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s is stored whole',
    async (_name, fixture) => {
      const payload = Buffer.from(fixture.body_base64, 'base64')
      const response = await app.server.inject({ method: 'POST', url: fixture.path, headers: fixture.headers, payload })
      const beacon = fixture.path.includes('beacon=1')
      expect([response.statusCode, response.body.slice(0, 100)]).toEqual(
        beacon ? [204, ''] : [200, fixture.path.includes('/v1/') ? expect.stringContaining('"ok"') : '{"status":"Ok"}'],
      )
      const expected = fixture.events ?? []
      expect(await count()).toBe(expected.length)
      for (const distinctId of new Set(expected.map((event) => event.distinct_id))) {
        const moments = await app.stores.events.timeline({
          projectId: 1,
          distinctIds: [distinctId],
          events: null,
          from: 0,
          to: Date.UTC(2100, 0, 1),
        })
        expect(moments.length).toBe(expected.filter((event) => event.distinct_id === distinctId).length)
      }
    },
  )
  it('count once, however often they are sent', async () => {
    const all = eventFixtures.filter((fixture) => fixture.events?.every((event) => event.uuid))
    const uuids = new Set(all.flatMap((fixture) => fixture.events?.map((event) => event.uuid)))
    for (const fixture of [...all, ...all]) {
      const payload = Buffer.from(fixture.body_base64, 'base64')
      await app.server.inject({ method: 'POST', url: fixture.path, headers: fixture.headers, payload })
    }
    expect(await count()).toBe(uuids.size)
  })
})

describe('capture', () => {
  beforeEach(async () => {
    app = await makeApp()
  })
  const event = (extra: object = {}) => ({ event: 'clicked', distinct_id: 'jane', ...extra })

  it.each(['/e', '/e/', '/i/v0/e', '/i/v0/e/', '/capture', '/track/', '/batch', '/engage/'])(
    'takes events at %s',
    async (path) => {
      const response = await send(path, { api_key: PROJECT_TOKEN, ...event() })
      expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
      expect(await count()).toBe(1)
    },
  )
  it('takes the event from the query of a GET, as base64', async () => {
    const data = Buffer.from(JSON.stringify({ token: PROJECT_TOKEN, ...event() })).toString('base64')
    const response = await app.server.inject({ method: 'GET', url: `/e/?data=${encodeURIComponent(data)}` })
    expect(response.statusCode).toBe(200)
  })
  it('answers 204 to a beacon and mirrors the origin, credentials allowed', async () => {
    const response = await send(
      '/e/?beacon=1',
      { token: PROJECT_TOKEN, ...event() },
      { origin: 'https://shop.example' },
    )
    expect(response.statusCode).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe('https://shop.example')
    expect(response.headers['access-control-allow-credentials']).toBe('true')
    const preflight = await app.server.inject({
      method: 'OPTIONS',
      url: '/i/v0/e/',
      headers: { origin: 'https://shop.example', 'access-control-request-headers': 'x-thing' },
    })
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([200, 'x-thing'])
  })
  it.each([
    ['no token', event(), 401, 'event submitted without an api_key'],
    ['an unknown token', { token: 'phc_nobody', ...event() }, 401, 'API key is not valid: no project has it'],
    ['a personal key', { token: 'phx_secret', ...event() }, 401, 'API key is not valid: personal API key'],
    ['an empty list', [], 400, 'request holds no event'],
    ['an empty batch', { api_key: PROJECT_TOKEN, batch: [] }, 400, 'request holds no event'],
    ['no distinct id', { token: PROJECT_TOKEN, event: 'x' }, 400, 'event submitted without a distinct_id'],
    ['no name', { token: PROJECT_TOKEN, distinct_id: 'x' }, 400, 'event submitted with an empty event name'],
    [
      'different tokens',
      [
        { token: 'a', ...event() },
        { token: 'b', ...event() },
      ],
      401,
      'batch submitted with inconsistent api_key values',
    ],
    ['a number', 5, 400, 'failed to parse request: expected an event or a list of events'],
  ])('refuses %s in plain text', async (_name, body, status, text) => {
    const response = await send('/e/', body)
    expect([response.statusCode, response.body]).toEqual([status, text])
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
  it.each([
    ['broken JSON', '{"a":', 'application/json', /^failed to parse request: /],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'text/plain', /^failed to decode request: /],
    ['nothing', '', 'application/json', /^failed to decode request: the request body is empty/],
    [
      '10,000 levels',
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      'application/json',
      /^failed to parse request: .*nested deeper/,
    ],
  ])('refuses %s', async (_name, body, type, text) => {
    const response = await send('/e/', body, { 'content-type': type })
    expect(response.statusCode).toBe(400)
    expect(response.body).toMatch(text)
  })
  it.each(['/e/', '/batch/', '/i/v0/e/'])('says of %s without a body that it is empty', async (url) => {
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.server.inject({ method, url })
      expect([response.statusCode, response.body]).toEqual([400, 'failed to decode request: the request body is empty'])
    }
  })
  it('answers 413 to what is too large, so that a client sends less at once', async () => {
    const large = event({ token: PROJECT_TOKEN, properties: { text: 'x'.repeat(1_100_000) } })
    expect((await send('/batch/', { api_key: PROJECT_TOKEN, batch: [large] })).statusCode).toBe(413)
    const body = await send('/e/', { ...large, properties: { text: 'x'.repeat(2_000_000) } })
    expect([body.statusCode, body.body]).toEqual([413, 'maximum event size exceeded: more than 2000000 bytes'])
  })
  it('refuses other methods in plain text', async () => {
    const response = await app.server.inject({ method: 'PUT', url: '/e/' })
    expect([response.statusCode, response.headers.allow, response.body]).toEqual([
      405,
      'GET, HEAD, POST, OPTIONS',
      'Method "PUT" not allowed.',
    ])
  })
  it('does not inflate a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(80_000_000))
    const response = await send('/e/', bomb, { 'content-type': 'text/plain' })
    expect([response.statusCode, response.body]).toEqual([
      413,
      'maximum event size exceeded: more than 64000000 bytes after decompression',
    ])
  })
  it('takes many events in one request, up to a bound', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => ({ event: 'a', distinct_id: `b${i % 50}` }))
    expect((await batch(many(50_000))).statusCode).toBe(200)
    expect(await count()).toBe(50_000)
    const refused = await batch(many(50_001))
    expect([refused.statusCode, refused.body]).toEqual([413, 'maximum event size exceeded: more than 50000 events'])
    expect(await count()).toBe(50_000)
  })
  it('does not read small text that would take much memory', async () => {
    const objects = '{},'.repeat(2_000_000)
    const bomb = gzipSync(`{"api_key":"${PROJECT_TOKEN}","batch":[${objects}{}]}`, { level: 1 })
    for (const [path, what] of [
      ['/batch/', 'more than 2000000 lists and objects'],
      ['/s/', 'too many events'],
    ] as const) {
      const response = await send(path, bomb, { 'content-type': 'text/plain' })
      expect([response.statusCode, response.body]).toEqual([413, `maximum event size exceeded: ${what}`])
    }
  })
  it('warns of a thousand bad events of a request, and reports all of them', async () => {
    const response = await batch([event(), ...Array.from({ length: 1_500 }, () => ({}))])
    expect(response.json().dropped).toHaveLength(1_500)
    const warnings = await app.stores.intake.warnings(1, null, { limit: 1, offset: 0 })
    expect(warnings.count).toBe(1_000)
  })
  it('stores the good events of a batch, reports the bad ones and keeps a warning', async () => {
    const response = await batch([event(), { event: 'x' }, 'nonsense', event({ uuid: 'not-one' }), event()])
    expect(response.json()).toEqual({
      status: 'Ok',
      dropped: [
        { index: 1, reason: 'missing_distinct_id' },
        { index: 2, reason: 'invalid_event' },
        { index: 3, reason: 'invalid_uuid' },
      ],
    })
    expect(await count()).toBe(2)
    const { items } = await app.stores.intake.warnings(1, null, { limit: 10, offset: 0 })
    expect(items.map((item) => item.type).sort()).toEqual(['invalid_event', 'invalid_uuid', 'missing_distinct_id'])
    const { body } = await app.call('GET', '/metrics', { key: null })
    expect(body).toContain('hedgerow_capture_dropped_events_total{reason="invalid_uuid"} 1')
  })
  it('counts a retried event once, also across a restart', async () => {
    const uuid = '018f0000-0000-7000-8000-000000000001'
    await batch([event({ uuid }), event({ uuid })])
    await app.close()
    app = await makeApp({ dataDir: app.dataDir, clock: app.clock })
    await batch([event({ uuid: uuid.toUpperCase() })])
    expect(await count()).toBe(1)
  })
  it('repairs NUL and lone surrogates, and cuts long names', async () => {
    await batch([
      { event: `a\0b${'x'.repeat(300)}`, distinct_id: 'j\ud800', properties: { 'k\0': 'v\0' }, $set: { nul: '\0' } },
    ])
    const person = await personOf('j\ufffd')
    expect(person?.properties).toMatchObject({ nul: '\ufffd' })
  })
  it('cuts names and ids by code points, so that later events of their sender are accepted', async () => {
    const long = `${'d'.repeat(199)}😀${'e'.repeat(50)}`
    const cut = `${'d'.repeat(199)}😀`
    for (const round of [1, 2]) {
      const answer = await batch([
        { event: long, distinct_id: long, properties: { round } },
        { event: '$identify', distinct_id: `x${round}`, properties: { $anon_distinct_id: `${round}${long.slice(1)}` } },
        { event: '$create_alias', distinct_id: `y${round}`, properties: { alias: `a${long.slice(1)}` } },
      ])
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'Ok' }])
    }
    expect((await personOf(cut))?.uuid).toBe(personUuid(1, cut))
    expect(await personOf(`1${cut.slice(1)}`)).not.toBeNull()
    const { results } = (await app.call('GET', '/api/environments/1/events/')).json()
    expect(results.filter((row: { event: string }) => row.event === cut)).toHaveLength(2)
  })
  it('shows at once what it acknowledged', async () => {
    await batch([event({ $set: { email: 'jane@example.com' } })])
    const { results } = (await app.call('GET', '/api/environments/1/persons/?distinct_id=jane')).json()
    expect(results[0]).toMatchObject({ name: 'jane@example.com', uuid: personUuid(1, 'jane') })
  })
  it('answers 503 with Retry-After when too much waits', async () => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_OUTBOX_ROWS: '0' } })
    const response = await batch([event()])
    expect([response.statusCode, response.body, response.headers['retry-after']]).toEqual([
      503,
      'transient error, please retry',
      '5',
    ])
    expect(await count()).toBe(0)
  })
  it('checks every second how much waits, also after the clock went back', async () => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_OUTBOX_ROWS: '3' } })
    expect((await batch([event()])).statusCode).toBe(200)
    app.clock.jump(-HOUR)
    const { backlog } = app.stores.outbox
    app.stores.outbox.backlog = async () => ({ ...(await backlog()), length: 3 })
    app.clock.advance(SECOND)
    expect((await batch([event()])).statusCode).toBe(503)
    // Of those that wait for the second time each was counted before.
    app.stores.outbox.backlog = async () => ({ ...(await backlog()), length: 3, again: 1 })
    app.clock.advance(SECOND)
    expect((await batch([event()])).statusCode).toBe(200)
    app.stores.outbox.backlog = backlog
    app.clock.jump(-HOUR)
    app.clock.advance(SECOND)
    expect((await batch([event()])).statusCode).toBe(200)
  })
})

describe('a full disk', () => {
  const ready = async () => {
    const response = await app.call('GET', '/_ready', { key: null })
    return [response.statusCode, response.json().checks.disk]
  }
  it('stops recordings first, and says so', async () => {
    app = await makeApp({ env: { HEDGEROW_MIN_FREE_FOR_RECORDINGS: '900000000000000' } })
    expect((await batch([{ event: 'x', distinct_id: 'u' }])).statusCode).toBe(200)
    expect(await ready()).toEqual([200, 'low: recordings are not taken'])
  })
  it('then stops events', async () => {
    app = await makeApp({ env: { HEDGEROW_MIN_FREE_FOR_EVENTS: '900000000000000' } })
    expect((await batch([{ event: 'x', distinct_id: 'u' }])).statusCode).toBe(503)
    expect(await ready()).toEqual([503, 'full: neither events nor recordings are taken'])
  })
})

describe('people', () => {
  beforeEach(async () => {
    app = await makeApp()
  })
  const at = (seconds: number) => new Date(app.clock.now() + seconds * 1_000).toISOString()
  it('are made by their first event, with a deterministic uuid and the event that made them', async () => {
    const uuid = '018f0000-0000-7000-8000-00000000000a'
    await batch([
      {
        event: 'x',
        distinct_id: 'u',
        uuid,
        timestamp: at(-60),
        properties: { $browser: 'Firefox', $set: { a: 1 }, $set_once: { b: 2 } },
      },
    ])
    const person = await personOf('u')
    expect(person).toMatchObject({ uuid: personUuid(1, 'u'), isIdentified: false, createdAt: app.clock.now() - 60_000 })
    expect(person?.properties).toEqual({
      a: 1,
      b: 2,
      $browser: 'Firefox',
      $initial_browser: 'Firefox',
      $creator_event_uuid: uuid,
    })
    const { b, $initial_browser, ...set } = person?.properties ?? {}
    expect(await wholeHistory(app.stores.persons, 1, person?.id ?? 0)).toMatchObject([
      { set, once: { b, $initial_browser }, removed: [], eventUuid: uuid },
    ])
  })
  it('follow $set, $set_once and $unset in their order', async () => {
    const set = (properties: object) => ({ event: '$set', distinct_id: 'u', properties })
    await batch([set({ $set: { a: 1, gone: 1 }, $set_once: { once: 1 } })])
    await batch([set({ $set: { a: 2, once: 5, fresh: 1 }, $set_once: { once: 9, a: 9 }, $unset: ['gone', 'fresh'] })])
    expect((await personOf('u'))?.properties).toMatchObject({ a: 2, once: 5, fresh: 1 })
    expect((await personOf('u'))?.properties).not.toHaveProperty('gone')
    await batch([{ event: '$delete_person_property', distinct_id: 'u', properties: { $unset: ['a'] } }])
    expect((await personOf('u'))?.properties).not.toHaveProperty('a')
  })
  it('are not made for events that ask for no profile', async () => {
    await batch([{ event: 'x', distinct_id: 'anon', properties: { $process_person_profile: false, $set: { a: 1 } } }])
    expect(await personOf('anon')).toBeNull()
    expect(await count()).toBe(1)
    const response = await batch([
      {
        event: '$identify',
        distinct_id: 'u',
        properties: { $process_person_profile: false, $anon_distinct_id: 'anon' },
      },
    ])
    expect(response.statusCode).toBe(400)
  })
  it('take the uuid of the anonymous id when only that was seen before', async () => {
    await batch([{ event: 'x', distinct_id: 'anon', properties: { $process_person_profile: false } }])
    await batch([{ event: '$identify', distinct_id: 'u', properties: { $anon_distinct_id: 'anon' } }])
    const person = await personOf('u')
    expect(person).toMatchObject({ uuid: personUuid(1, 'anon'), isIdentified: true })
    expect([...(person?.distinctIds ?? [])].sort()).toEqual(['anon', 'u'])
  })
  it('are merged by $identify: target wins, the older time stays, everything moves', async () => {
    await batch([
      { event: 'x', distinct_id: 'anon', timestamp: at(-600), properties: { $set: { a: 'other', b: 'other' } } },
    ])
    await batch([{ event: 'x', distinct_id: 'u', timestamp: at(-60), properties: { $set: { a: 'target' } } }])
    const [other, target] = [await personOf('anon'), await personOf('u')]
    await batch([{ event: '$identify', distinct_id: 'u', properties: { $anon_distinct_id: 'anon' }, $set: { c: 1 } }])
    const merged = await personOf('anon')
    expect(merged).toMatchObject({ id: target?.id, isIdentified: true, createdAt: other?.createdAt })
    expect(merged?.properties).toMatchObject({ a: 'target', b: 'other', c: 1 })
    expect(await app.stores.persons.find(1, { id: other?.id ?? 0 })).toBeNull()
    const projected = await app.stores.events.personOf(1, 'anon')
    expect(projected?.personId).toBe(target?.id)
    const { items } = await app.stores.activity.page({ projectId: 1, scope: 'Person' }, { limit: 5, offset: 0 })
    expect(items[0]).toMatchObject({ activity: 'people_merged_into', itemId: String(target?.id), userId: null })
  })
  it('take the log of the merged person with them, so that it can be erased', async () => {
    await batch([
      { event: 'x', distinct_id: 'anon' },
      { event: 'x', distinct_id: 'u' },
    ])
    const [other, target] = [await personOf('anon'), await personOf('u')]
    await app.call('PATCH', `/api/environments/1/persons/${other?.id}/`, {
      body: { properties: { ssn: 'secret-number' } },
    })
    await batch([{ event: '$create_alias', distinct_id: 'u', properties: { alias: 'anon' } }])
    await app.call('DELETE', `/api/environments/1/persons/${target?.id}/`)
    expect((await app.call('GET', '/api/environments/1/persons/activity/')).body).not.toContain('secret-number')
  })
  it('are not merged when the other is identified, unless dangerously', async () => {
    const identify = (id: string, anon: string) => ({
      event: '$identify',
      distinct_id: id,
      properties: { $anon_distinct_id: anon },
    })
    await batch([identify('a', 'anon-a'), identify('b', 'anon-b'), identify('a', 'b')])
    expect((await personOf('a'))?.id).not.toBe((await personOf('b'))?.id)
    const { items } = await app.stores.intake.warnings(1, 'cannot_merge_already_identified', { limit: 5, offset: 0 })
    expect(items.length).toBe(1)
    await batch([{ event: '$merge_dangerously', distinct_id: 'a', properties: { alias: 'b' } }])
    expect((await personOf('a'))?.id).toBe((await personOf('b'))?.id)
  })
  it.each(['anonymous', 'GUEST', '"null"', '0', 'undefined', '[object Object]'])(
    'are never merged by the id %s',
    async (id) => {
      await batch([{ event: '$create_alias', distinct_id: 'u', properties: { alias: id } }])
      expect(await personOf(id)).toBeNull()
      expect((await personOf('u'))?.isIdentified).toBe(false)
    },
  )
  it('refuse properties beyond 1 MB, and the event is stored anyway', async () => {
    await batch([{ event: 'x', distinct_id: 'u', $set: { a: 1 } }])
    await batch([{ event: '$set', distinct_id: 'u', $set: { big: 'x'.repeat(1_000_001) } }])
    expect(await count()).toBe(2)
    expect((await personOf('u'))?.properties).not.toHaveProperty('big')
    const { items } = await app.stores.intake.warnings(1, 'person_properties_too_large', { limit: 5, offset: 0 })
    expect(items.length).toBe(1)
  })
})

describe('time', () => {
  beforeEach(async () => {
    app = await makeApp()
  })
  const NOW = Date.UTC(2026, 2, 4, 12)
  const stored = async () =>
    (await app.stores.events.timeline({ projectId: 1, distinctIds: ['u'], events: null, from: 0, to: 9e14 }))[0]
      ?.timestamp
  const iso = (ms: number) => new Date(ms).toISOString()
  it.each([
    ['as is without sent_at', { timestamp: iso(NOW - 5_000) }, {}, NOW - 5_000],
    ['moved by the clock’s error', { timestamp: iso(NOW - 3_605_000) }, { sent_at: iso(NOW - 3_600_000) }, NOW - 5_000],
    [
      'not moved when asked',
      { timestamp: iso(NOW - 5_000), properties: { $ignore_sent_at: true } },
      { sent_at: iso(NOW - 60_000) },
      NOW - 5_000,
    ],
    ['by offset, which wins', { timestamp: iso(0), offset: 2_500 }, {}, NOW - 2_500],
    ['now when it says nothing', {}, {}, NOW],
    ['now when it cannot be read', { timestamp: 'soon' }, {}, NOW],
    ['now in the far future', { timestamp: iso(NOW + 24 * 3_600_000) }, {}, NOW],
    ['kept up to 23 hours ahead', { timestamp: iso(NOW + 22 * 3_600_000) }, {}, NOW + 22 * 3_600_000],
    ['kept when long ago', { timestamp: '2015-05-05T05:05:05Z' }, {}, Date.UTC(2015, 4, 5, 5, 5, 5)],
  ])('is taken %s', async (_name, fields, extra, expected) => {
    await batch([{ event: 'x', distinct_id: 'u', ...fields }], extra)
    expect(await stored()).toBe(expected)
  })
})

describe('protocol v1', () => {
  beforeEach(async () => {
    app = await makeApp()
  })
  const v1 = (events: object[], token = PROJECT_TOKEN) =>
    send('/i/v1/analytics/events', { batch: events }, { authorization: `Bearer ${token}` })
  const uuid = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`

  it('reports the result of each event by its uuid, and refuses what the older endpoints repair', async () => {
    const response = await v1([
      { uuid: uuid(1), event: 'good', distinct_id: ' jane ' },
      { uuid: uuid(2), event: 'x'.repeat(201), distinct_id: 'jane' },
      { uuid: uuid(3), event: 'good', distinct_id: 'x'.repeat(201) },
      { uuid: uuid(4), event: 'good', distinct_id: 'SYSTEM' },
      { uuid: uuid(5), event: 'good', distinct_id: '"null"' },
      { uuid: uuid(6), event: 'good' },
    ])
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        results: {
          [uuid(1)]: { result: 'ok' },
          [uuid(2)]: { result: 'drop', details: 'event_name_too_long' },
          [uuid(3)]: { result: 'drop', details: 'distinct_id_too_long' },
          [uuid(4)]: { result: 'drop', details: 'illegal_distinct_id' },
          [uuid(5)]: { result: 'drop', details: 'illegal_distinct_id' },
          [uuid(6)]: { result: 'drop', details: 'missing_distinct_id' },
        },
      },
    ])
    expect(await count()).toBe(1)
    expect((await personOf('jane'))?.distinctIds).toEqual(['jane'])
  })
  it('stores such ids where the older endpoints accept them', async () => {
    await batch([{ event: 'good', distinct_id: 'system' }])
    expect(await personOf('system')).not.toBeNull()
  })
  it('reports an error of a whole request as JSON', async () => {
    const unknown = await v1([{ event: 'good', distinct_id: 'jane' }], 'phc_nobody')
    expect(unknown.statusCode).toBe(401)
    expect(unknown.json()).toEqual({
      error: 'invalid_token',
      error_description: 'API key is not valid: no project has it',
      error_uri: '',
    })
    const empty = await v1([])
    expect([empty.statusCode, empty.json().error_description]).toEqual([400, 'request holds no event'])
  })
})
