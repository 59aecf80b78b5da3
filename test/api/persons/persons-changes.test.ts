/** Changes of one person by POST: setting and deleting a property, splitting it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { personUuid, splitUuid } from '../../../src/rules/persons/identity.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const url = (id: number | string, rest = '') => `/api/environments/1/persons/${id}/${rest}`
const inProject = (projectId: number) => makePerson(app, { projectId })
const read = async (id: number | string) => (await app.call('GET', url(id))).json()
const entries = async (id: number) => (await app.call('GET', url(id, 'activity/'))).json().results

/** Every field of a person, as a matcher. */
const personLike = (person: Person, properties: unknown = person.properties) => ({
  id: person.id,
  name: expect.any(String),
  distinct_ids: person.distinctIds,
  properties,
  created_at: '2026-03-04T12:00:00Z',
  uuid: person.uuid,
})

describe('POST persons/{id}/update_property/', () => {
  const path = async () => `/persons/${(await makePerson(app)).id}/update_property/`
  const options = { body: { key: 'plan', value: 'paid' } }
  itIsGuarded(() => app, { method: 'POST', path, scope: 'person:write', status: 200, options })
  itKnowsItsPersons(() => app, inProject, { method: 'POST', path: (id) => `/persons/${id}/update_property/`, options })

  it.each<[what: string, query: Record<string, string>, body: unknown, key: string, value: unknown]>([
    ['the body', {}, { key: 'a', value: { x: [null, 1.5, []] } }, 'a', { x: [null, 1.5, []] }],
    ['the query, as the seed’s clients do', { key: 'a', value: 'text' }, { properties: { z: 1 } }, 'a', 'text'],
    ['the query, as JSON when it parses', { key: 'a', value: '[1,{"b":null}]' }, undefined, 'a', [1, { b: null }]],
    ['the query, a long integer as text', { key: 'a', value: '12345678901234567890' }, {}, 'a', '12345678901234567890'],
    ['both, one by one', { key: 'a', value: '1' }, { value: 2 }, 'a', 2],
    ['the body, null included', {}, { key: 'a', value: null }, 'a', null],
    ['the body, false, 0 and "" included', {}, { key: 'a', value: false }, 'a', false],
    ['a key with odd characters', { key: 'a.b[0] $x "ü"', value: '0' }, undefined, 'a.b[0] $x "ü"', 0],
    ['a key that objects have by themselves', {}, { key: '__proto__', value: { y: 1 } }, '__proto__', { y: 1 }],
  ])('takes its parameters from %s', async (_what, query, body, key, value) => {
    const person = await makePerson(app, { properties: { keep: true } })
    const response = await app.call('POST', url(person.id, 'update_property/'), { query, body })
    expect(response.statusCode).toBe(200)
    const expected = Object.fromEntries([['keep', true] as const, [key, value] as const])
    expect(response.json()).toEqual({ success: true, person: personLike(person, expected) })
    expect(Object.entries((await read(person.id)).properties)).toEqual([
      ['keep', true],
      [key, value],
    ])
  })

  it('logs the change with its values, and nothing when nothing changes', async () => {
    const person = await makePerson(app, { properties: { plan: 'free' } })
    await app.call('POST', url(person.id, 'update_property/'), options)
    await app.call('POST', url(person.id, 'update_property/'), options)
    expect(await entries(person.id)).toEqual([
      expect.objectContaining({
        activity: 'updated',
        detail: expect.objectContaining({
          name: null,
          changes: [
            { type: 'Person', action: 'changed', field: 'properties', key: 'plan', before: 'free', after: 'paid' },
          ],
        }),
      }),
    ])
  })

  it.each<[unknown, Record<string, string>, { attr: string; code: string; detail: string }[]]>([
    [{ key: 'a' }, {}, [{ attr: 'value', code: 'required', detail: 'This field is required.' }]],
    [{ value: null }, {}, [{ attr: 'key', code: 'required', detail: 'This field is required.' }]],
    [{ key: null, value: 1 }, {}, [{ attr: 'key', code: 'null', detail: 'This field may not be null.' }]],
    [{ key: ['a'], value: 1 }, {}, [{ attr: 'key', code: 'invalid_input', detail: 'Not a valid string.' }]],
    [{ value: 1 }, { key: '' }, [{ attr: 'key', code: 'blank', detail: 'This field may not be blank.' }]],
    [
      { properties: { a: 1 } },
      {},
      [
        { attr: 'value', code: 'required', detail: 'This field is required.' },
        { attr: 'key', code: 'required', detail: 'This field is required.' },
      ],
    ],
  ])('refuses body %j and query %j', async (body, query, problems) => {
    const { id } = await makePerson(app)
    const response = await app.call('POST', url(id, 'update_property/'), { body, query })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      type: 'validation_error',
      ...problems[0],
      ...(problems.length > 1 ? { errors: problems } : {}),
    })
  })

  it('is the person in CSV', async () => {
    const person = await makePerson(app, { distinctIds: ['csv-update'] })
    const response = await app.call('POST', url(person.id, 'update_property/?format=csv'), options)
    expect(response.headers['content-disposition']).toBe('attachment; filename="person.csv"')
    expect(response.body).toBe(
      `created_at,distinct_ids.0,id,name,properties.plan,uuid\r\n2026-03-04T12:00:00Z,csv-update,${person.id},csv-update,paid,${person.uuid}\r\n`,
    )
  })
})

describe('POST persons/{id}/delete_property/', () => {
  const path = async () => `/persons/${(await makePerson(app)).id}/delete_property/`
  const options = { body: { $unset: 'plan' } }
  itIsGuarded(() => app, { method: 'POST', path, scope: 'person:write', status: 200, options })
  itKnowsItsPersons(() => app, inProject, { method: 'POST', path: (id) => `/persons/${id}/delete_property/`, options })

  it.each<[what: string, query: Record<string, string>, body: unknown, left: unknown]>([
    ['the query, as the seed’s clients do', { $unset: 'a' }, { properties: {} }, { b: null, c: [] }],
    ['the query without a body', { $unset: 'a' }, undefined, { b: null, c: [] }],
    ['the body', { $unset: 'a' }, { $unset: 'b' }, { a: 1, c: [] }],
    ['the body, a list', {}, { $unset: ['a', 'b', 'a', 'zz'] }, { c: [] }],
    ['the query, a list', { $unset: '["a","c"]' }, undefined, { b: null }],
    ['a key that is not there', { $unset: 'toString' }, undefined, { a: 1, b: null, c: [] }],
  ])('takes the key from %s', async (_what, query, body, left) => {
    const person = await makePerson(app, { properties: { a: 1, b: null, c: [] } })
    const response = await app.call('POST', url(person.id, 'delete_property/'), { query, body })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ success: true, person: personLike(person, left) })
    expect((await read(person.id)).properties).toEqual(left)
  })

  it('logs what was deleted', async () => {
    const person = await makePerson(app, { properties: { plan: 'free' } })
    await app.call('POST', url(person.id, 'delete_property/'), options)
    await app.call('POST', url(person.id, 'delete_property/'), options)
    expect(await entries(person.id)).toEqual([
      expect.objectContaining({
        activity: 'delete_property',
        detail: expect.objectContaining({
          name: person.uuid,
          changes: [
            { type: 'Person', action: 'deleted', field: 'properties', key: 'plan', before: 'free', after: null },
          ],
        }),
      }),
    ])
  })

  it.each<[unknown, string, string]>([
    [{}, 'required', 'This field is required.'],
    [{ properties: { $unset: 'a' } }, 'required', 'This field is required.'],
    [{ $unset: '' }, 'blank', 'This field may not be blank.'],
    [{ $unset: null }, 'null', 'This field may not be null.'],
    [{ $unset: [['a']] }, 'invalid_input', 'Must be one property key or a list of them.'],
  ])('refuses %j', async (body, code, detail) => {
    const { id } = await makePerson(app)
    const response = await app.call('POST', url(id, 'delete_property/'), { body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code, detail, attr: '$unset' })
  })

  it('is the person in CSV', async () => {
    const person = await makePerson(app, { distinctIds: ['csv-unset'], properties: { plan: 1, rest: 2 } })
    const response = await app.call('POST', url(person.id, 'delete_property/?format=csv'), options)
    expect(response.body).toBe(
      `created_at,distinct_ids.0,id,name,properties.rest,uuid\r\n2026-03-04T12:00:00Z,csv-unset,${person.id},csv-unset,2,${person.uuid}\r\n`,
    )
  })
})

describe('POST persons/{id}/split/', () => {
  const path = async () => `/persons/${(await makePerson(app)).id}/split/`
  itIsGuarded(() => app, { method: 'POST', path, scope: 'person:write', status: 200 })
  itKnowsItsPersons(() => app, inProject, { method: 'POST', path: (id) => `/persons/${id}/split/` })

  let round = 0
  /** A person with the ids a, b and c, each with a prefix of its own. */
  const three = async () => {
    round += 1
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}-${round}`) as [string, string, string]
    const person = await makePerson(app, { distinctIds: [a, b, c], properties: { email: `${round}@example.com` } })
    return { a, b, c, person }
  }
  const owner = async (distinctId: string) => (await app.stores.persons.findByDistinctId(1, distinctId))?.id

  it('without parameters keeps the first stored id and its properties; the others get persons of their own', async () => {
    const { a, b, c, person } = await three()
    app.clock.advance(1_000)
    const response = await app.call('POST', url(person.id, 'split/'), { body: { properties: { ignored: 1 } } })
    expect(response.statusCode).toBe(200)
    const single = (distinctId: string) => ({
      id: expect.any(Number),
      name: distinctId,
      distinct_ids: [distinctId],
      properties: {},
      created_at: '2026-03-04T12:00:01Z',
      uuid: personUuid(1, distinctId),
    })
    expect(response.json()).toEqual({
      success: true,
      person: { ...personLike(person), name: person.properties.email, distinct_ids: [a] },
      split: [single(b), single(c)],
    })
    app.clock.advance(-1_000)
    expect((await read(person.id)).properties).toEqual(person.properties)
    const [idOfB, idOfC] = response.json().split.map((item: { id: number }) => item.id)
    expect([await owner(a), await owner(b), await owner(c)]).toEqual([person.id, idOfB, idOfC])
    expect(new Set([person.id, idOfB, idOfC]).size).toBe(3)
    expect(await app.stores.events.personOf(1, b)).toMatchObject({ personId: idOfB, properties: {} })
    expect(await app.stores.events.personOf(1, a)).toMatchObject({ personId: person.id })
  })

  it.each(['body', 'query'])(
    'keeps the main id given in the %s, and survives that it was not the creator',
    async (place) => {
      const { a, b, c, person } = await three()
      const given = { main_distinct_id: b }
      const response = await app.call(
        'POST',
        url(person.uuid, 'split/'),
        place === 'body' ? { body: given } : { query: given },
      )
      const { person: kept, split } = response.json()
      expect(kept).toMatchObject({ id: person.id, uuid: person.uuid, distinct_ids: [b], properties: person.properties })
      expect(split.map((item: { uuid: string }) => item.uuid)).toEqual([splitUuid(1, a), personUuid(1, c)])
      expect(split.map((item: { distinct_ids: string[] }) => item.distinct_ids)).toEqual([[a], [c]])
    },
  )

  it.each<[string, (a: string, b: string) => { body?: unknown; query?: Record<string, string> }]>([
    ['the body', (a, b) => ({ body: { distinct_ids_to_split: [b, a, b], main_distinct_id: null } })],
    ['the query with commas', (a, b) => ({ query: { distinct_ids_to_split: `${a}, ${b}` } })],
    ['the query as JSON', (a, b) => ({ query: { distinct_ids_to_split: JSON.stringify([b, a]) } })],
  ])('moves only the ids chosen in %s', async (_place, given) => {
    const { a, b, c, person } = await three()
    const response = await app.call('POST', url(person.id, 'split/'), given(a, b))
    expect(response.json().person.distinct_ids).toEqual([c])
    expect(response.json().split.map((item: { distinct_ids: string[] }) => item.distinct_ids)).toEqual([[a], [b]])
    const [entry] = await entries(person.id)
    expect(entry.detail.changes[0].after).toEqual({ distinct_ids: [a, b, c], distinct_ids_to_split: [a, b] })
  })

  it('moves an id to the person that already has the uuid of an id', async () => {
    const { b, person } = await three()
    const { id } = await app.stores.transaction((tx) =>
      tx.persons.create(
        { projectId: 1, uuid: personUuid(1, b), properties: { known: 1 }, isIdentified: true, createdAt: 5 },
        ['known-before'],
      ),
    )
    const response = await app.call('POST', url(person.id, 'split/'), { body: { distinct_ids_to_split: [b] } })
    expect(response.json().split).toEqual([
      expect.objectContaining({ id, uuid: personUuid(1, b), properties: { known: 1 } }),
    ])
    expect(new Set(response.json().split[0].distinct_ids)).toEqual(new Set([b, 'known-before']))
  })

  it('of one id does nothing, and leaves no trace', async () => {
    const person = await makePerson(app)
    const response = await app.call('POST', url(person.id, 'split/'))
    expect(response.json()).toEqual({ success: true, person: personLike(person), split: [] })
    expect(await entries(person.id)).toEqual([])
  })

  it('twice is the same as once', async () => {
    const { a, person } = await three()
    await app.call('POST', url(person.id, 'split/'))
    const again = await app.call('POST', url(person.id, 'split/'))
    expect(again.json()).toMatchObject({ success: true, person: { distinct_ids: [a] }, split: [] })
  })

  it('is logged with the ids before', async () => {
    const { a, b, c, person } = await three()
    await app.call('POST', url(person.id, 'split/'))
    expect(await entries(person.id)).toEqual([
      expect.objectContaining({
        activity: 'split_person',
        item_id: String(person.id),
        detail: expect.objectContaining({
          name: person.uuid,
          changes: [{ type: 'Person', action: 'split', field: null, before: null, after: { distinct_ids: [a, b, c] } }],
        }),
      }),
    ])
  })

  it.each<[what: string, (ids: { a: string; b: string; c: string }) => unknown, attr: string | null, detail: string]>([
    ['a main id of someone else', () => ({ main_distinct_id: 'x' }), 'main_distinct_id', "not on this person: ['x']"],
    ['a main id that is no text', () => ({ main_distinct_id: 5 }), 'main_distinct_id', 'Not a valid string.'],
    ['no list', () => ({ distinct_ids_to_split: 'a' }), 'distinct_ids_to_split', 'must be a list of strings'],
    ['an empty list', () => ({ distinct_ids_to_split: [] }), 'distinct_ids_to_split', 'must not be empty'],
    [
      'ids of someone else',
      ({ a }) => ({ distinct_ids_to_split: ['y', a, 'x'] }),
      'distinct_ids_to_split',
      "not on this person: ['x', 'y']",
    ],
    [
      'all ids',
      ({ a, b, c }) => ({ distinct_ids_to_split: [a, b, c] }),
      'distinct_ids_to_split',
      'must leave the person at least one distinct id',
    ],
    [
      'both ways at once',
      ({ a, b }) => ({ main_distinct_id: a, distinct_ids_to_split: [b] }),
      null,
      'main_distinct_id cannot be combined with distinct_ids_to_split',
    ],
  ])('refuses %s and moves nothing', async (_what, body, attr, detail) => {
    const { person, ...ids } = await three()
    const response = await app.call('POST', url(person.id, 'split/'), { body: body(ids) })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code: 'invalid_input', detail, attr })
    expect((await read(person.id)).distinct_ids).toEqual(person.distinctIds)
  })

  it('of many ids is one step', async () => {
    const distinctIds = Array.from({ length: 300 }, (_, i) => `many-${i}`)
    const person = await makePerson(app, { distinctIds })
    const response = await app.call('POST', url(person.id, 'split/'))
    expect(response.json().split).toHaveLength(299)
    expect(await app.stores.persons.findByDistinctIds(1, distinctIds)).toHaveProperty('size', 300)
  })

  it('counts as a change of the person', async () => {
    const { person } = await three()
    app.clock.advance(60_000)
    await app.call('POST', url(person.id, 'split/'))
    const since = await app.call('GET', '/api/environments/1/persons/?updated_after=2026-03-04T12:00:30Z')
    app.clock.advance(-60_000)
    expect(since.json().results.map((row: { id: number }) => row.id)).toContain(person.id)
  })

  it('is the original in CSV', async () => {
    const { a, person } = await three()
    const response = await app.call('POST', url(person.id, 'split/?format=csv'))
    const { email } = person.properties
    expect(response.body).toBe(
      `created_at,distinct_ids.0,id,name,properties.email,uuid\r\n2026-03-04T12:00:00Z,${a},${person.id},${email},${email},${person.uuid}\r\n`,
    )
  })
})
