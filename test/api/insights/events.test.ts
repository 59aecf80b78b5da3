/** Reading events: captured events are listed page by page, found by id, and counted by value. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject } from '../../support/make.ts'

interface Listed {
  id: string
  uuid: string
  event: string
  distinct_id: string
  timestamp: string
  properties: Record<string, unknown>
  person: { id: number; name: string; properties: object } | null
  session_id: string | null
}

interface Page {
  next: string | null
  previous: string | null
  results: Listed[]
}

const NOON = Date.UTC(2026, 2, 4, 12)

let app: TestApp
let first: number
beforeAll(async () => {
  app = await makeApp()
  first = 1
})
afterAll(() => app.end())

const capture = async (batch: object[], token = PROJECT_TOKEN) => {
  const response = await app.server.inject({ method: 'POST', url: '/batch/', payload: { api_key: token, batch } })
  expect([response.statusCode, response.body]).toEqual([200, '{"status":"Ok"}'])
}
const ask = (query: Record<string, string> = {}, project = first) =>
  app.call('GET', `/api/environments/${project}/events/`, { query })
const pageOf = async (query: Record<string, string> = {}, project = first): Promise<Page> => {
  const response = await ask(query, project)
  expect(response.statusCode).toBe(200)
  return response.json()
}
const namesOf = async (query: Record<string, string> = {}, project = first) =>
  (await pageOf(query, project)).results.map(({ event }) => event)
const follow = async (link: string | null): Promise<Page> => {
  expect(link).toMatch(/^http:\/\/localhost(:80)?\/api\/environments\/\d+\/events\/\?/)
  return (await app.call('GET', String(link).replace(/^http:\/\/[^/]+/, ''))).json()
}
const refusal = (attr: string | null, detail: unknown = expect.any(String), code = 'invalid_input') => ({
  type: 'validation_error',
  code,
  detail,
  attr,
})

describe('GET events/', () => {
  for (const scope of ['query:read', 'person:read']) {
    it(`answers a key with ${scope} only`, async () => {
      const key = await makeKey(app, { scopes: [scope] })
      expect((await app.call('GET', '/api/projects/1/events', { key })).statusCode).toBe(200)
    })
  }
  itIsGuarded(() => app, { method: 'GET', path: () => '/events/', scope: 'query:read', status: 200 })

  it('is empty in a new project', async () => {
    const { id } = await makeProject(app)
    expect(await pageOf({}, id)).toEqual({ next: null, previous: null, results: [] })
  })

  it('shows what was just captured, with every field as it was sent', async () => {
    const { id, apiToken } = await makeProject(app)
    const properties = {
      nothing: null,
      ratio: 1.5,
      empty: [],
      none: {},
      nested: { unknown: [{ deeper: null }], 'a.b': false },
      text: 'Ü\u2028"\\',
      '': 0,
    }
    const sent = JSON.parse(JSON.stringify(properties).replace('{', '{"__proto__":{"polluted":true},'))
    const session = uuidV7(NOON)
    const uuid = uuidV7(NOON)
    await capture(
      [
        {
          event: 'bought',
          uuid,
          distinct_id: 'jane',
          timestamp: '2026-03-04T11:00:00.123Z',
          properties: { ...sent, $session_id: session, $set: { email: 'jane@example.com', plan: 'pro' } },
        },
      ],
      apiToken,
    )
    const response = await ask({}, id)
    const [event] = response.json().results
    expect(event).toEqual({
      id: uuid,
      uuid,
      event: 'bought',
      distinct_id: 'jane',
      timestamp: '2026-03-04T11:00:00.123000Z',
      properties: expect.anything(),
      person: {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'jane@example.com',
        distinct_ids: ['jane'],
        properties: { email: 'jane@example.com' },
        created_at: expect.stringMatching(/Z$/),
      },
      session_id: session,
    })
    expect(Object.keys(event)).toEqual([
      'id',
      'uuid',
      'event',
      'distinct_id',
      'timestamp',
      'properties',
      'person',
      'session_id',
    ])
    const { $session_id, $set, ...rest } = event.properties
    expect([$session_id, $set]).toEqual([session, { email: 'jane@example.com', plan: 'pro' }])
    expect(JSON.stringify(rest)).toBe(JSON.stringify(sent))
    const person = (await app.call('GET', `/api/environments/${id}/persons/${event.person.id}/`)).json()
    expect(person.uuid).toBe(event.person.uuid)
    expect(person.created_at).toBe(event.person.created_at)
  })

  it('has no person for an event without a profile, until a person owns the distinct id', async () => {
    const { id, apiToken } = await makeProject(app)
    await capture([{ event: 'seen', distinct_id: 'anon', properties: { $process_person_profile: false } }], apiToken)
    expect((await pageOf({}, id)).results[0]).toMatchObject({ person: null, session_id: null })
    await capture(
      [
        {
          event: '$identify',
          distinct_id: 'known',
          properties: { $anon_distinct_id: 'anon', $set: { name: 'Known' } },
        },
      ],
      apiToken,
    )
    const { results } = await pageOf({ event: 'seen' }, id)
    expect(results[0]?.person).toMatchObject({ name: 'Known', distinct_ids: ['anon'] })
  })

  it('names the person as the project wants it, with three of its properties', async () => {
    const { id } = await makeProject(app)
    await app.call('PATCH', `/api/projects/${id}/`, { body: { person_display_name_properties: ['nick'] } })
    const properties = { nick: 'Jay', email: 'j@x.y', name: 'J', username: 'j', plan: 'pro' }
    await makePerson(app, { projectId: id, distinctIds: ['j1', 'j2'], properties })
    await makeEvents(app, [{ projectId: id, distinctId: 'j2' }])
    expect((await pageOf({}, id)).results[0]?.person).toMatchObject({
      name: 'Jay',
      distinct_ids: ['j2'],
      properties: { email: 'j@x.y', name: 'J', username: 'j' },
    })
  })

  it('keeps projects apart', async () => {
    const { id } = await makeProject(app)
    const other = await makeProject(app)
    await makeEvents(app, [{ projectId: other.id, event: 'foreign', distinctId: 'shared' }])
    await makeEvents(app, [{ projectId: id, event: 'own', distinctId: 'shared' }])
    expect(await namesOf({}, id)).toEqual(['own'])
    expect(await namesOf({ distinct_id: 'shared' }, id)).toEqual(['own'])
    const person = await makePerson(app, { projectId: other.id, distinctIds: ['shared'] })
    expect(await namesOf({ person_id: String(person.id) }, id)).toEqual([])
  })

  describe('pages', () => {
    let project: number
    beforeAll(async () => {
      project = (await makeProject(app)).id
      const events = Array.from({ length: 25 }, (_, i) => ({
        projectId: project,
        event: `e${i}`,
        timestamp: NOON + Math.floor(i / 4),
      }))
      await makeEvents(app, events.slice(0, 13))
      await makeEvents(app, events.slice(13))
    })
    const all = () => Array.from({ length: 25 }, (_, i) => `e${24 - i}`)

    it.each(['1', '7', '25', '1000'])('of %s go through everything once, forwards and backwards', async (limit) => {
      const there: string[] = []
      let page = await pageOf({ limit, tomato: '1' }, project)
      expect(page.previous).toBeNull()
      const firstPage = page.results
      while (there.length < 100) {
        there.push(...page.results.map(({ event }) => event))
        if (page.next === null) break
        expect(new URL(page.next).searchParams.get('tomato')).toBe('1')
        page = await follow(page.next)
      }
      expect(there).toEqual(all())
      const back = page.results.map(({ event }) => event).reverse()
      while (page.previous !== null && back.length < 100) {
        page = await follow(page.previous)
        expect(page.next).not.toBeNull()
        back.push(...page.results.map(({ event }) => event).reverse())
      }
      expect(back.reverse()).toEqual(all())
      expect(page.results[0]).toEqual(firstPage[0])
    })

    it('have 100 by default, and 1000 at most', async () => {
      const { id } = await makeProject(app)
      await makeEvents(
        app,
        Array.from({ length: 1_001 }, () => ({ projectId: id })),
      )
      expect((await pageOf({}, id)).results).toHaveLength(100)
      const most = await pageOf({ limit: '5000' }, id)
      expect(most.results).toHaveLength(1_000)
      expect((await follow(most.next)).results).toHaveLength(1)
    })

    it('are not disturbed by events that arrive meanwhile', async () => {
      const { id } = await makeProject(app)
      const make = (event: string, timestamp: number) => makeEvents(app, [{ projectId: id, event, timestamp }])
      for (const [event, at] of [
        ['a', 1],
        ['b', 2],
        ['c', 3],
        ['d', 4],
      ] as const)
        await make(event, at)
      const one = await pageOf({ limit: '2' }, id)
      await make('newest', 9)
      await make('between', 3.5)
      const two = await follow(one.next)
      expect([...one.results, ...two.results].map(({ event }) => event)).toEqual(['d', 'c', 'b', 'a'])
      expect(two.next).toBeNull()
      const back = await follow(two.previous)
      expect(back.results.map(({ event }) => event)).toEqual(['between', 'c'])
      expect((await follow(back.previous)).results.map(({ event }) => event)).toEqual(['newest', 'd'])
    })

    it.each([
      [{ limit: '0' }, refusal('limit', 'Ensure this value is greater than or equal to 1.', 'min_value')],
      [{ limit: '-1' }, refusal('limit', 'Ensure this value is greater than or equal to 1.', 'min_value')],
      [{ limit: 'x' }, refusal('limit', 'A valid integer is required.')],
      [{ cursor: 'garbage' }, refusal('cursor', 'Invalid cursor.')],
      [{ cursor: Buffer.from('["o",1,2]').toString('base64url') }, refusal('cursor', 'Invalid cursor.')],
      [{ cursor: Buffer.from('["o",1,2,"3"]').toString('base64url') }, refusal('cursor', 'Invalid cursor.')],
    ])('refuse %j', async (query, error) => {
      const response = await ask(query as unknown as Record<string, string>, project)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual(error)
    })
  })

  describe('filters', () => {
    let project: number
    let person: { id: number; uuid: string }
    const session = uuidV7(NOON)
    beforeAll(async () => {
      project = (await makeProject(app)).id
      const jane = { distinctIds: ['jane', 'jane-2'], properties: { plan: 'pro', age: 30 } }
      person = await makePerson(app, { projectId: project, ...jane })
      await makePerson(app, { projectId: project, distinctIds: ['bob'], properties: { plan: 'free' } })
      const at = (minutes: number) => NOON + minutes * 60_000
      const base = { projectId: project }
      await makeEvents(app, [
        { ...base, event: 'a', distinctId: 'jane', timestamp: at(1), sessionId: session, properties: { price: 5 } },
        { ...base, event: 'b', distinctId: 'jane-2', timestamp: at(2), properties: { price: '7', city: 'Zürich' } },
        { ...base, event: 'c', distinctId: 'bob', timestamp: at(3), properties: { price: 50, on: true, 'x.y': 1 } },
        { ...base, event: 'd', distinctId: 'nobody', timestamp: at(4), sessionId: session, properties: { city: null } },
      ])
    })
    const conditions = (...filters: unknown[]) => ({ properties: JSON.stringify(filters) })

    it.each<[string, () => Record<string, string>, string[]]>([
      ['event', () => ({ event: 'b' }), ['b']],
      ['an event that does not exist', () => ({ event: "b' OR 1=1 --" }), []],
      ['distinct_id', () => ({ distinct_id: 'jane' }), ['a']],
      ['an unknown distinct_id', () => ({ distinct_id: 'JANE' }), []],
      ['person_id as an integer', () => ({ person_id: String(person.id) }), ['b', 'a']],
      ['person_id as a UUID', () => ({ person_id: person.uuid.toUpperCase() }), ['b', 'a']],
      ['an unknown person_id', () => ({ person_id: '999999' }), []],
      ['a huge person_id', () => ({ person_id: '99999999999999999999999' }), []],
      ['an unknown UUID', () => ({ person_id: randomUUID() }), []],
      ['person_id and distinct_id', () => ({ person_id: person.uuid, distinct_id: 'jane-2' }), ['b']],
      ['person_id and an id of somebody else', () => ({ person_id: person.uuid, distinct_id: 'bob' }), []],
      ['session_id', () => ({ session_id: session }), ['d', 'a']],
      ['session_id in capitals', () => ({ session_id: session.toUpperCase() }), ['d', 'a']],
      ['what is no session_id', () => ({ session_id: 'x' }), []],
      ['before', () => ({ before: '2026-03-04T12:02:00Z' }), ['a']],
      ['after', () => ({ after: '2026-03-04T13:02:00+01:00' }), ['d', 'c']],
      ['after and before', () => ({ after: '2026-03-04T12:01', before: '2026-03-04T12:04' }), ['c', 'b']],
      ['a date', () => ({ before: '2026-03-05', after: '2026-03-04' }), ['d', 'c', 'b', 'a']],
      ['a relative time', () => ({ after: '-1h' }), ['d', 'c', 'b', 'a']],
      ['another relative time', () => ({ before: '-1h' }), []],
      ['nothing', () => ({ event: '', person_id: '', before: '', properties: '', cursor: '' }), ['d', 'c', 'b', 'a']],
      ['an empty list', () => conditions(), ['d', 'c', 'b', 'a']],
      ['a property without a type', () => conditions({ key: 'price', value: 7 }), ['b']],
      ['an event property', () => conditions({ key: 'price', value: 6, operator: 'gt', type: 'event' }), ['c', 'b']],
      ['icontains', () => conditions({ key: 'city', value: 'ZÜR', operator: 'icontains' }), ['b']],
      ['regex', () => conditions({ key: 'city', value: '^Z.r', operator: 'regex' }), ['b']],
      ['is_set', () => conditions({ key: 'city', operator: 'is_set' }), ['d', 'b']],
      ['is_not_set', () => conditions({ key: 'city', operator: 'is_not_set' }), ['c', 'a']],
      ['a key with a dot', () => conditions({ key: 'x.y', value: 1 }), ['c']],
      ['a person property', () => conditions({ key: 'plan', value: 'pro', type: 'person' }), ['b', 'a']],
      ['its opposite', () => conditions({ key: 'plan', value: 'pro', operator: 'is_not', type: 'person' }), ['d', 'c']],
      [
        'both',
        () => conditions({ key: 'plan', value: 'pro', type: 'person' }, { key: 'price', value: 6, operator: 'lt' }),
        ['a'],
      ],
      [
        'a group',
        () => ({
          properties: JSON.stringify({
            type: 'OR',
            values: [
              { key: 'on', value: 'true' },
              { key: 'age', value: 30, type: 'person' },
            ],
          }),
        }),
        ['c', 'b', 'a'],
      ],
    ])('by %s', async (_name, query, expected) => {
      expect(await namesOf(query(), project)).toEqual(expected)
    })

    it('lead through pages that keep them', async () => {
      const page = await pageOf({ session_id: session, limit: '1' }, project)
      expect(page.results.map(({ event }) => event)).toEqual(['d'])
      const next = await follow(page.next)
      expect([next.results.map(({ event }) => event), next.next]).toEqual([['a'], null])
    })

    it('see a change of the person at once', async () => {
      const made = await makePerson(app, { projectId: project, distinctIds: ['sue'], properties: { plan: 'x' } })
      await makeEvents(app, [{ projectId: project, event: 'sue', distinctId: 'sue' }])
      const query = conditions({ key: 'plan', value: 'y', type: 'person' })
      expect(await namesOf(query, project)).toEqual([])
      const body = { properties: { plan: 'y' } }
      await app.call('PATCH', `/api/environments/${project}/persons/${made.id}/`, { body })
      expect(await namesOf(query, project)).toEqual(['sue'])
    })

    it.each<[Record<string, string>, object]>([
      [{ before: 'yesterday' }, refusal('before', expect.stringContaining('Datetime has wrong format'))],
      [{ after: '2026-02-30' }, refusal('after', expect.stringContaining('Datetime has wrong format'))],
      [{ person_id: 'jane' }, refusal('person_id', 'Must be the integer id or the UUID of a person.')],
      [{ properties: '[' }, refusal('properties', 'Properties are unparsable!')],
      [{ properties: '"x"' }, refusal('properties', 'Properties must be a list of filters or a group of them.')],
      [conditions({ key: 'a', value: 'b', type: 'cohort' }), refusal('properties', expect.stringContaining('cohorts'))],
      [
        conditions({ key: 'a', value: 'b', type: 'session' }),
        refusal(
          'properties',
          "properties[0]: filters of type 'session' are not supported here; only 'event' and 'person' are.",
        ),
      ],
      [
        conditions({ key: 'a', value: 'b', operator: 'like' }),
        refusal('properties', expect.stringContaining("'like'")),
      ],
      [
        conditions({ key: 'a', value: '(', operator: 'regex' }),
        refusal('properties', expect.stringContaining('pattern')),
      ],
      [
        conditions({ key: 'a', value: '(?=x)', operator: 'not_regex', type: 'person' }),
        refusal('properties', expect.stringContaining('pattern')),
      ],
      [{ event: 'a\0b' }, refusal('event', 'Text must not contain NUL or lone surrogates.')],
    ])('refuse %j', async (query, error) => {
      const response = await ask(query, project)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual(error)
    })
  })

  describe('as CSV', () => {
    const csv = async (query: Record<string, string>, project: number) => {
      const response = await ask({ format: 'csv', ...query }, project)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.headers['content-disposition']).toBe('attachment; filename="events.csv"')
      return response.body.trimEnd().split('\r\n')
    }

    it('has a header without any row', async () => {
      const { id } = await makeProject(app)
      expect(await csv({}, id)).toEqual(['distinct_id,event,id,session_id,timestamp,uuid'])
    })

    it('sends everything, flat, and guards what a spreadsheet would run', async () => {
      const { id } = await makeProject(app)
      const uuid = randomUUID()
      const made = { projectId: id, uuid, event: '=1+1', distinctId: 'd', timestamp: 0 }
      await makeEvents(app, [{ ...made, properties: { n: -1, list: ['@x'], deep: { a: null } } }])
      expect(await csv({}, id)).toEqual([
        'distinct_id,event,id,person,properties.deep.a,properties.list.0,properties.n,session_id,timestamp,uuid',
        `d,'=1+1,${uuid},,,'@x,-1,,1970-01-01T00:00:00Z,${uuid}`,
      ])
    })

    it('goes on beyond a page, keeps to filters, and follows limit and cursor when given', async () => {
      const { id } = await makeProject(app)
      const events = Array.from({ length: 2_500 }, (_, i) => ({
        projectId: id,
        event: i % 2 === 0 ? 'even' : 'odd',
        timestamp: i % 7,
        properties: { i },
      }))
      await makeEvents(app, events)
      const column = (lines: string[]) => lines.slice(1).map((line) => Number(line.split(',')[4]))
      const all = column(await csv({}, id))
      expect(all).toHaveLength(2_500)
      expect(new Set(all).size).toBe(2_500)
      expect(column(await csv({ event: 'odd' }, id)).every((i) => i % 2 === 1)).toBe(true)
      expect(column(await csv({ limit: '3' }, id))).toEqual(all.slice(0, 3))
      const { next } = await pageOf({ limit: '3' }, id)
      const cursor = new URL(String(next)).searchParams.get('cursor') ?? ''
      expect(column(await csv({ limit: '2', cursor }, id))).toEqual(all.slice(3, 5))
    })

    it('answers what is wrong with a filter as JSON', async () => {
      for (const query of [{ before: 'x' }, { properties: '[{"key":"a","operator":"regex","value":"("}]' }]) {
        const response = await ask({ format: 'csv', ...query } as unknown as Record<string, string>)
        expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
        expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(response.headers).not.toHaveProperty('content-disposition')
      }
      expect((await ask({ format: 'xml' })).statusCode).toBe(400)
    })
  })
})

describe('GET events/{id}/', () => {
  const uuid = randomUUID()
  beforeAll(() => makeEvents(app, [{ uuid, event: 'one', distinctId: 'somebody', properties: { a: [null] } }]))
  itIsGuarded(() => app, { method: 'GET', path: () => `/events/${uuid}/`, scope: 'query:read', status: 200 })

  it('shows one event as the list does, however its uuid is spelt', async () => {
    const [listed] = (await pageOf({ distinct_id: 'somebody' })).results
    for (const id of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')]) {
      const response = await app.call('GET', `/api/environments/1/events/${id}/`)
      expect(response.statusCode).toBe(200)
      expect(response.json()).toEqual(listed)
    }
    expect(listed).toMatchObject({ id: uuid, event: 'one', properties: { a: [null] }, person: null })
  })

  it('shows an event whose properties are very long completely', async () => {
    const long = 'é"\\👩'.repeat(50_000)
    const id = uuidV7(NOON)
    await capture([{ event: 'long', uuid: id, distinct_id: 'x', properties: { long } }])
    const { properties } = (await app.call('GET', `/api/environments/1/events/${id}/`)).json()
    expect(properties.long === long).toBe(true)
  })

  it.each([randomUUID(), '1', 'not-a-uuid', '%20', `${uuid}0`])('does not know %s', async (id) => {
    const response = await app.call('GET', `/api/environments/1/events/${id}/`)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null })
  })

  it('does not know an event of another project', async () => {
    const { id } = await makeProject(app)
    expect((await app.call('GET', `/api/environments/${id}/events/${uuid}/`)).statusCode).toBe(404)
  })
})

describe('GET events/values/', () => {
  const values = (query: Record<string, string>, project = first) =>
    app.call('GET', `/api/environments/${project}/events/values/`, { query })
  itIsGuarded(() => app, {
    method: 'GET',
    path: () => '/events/values/',
    scope: 'query:read',
    status: 200,
    options: { query: { key: 'a' } },
  })

  it('counts the values of a property, most frequent first', async () => {
    const { id, apiToken } = await makeProject(app)
    const send = (event: string, ...prices: unknown[]) =>
      capture(
        prices.map((price) => ({ event, distinct_id: 'x', properties: { price } })),
        apiToken,
      )
    await send('a', 'Low', 'low', 1.5, true, null, [])
    await send('b', 'Low', '')
    expect((await values({ key: 'price' }, id)).json()).toEqual({
      results: [
        { name: 'Low', count: 2 },
        { name: '1.5', count: 1 },
        { name: '[]', count: 1 },
        { name: 'low', count: 1 },
        { name: 'true', count: 1 },
      ],
      refreshing: false,
    })
    expect((await values({ key: 'price', value: 'LO', event: 'b' }, id)).json().results).toEqual([
      { name: 'Low', count: 1 },
    ])
    expect((await values({ key: 'nothing' }, id)).json()).toEqual({ results: [], refreshing: false })
  })

  it('returns at most 20', async () => {
    const { id } = await makeProject(app)
    await makeEvents(
      app,
      Array.from({ length: 30 }, (_, i) => ({ projectId: id, properties: { p: `v${i}` } })),
    )
    expect((await values({ key: 'p' }, id)).json().results).toHaveLength(20)
  })

  it('needs a key', async () => {
    const missing = await values({})
    expect([missing.statusCode, missing.json()]).toEqual([400, refusal('key', 'This field is required.', 'required')])
    const empty = await values({ key: '' })
    expect([empty.statusCode, empty.json()]).toEqual([400, refusal('key', 'This field may not be blank.', 'blank')])
  })
})
