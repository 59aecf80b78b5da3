/** Bad and odd input on the person routes: a clear error and nothing partly done, or the same value back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const API = '/api/environments/1'
const url = (id: number | string, rest = '') => `${API}/persons/${id}/${rest}`

/** Routes that read a body, with a body that works. */
const WRITES: [method: string, path: string, good: unknown][] = [
  ['PATCH', 'persons/{id}/', { properties: { a: 1 } }],
  ['PUT', 'persons/{id}/', { properties: { a: 1 } }],
  ['POST', 'persons/{id}/update_property/', { key: 'a', value: 1 }],
  ['POST', 'persons/{id}/delete_property/', { $unset: 'a' }],
  ['POST', 'persons/{id}/split/', {}],
  ['POST', 'persons/bulk_delete/', { ids: [987_654] }],
  ['POST', 'persons/batch_by_distinct_ids/', { distinct_ids: ['a'] }],
  ['POST', 'persons/batch_by_uuids/', { uuids: [] }],
  ['POST', 'persons/reset_person_distinct_id/', { distinct_id: 'a' }],
]

const json = { 'content-type': 'application/json' }
const raw = (method: string, path: string, payload: Buffer | string, headers: Record<string, string> = json) =>
  app.server.inject({
    method: method as 'POST',
    url: path,
    payload,
    headers: { authorization: 'Bearer phx_test_root_key_0123456789', ...headers },
  })

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe.each(WRITES)('%s %s', (method, path, good) => {
  let id: number
  const target = () => `${API}/${path.replace('{id}', String(id))}`
  beforeAll(async () => {
    id = (await makePerson(app)).id
  })

  it.each<[what: string, body: string | Buffer, status: number, expected: Record<string, unknown>]>([
    ['an array', '[]', 400, { type: 'validation_error', detail: 'Invalid data. Expected a dictionary, but got list.' }],
    ['a string', '"x"', 400, { type: 'validation_error', detail: 'Invalid data. Expected a dictionary, but got str.' }],
    ['null', 'null', 400, { type: 'validation_error' }],
    ['no JSON', '{"a":', 400, { type: 'invalid_request', code: 'parse_error' }],
    ['JSON nested 10,000 deep', deep(10_000), 400, { type: 'invalid_request', code: 'parse_error' }],
    ['JSON nested 101 deep', deep(101), 400, { code: 'parse_error' }],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, { code: 'parse_error' }],
    ['30 MB', `{"a":"${'x'.repeat(30_000_000)}"}`, 413, { code: 'request_too_large' }],
    ['a NUL', '{"properties":{"a":"\\u0000"}}', 400, { type: 'validation_error' }],
    ['a lone surrogate', '{"properties":{"\\ud800":1}}', 400, { type: 'validation_error' }],
    ['an integer past 2^53', '{"properties":{"a":9007199254740993}}', 400, { type: 'validation_error' }],
    ['a number past all doubles', '{"properties":{"a":1e400}}', 400, { type: 'validation_error' }],
  ])('refuses %s and changes nothing', async (_what, body, status, expected) => {
    const before = (await app.call('GET', url(id))).body
    const response = await raw(method, target(), body)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ attr: null, ...expected })
    expect((await app.call('GET', url(id))).body).toBe(before)
  })

  it('refuses what is not JSON by its content type', async () => {
    const response = await raw(method, target(), 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(response.statusCode).toBe(415)
    expect(response.json().code).toBe('unsupported_media_type')
  })

  it('takes no body, an empty one and {} for the same', async () => {
    const answers = [await raw(method, target(), ''), await raw(method, target(), '{}')]
    const bare = await app.call(method, target())
    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([bare.statusCode, bare.body])
    }
  })

  it('is not misled by __proto__', async () => {
    const inherited = await raw(method, target(), `{"__proto__":${JSON.stringify(good)}}`)
    const nothing = await raw(method, target(), '{}')
    expect([inherited.statusCode, inherited.body]).toEqual([nothing.statusCode, nothing.body])
    expect(({} as Record<string, unknown>).properties).toBeUndefined()
  })

  it('takes a good body with fields it does not know', async () => {
    const response = await app.call(method, target(), { body: { ...(good as object), unknown: [{}] } })
    expect(response.statusCode).toBeLessThan(300)
  })
})

/** Values that a careless schema, validator or serialiser changes. */
const ODD = {
  nil: null,
  half: 1.5,
  small: 5e-324,
  large: 1.7976931348623157e308,
  edge: 9007199254740991,
  none: [],
  empty: {},
  text: '',
  no: false,
  nested: { unknown: { deeper: [null, 1.5, [], {}, { x: null }] } },
  'line\nbreak': 1,
  'dots.and$signs': 2,
  '': 'empty key',
  constructor: 'own',
  toString: null,
  umlaut: 'ÄÖÜ 🦔  ',
  date: '2026-03-04T12:00:00Z',
}
/** The same with a key that an assignment would lose. */
const ODD_TEXT = `{"__proto__":{"x":[]},${JSON.stringify(ODD).slice(1)}`

describe('free-form values come back equal', () => {
  const same = (properties: unknown) => expect(JSON.stringify(properties)).toBe(ODD_TEXT)
  /** As the wire writes them: equal in text, so that nothing hides. */
  const inBody = (text: string) => expect(text).toContain(ODD_TEXT)

  it('from every route that answers properties', async () => {
    const { id, uuid } = await makePerson(app, { distinctIds: ['odd', 'odd-2'] })
    await makeEvents(app, [{ distinctId: 'odd' }])
    const patched = await raw('PATCH', url(id), `{"properties":${ODD_TEXT}}`)
    expect(patched.statusCode).toBe(200)
    same(patched.json().properties)
    const texts = [
      await app.call('GET', url(id)),
      await app.call('GET', `${API}/persons/?distinct_id=odd`),
      await app.call('POST', url(id, 'update_property/'), { body: { key: 'nil', value: null } }),
      await app.call('POST', url(id, 'delete_property/'), { body: { $unset: 'absent' } }),
      await app.call('POST', `${API}/persons/batch_by_uuids/`, { body: { uuids: [uuid] } }),
      await app.call('POST', `${API}/persons/batch_by_distinct_ids/`, { body: { distinct_ids: ['odd'] } }),
      await app.call('GET', `${API}/persons/properties_at_time/?person_id=${id}&timestamp=2026-03-04T12:00:00Z`),
      await app.call('GET', url(id, 'properties_timeline/')),
      await app.call('POST', url(id, 'split/')),
    ]
    for (const response of texts) {
      expect(response.statusCode).toBe(200)
      inBody(response.body)
    }
  })

  it('from the activity log, before and after', async () => {
    const { id } = await makePerson(app)
    await raw('PATCH', url(id), `{"properties":{"odd":${ODD_TEXT}}}`)
    await app.call('POST', url(id, 'delete_property/'), { body: { $unset: 'odd' } })
    const response = await app.call('GET', url(id, 'activity/'))
    const [deleted, created] = response.json().results
    same(deleted.detail.changes[0].before)
    same(created.detail.changes[0].after)
  })

  it('as the value of one property, through body and query alike', async () => {
    for (const value of [null, 1.5, [], {}, '', false, 0, ODD]) {
      const { id } = await makePerson(app)
      const body = await app.call('POST', url(id, 'update_property/'), { body: { key: 'x', value } })
      expect(body.json().person.properties).toEqual({ x: value })
      const query = await app.call('POST', url(id, 'update_property/'), {
        query: { key: 'y', value: JSON.stringify(value) },
      })
      expect(query.json().person.properties).toEqual({ x: value, y: value })
    }
  })

  it('with 10,000 keys', async () => {
    const { id } = await makePerson(app)
    const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i / 2]))
    const response = await app.call('PATCH', url(id), { body: { properties } })
    expect(response.statusCode).toBe(200)
    expect((await app.call('GET', url(id))).json().properties).toEqual(properties)
    const log = await app.call('GET', url(id, 'activity/'))
    expect(log.json().results[0].detail.changes).toHaveLength(10_000)
  })
})

describe('odd parameters in the query', () => {
  it.each(['%00', 'a%00b'])('refuses NUL (%s) with its name', async (text) => {
    const { id } = await makePerson(app)
    for (const [path, attr] of [
      [`${API}/persons/?search=${text}`, 'search'],
      [`${API}/persons/?distinct_id=${text}`, 'distinct_id'],
      [`${API}/persons/values/?key=${text}`, 'key'],
    ] as const) {
      const response = await app.call('GET', path)
      expect([response.statusCode, response.json().attr]).toEqual([400, attr])
    }
    const response = await app.call('POST', url(id, `update_property/?key=a&value=${text}`))
    expect([response.statusCode, response.json().attr]).toEqual([400, 'value'])
  })

  it('never answers 500 to what it cannot read', async () => {
    const { id } = await makePerson(app)
    for (const text of ['%zz', '%', '%ff%fe', '[]', '{}', '"', "'", '\\', '%F0%9F%A6%94', '+', '&&&', '=']) {
      for (const path of [
        `${API}/persons/?search=${text}`,
        `${API}/persons/?properties=${text}`,
        `${API}/persons/?limit=${text}`,
        `${API}/persons/values/?key=${text}&value=${text}`,
        url(id, `properties_timeline/?date_from=${text}&breakdown=${text}&breakdown_type=person`),
        url(id, `activity/?page=${text}`),
        `${API}/persons/deletion_status/?person_uuid=${text}`,
      ]) {
        const response = await app.call('GET', path)
        expect([200, 400]).toContain(response.statusCode)
      }
    }
  })

  it('counts the last of a repeated parameter', async () => {
    const response = await app.call('GET', `${API}/persons/?limit=abc&limit=1`)
    expect(response.statusCode).toBe(200)
  })
})

describe('odd ids in the path', () => {
  it.each(['%00', '%zz', '..', '%2e%2e', 'a'.repeat(600), '%F0%9F%A6%94', '1%2F2'])('%s is no person', async (id) => {
    const response = await app.call('GET', `${API}/persons/${id}/activity/`)
    expect([400, 404]).toContain(response.statusCode)
    expect(Object.keys(response.json())).toEqual(['type', 'code', 'detail', 'attr'])
  })
})
