/** Look-ups over many persons: values of a property, batches, cohorts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'
import { makeList } from '../../support/persons/person-list.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

describe('GET persons/values/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/persons/values/', scope: 'person:read', status: 200 })

  it('answers the most frequent values as text, filtered by part', async () => {
    const values = ['Mac', 'Mac', 'Windows', '', null, true, 1.5, { a: 1 }, ['x']]
    const { url } = await makeList(
      app,
      values.map((os, i) => ({ id: `v-${i}`, properties: { os } })),
    )
    const get = async (query: Record<string, string>) =>
      (await app.call('GET', `${url}values/`, { query })).json().results
    const all = await app.call('GET', `${url}values/`, { query: { key: 'os' } })
    expect(all.json()).toEqual({
      results: [
        { name: 'Mac', count: 2 },
        { name: '1', count: 1 },
        { name: '1.5', count: 1 },
        { name: 'Windows', count: 1 },
        { name: '["x"]', count: 1 },
        { name: '{"a":1}', count: 1 },
      ],
      refreshing: false,
    })
    expect(await get({ key: 'os', value: 'IND' })).toEqual([{ name: 'Windows', count: 1 }])
    expect(await get({ key: 'os', value: '%' })).toEqual([])
    expect(await get({ key: 'unknown' })).toEqual([])
    expect(await get({ key: '$virt_x' })).toEqual([])
    expect(await get({})).toEqual([])
  })

  it('answers at most 20, and CSV', async () => {
    const { url } = await makeList(
      app,
      Array.from({ length: 25 }, (_, i) => ({ id: `w-${i}`, properties: { n: i } })),
    )
    expect((await app.call('GET', `${url}values/?key=n`)).json().results).toHaveLength(20)
    const csv = (await app.call('GET', `${url}values/?key=n&format=csv`)).body.split('\r\n')
    expect([csv[0], csv.length]).toEqual(['count,name', 22])
  })
})

describe('POST persons/batch_by_distinct_ids/', () => {
  itIsGuarded(() => app, {
    method: 'POST',
    path: () => '/persons/batch_by_distinct_ids/',
    scope: 'person:read',
    status: 200,
  })

  it('answers each known id with its person, at most ten of its ids', async () => {
    const more = Array.from({ length: 12 }, (_, i) => `alias-${i}`)
    const { url, made } = await makeList(app, [
      { id: 'main', properties: { a: { b: null } }, more },
      { id: '__proto__' },
    ])
    await makeList(app, [{ id: 'foreign' }])
    const body = { distinct_ids: ['main', 'alias-11', '__proto__', 'unknown', 'foreign', 5, null] }
    const response = await app.call('POST', `${url}batch_by_distinct_ids/`, { body })
    expect(response.statusCode).toBe(200)
    const person = {
      id: made[0]?.id,
      name: 'main',
      distinct_ids: ['main', ...more.slice(0, 9)],
      properties: { a: { b: null } },
      created_at: '2026-03-04T11:59:58Z',
      uuid: made[0]?.uuid,
    }
    expect(Object.entries(response.json().results)).toEqual([
      ['main', person],
      ['alias-11', person],
      ['__proto__', expect.objectContaining({ id: made[1]?.id })],
    ])
  })

  it.each([{}, { distinct_ids: [] }, { distinct_ids: 'main' }, { distinct_ids: null }, { distinct_ids: { a: 1 } }])(
    'answers %j with nobody',
    async (body) => {
      const response = await app.call('POST', '/api/environments/1/persons/batch_by_distinct_ids/', { body })
      expect([response.statusCode, response.json()]).toEqual([200, { results: {} }])
    },
  )

  it('looks up the first 200', async () => {
    const { url } = await makeList(
      app,
      Array.from({ length: 205 }, (_, i) => ({ id: `b-${i}` })),
    )
    const body = { distinct_ids: Array.from({ length: 205 }, (_, i) => `b-${i}`) }
    const { results } = (await app.call('POST', `${url}batch_by_distinct_ids/`, { body })).json()
    expect(Object.keys(results)).toEqual(body.distinct_ids.slice(0, 200))
  })
})

describe('POST persons/batch_by_uuids/', () => {
  itIsGuarded(() => app, { method: 'POST', path: () => '/persons/batch_by_uuids/', scope: 'person:read', status: 200 })

  it('answers each known uuid, as it was written, with its person', async () => {
    const { url, made } = await makeList(app, [{ id: 'main' }])
    const foreign = await makeList(app, [{ id: 'foreign' }])
    const uuid = made[0]?.uuid ?? ''
    const body = { uuids: [uuid, uuid.toUpperCase(), foreign.made[0]?.uuid, '00000000-0000-0000-0000-000000000000'] }
    const { results } = (await app.call('POST', `${url}batch_by_uuids/`, { body })).json()
    expect(Object.keys(results)).toEqual([uuid, uuid.toUpperCase()])
    expect(results[uuid]).toMatchObject({ id: made[0]?.id, distinct_ids: ['main'] })
  })

  it('refuses what is not a uuid', async () => {
    for (const uuids of [['x'], [5]]) {
      const response = await app.call('POST', '/api/environments/1/persons/batch_by_uuids/', { body: { uuids } })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ detail: 'One or more UUIDs are invalid.', attr: 'uuids' })
    }
  })

  it('is the persons in CSV', async () => {
    const { url, made } = await makeList(app, [{ id: 'main' }])
    const response = await app.call('POST', `${url}batch_by_uuids/?format=csv`, { body: { uuids: [made[0]?.uuid] } })
    expect(response.body.split('\r\n')[0]).toBe('created_at,distinct_ids.0,id,name,uuid')
  })
})

describe('GET persons/cohorts/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => `/persons/cohorts/?person_id=${(await makePerson(app)).id}`,
    scope: 'person:read',
    status: 200,
  })

  it('is empty for a person, by id or uuid', async () => {
    const person = await makePerson(app)
    for (const id of [person.id, person.uuid]) {
      const response = await app.call('GET', `/api/environments/1/persons/cohorts/?person_id=${id}`)
      expect([response.statusCode, response.json()]).toEqual([
        200,
        { count: 0, next: null, previous: null, results: [] },
      ])
    }
  })

  it.each([
    ['', 400, 'required'],
    ['?person_id=999999', 404, 'not_found'],
    ['?person_id=abc', 400, 'invalid_input'],
  ])('answers %j with %i %s', async (query, status, code) => {
    const response = await app.call('GET', `/api/environments/1/persons/cohorts/${query}`)
    expect([response.statusCode, response.json().code]).toEqual([status, code])
  })
})
