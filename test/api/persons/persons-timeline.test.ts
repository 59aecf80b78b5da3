/** A person's properties over time: at its events, and at one moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeChange } from '../../../src/stores/contract/history-builders.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const at = (text: string): number => Date.parse(text)
const url = (id: number | string, rest = '') => `/api/environments/1/persons/${id}/properties_timeline/${rest}`

/** Sets properties through the API as if it were that time. */
async function patchAt(id: number, time: string, properties: Record<string, unknown>, projectId = 1) {
  const now = app.clock.now()
  app.clock.set(at(time))
  await app.call('PATCH', `/api/projects/${projectId}/persons/${id}/`, { body: { properties } })
  app.clock.set(now)
}

const crucial = (...keys: string[]) =>
  JSON.stringify(keys.map((key) => ({ key, value: 'never', operator: 'exact', type: 'person' })))

let round = 0
/** A person with five events from 27 February to 3 March 2026 and a plan that changes twice. */
async function makeHistory() {
  round += 1
  const [first, second] = [`t-${round}`, `u-${round}`] as const
  const createdAt = at('2026-02-20T00:00:00Z')
  const person = await makePerson(app, {
    distinctIds: [first, second],
    properties: { plan: 'free', city: 'X' },
    createdAt,
  })
  await makeEvents(app, [
    { distinctId: first, event: 'early', timestamp: at('2026-02-01T00:00:00Z') },
    { distinctId: first, event: '$pageview', timestamp: at('2026-02-27T10:00:00Z') },
    { distinctId: second, event: 'signup', timestamp: at('2026-02-28T10:00:00Z') },
    { distinctId: first, event: '$pageview', timestamp: at('2026-03-01T10:00:00Z') },
    { distinctId: first, event: '$pageview', timestamp: at('2026-03-02T10:00:00Z') },
    { distinctId: second, event: 'signup', timestamp: at('2026-03-03T10:00:00.500Z') },
    { distinctId: `stranger-${round}`, event: '$pageview', timestamp: at('2026-03-01T10:00:00Z') },
  ])
  await patchAt(person.id, '2026-02-28T20:00:00Z', { plan: 'paid', city: 'Y' })
  await patchAt(person.id, '2026-03-02T20:00:00Z', { plan: 'free' })
  const get = (query: Record<string, string> = {}) => app.call('GET', url(person.id), { query })
  return { person, get }
}

describe('GET persons/{id}/properties_timeline/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => `/persons/${(await makePerson(app)).id}/properties_timeline/`,
    scope: 'person:read',
    status: 200,
  })
  itKnowsItsPersons(
    () => app,
    (projectId) => makePerson(app, { projectId }),
    {
      method: 'GET',
      path: (id) => `/persons/${id}/properties_timeline/`,
    },
  )

  it('without parameters covers every event of the last seven days, in one point', async () => {
    const { get } = await makeHistory()
    const response = await get()
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      points: [{ timestamp: '2026-02-27T10:00:00Z', properties: { plan: 'free', city: 'X' }, relevant_event_count: 5 }],
      crucial_property_keys: [],
      effective_date_from: '2026-02-25T00:00:00Z',
      effective_date_to: '2026-03-04T23:59:59.999999Z',
    })
  })

  it('makes a point wherever a crucial property differs, with all properties of that time', async () => {
    const { get } = await makeHistory()
    const response = await get({ properties: crucial('plan') })
    expect(response.json()).toMatchObject({
      points: [
        { timestamp: '2026-02-27T10:00:00Z', properties: { plan: 'free', city: 'X' }, relevant_event_count: 2 },
        { timestamp: '2026-03-01T10:00:00Z', properties: { plan: 'paid', city: 'Y' }, relevant_event_count: 2 },
        { timestamp: '2026-03-03T10:00:00.500000Z', properties: { plan: 'free', city: 'Y' }, relevant_event_count: 1 },
      ],
      crucial_property_keys: ['plan'],
    })
  })

  it('counts only the named events, and takes keys from their filters and from a breakdown', async () => {
    const { get } = await makeHistory()
    const events = JSON.stringify([{ id: 'signup', properties: JSON.parse(crucial('city')) }])
    const response = await get({ events, breakdown: 'plan', breakdown_type: 'person' })
    expect(response.json().crucial_property_keys).toEqual(['city', 'plan'])
    expect(response.json().points).toMatchObject([
      { timestamp: '2026-02-28T10:00:00Z', relevant_event_count: 1 },
      { timestamp: '2026-03-03T10:00:00.500000Z', relevant_event_count: 1 },
    ])
  })

  it.each<[Record<string, string>, string, string, number]>([
    [{ date_from: '2026-02-28', date_to: '2026-03-01' }, '2026-02-28T00:00:00Z', '2026-03-01T23:59:59.999999Z', 2],
    [{ date_from: '-3d' }, '2026-03-01T00:00:00Z', '2026-03-04T23:59:59.999999Z', 3],
    [{ date_from: 'all' }, '2026-02-01T00:00:00Z', '2026-03-04T23:59:59.999999Z', 6],
    [{ date_from: 'all', date_to: '2026-01-01' }, '2026-01-01T00:00:00Z', '2026-01-01T23:59:59.999999Z', 0],
    [
      { date_from: '2026-03-01T10:30:00+00:30', date_to: '2026-03-01T10:00:00Z', interval: 'hour' },
      '2026-03-01T10:00:00Z',
      '2026-03-01T10:59:59.999999Z',
      1,
    ],
    [
      { date_from: '2026-02-25', date_to: '2026-02-25', interval: 'week' },
      '2026-02-25T00:00:00Z',
      '2026-03-03T23:59:59.999999Z',
      5,
    ],
    [{ date_from: '', date_to: '', interval: '' }, '2026-02-25T00:00:00Z', '2026-03-04T23:59:59.999999Z', 5],
  ])('with the dates %j covers %s to %s: %i events', async (query, from, to, count) => {
    const { get } = await makeHistory()
    const response = await get(query)
    expect(response.json()).toMatchObject({ effective_date_from: from, effective_date_to: to })
    const counts = response.json().points.map((point: { relevant_event_count: number }) => point.relevant_event_count)
    expect(counts.reduce((sum: number, n: number) => sum + n, 0)).toBe(count)
  })

  it('cuts days in the time zone of the project', async () => {
    const project = await makeProject(app)
    await app.call('PATCH', `/api/projects/${project.id}/`, { body: { timezone: 'America/Los_Angeles' } })
    const person = await makePerson(app, { projectId: project.id, distinctIds: ['la'] })
    await makeEvents(app, [
      { projectId: project.id, distinctId: 'la', timestamp: at('2026-01-10T07:30:00Z') },
      { projectId: project.id, distinctId: 'la', timestamp: at('2026-01-10T08:30:00Z') },
    ])
    const query = { date_from: '2026-01-10', date_to: '2026-01-10' }
    const path = `/api/projects/${project.id}/persons/${person.id}/properties_timeline/`
    expect((await app.call('GET', path, { query })).json()).toMatchObject({
      points: [{ timestamp: '2026-01-10T08:30:00Z', relevant_event_count: 1 }],
      effective_date_from: '2026-01-10T08:00:00Z',
      effective_date_to: '2026-01-11T07:59:59.999999Z',
    })
  })

  it('has no points without events in range, whatever came before', async () => {
    const { get } = await makeHistory()
    expect((await get({ date_from: '2026-02-10', date_to: '2026-02-12' })).json().points).toEqual([])
    const nobody = await makePerson(app)
    expect((await app.call('GET', url(nobody.id, '?date_from=all'))).json()).toMatchObject({
      points: [],
      effective_date_from: '2026-03-04T00:00:00Z',
    })
  })

  it('gives free-form values back as they were', async () => {
    const distinctId = 'free-form'
    const properties = { nested: { unknown: [null, 1.5, [], {}] }, nil: null, list: [] }
    const { id } = await makePerson(app, { distinctIds: [distinctId], properties })
    await makeEvents(app, [{ distinctId }])
    expect((await app.call('GET', url(id))).json().points[0].properties).toEqual(properties)
  })

  it.each([
    ['date_from', '2026-02-30'],
    ['date_from', '-1'],
    ['date_from', '9999999'],
    ['date_from', '-9999y'],
    ['date_to', '2026-02-30'],
    ['date_to', 'all'],
    ['date_to', '2026-01-01T25:00:00Z'],
    ['interval', 'minute'],
    ['events', '['],
    ['events', '{"id":"a"}'],
    ['actions', '[{"id":1}]'],
    ['properties', 'x'],
  ])('refuses %s=%s, also for a person that is not there', async (attr, value) => {
    for (const id of [(await makePerson(app)).id, 987_654]) {
      const response = await app.call('GET', url(id), { query: { [attr]: value } })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ type: 'validation_error', attr })
    }
  })

  it('refuses a start after the end', async () => {
    const { get } = await makeHistory()
    const response = await get({ date_from: '2026-03-02', date_to: '2026-03-01' })
    expect([response.statusCode, response.json().attr]).toEqual([400, 'date_from'])
  })

  it('is its points in CSV', async () => {
    const { get } = await makeHistory()
    const response = await get({ properties: crucial('plan'), format: 'csv' })
    expect(response.headers['content-disposition']).toBe('attachment; filename="properties_timeline.csv"')
    expect(response.body.split('\r\n')).toEqual([
      'properties.city,properties.plan,relevant_event_count,timestamp',
      'X,free,2,2026-02-27T10:00:00Z',
      'Y,paid,2,2026-03-01T10:00:00Z',
      'Y,free,1,2026-03-03T10:00:00.500000Z',
      '',
    ])
  })
})

describe('GET persons/properties_at_time/', () => {
  const path = '/api/environments/1/persons/properties_at_time/'
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => {
      const { uuid } = await makePerson(app)
      return `/persons/properties_at_time/?person_id=${uuid}&timestamp=2026-03-04`
    },
    scope: 'person:read',
    status: 200,
  })

  it('answers the person with the properties of that time', async () => {
    const { person } = await makeHistory()
    const [distinctId] = person.distinctIds
    const ask = async (timestamp: string) =>
      (await app.call('GET', path, { query: { distinct_id: distinctId ?? '', timestamp } })).json()
    expect(await ask('2026-02-28T21:00:00+00:30')).toEqual({
      id: person.id,
      name: distinctId,
      distinct_ids: person.distinctIds,
      properties: { plan: 'paid', city: 'Y' },
      created_at: '2026-02-20T00:00:00Z',
      uuid: person.uuid,
      point_in_time_metadata: {
        queried_timestamp: '2026-02-28T20:30:00Z',
        include_set_once: false,
        distinct_id_used: distinctId,
        person_id_used: null,
        query_mode: 'distinct_id',
        distinct_ids_queried: person.distinctIds,
        distinct_ids_count: 2,
      },
    })
    expect((await ask('2026-02-28T19:59:59')).properties).toEqual({ plan: 'free', city: 'X' })
    expect((await ask('2026-02-19')).properties).toEqual({})
  })

  it('takes the person by uuid or integer, and returns what was set once only on request', async () => {
    const { person } = await makeHistory()
    await app.stores.transaction((tx) =>
      tx.persons.addHistory(1, [
        makeChange(person.id, at('2026-02-21T00:00:00Z'), { seq: 0, once: { first_seen: [1] } }),
      ]),
    )
    const ask = async (person_id: string, include_set_once: string) =>
      (await app.call('GET', path, { query: { person_id, include_set_once, timestamp: '2026-02-22' } })).json()
    expect(await ask(person.uuid, 'false')).toMatchObject({
      properties: { plan: 'free', city: 'X' },
      point_in_time_metadata: { query_mode: 'person_id', person_id_used: person.uuid, distinct_id_used: null },
    })
    expect((await ask(String(person.id), 'true')).properties).toEqual({ plan: 'free', city: 'X', first_seen: [1] })
  })

  it.each<[Record<string, string>, number, string, string]>([
    [{}, 400, 'required', 'Must provide either distinct_id or person_id parameter'],
    [
      { distinct_id: 'a', person_id: 'b', timestamp: '2026-01-01' },
      400,
      'invalid_input',
      'Cannot provide both distinct_id and person_id - choose one',
    ],
    [{ distinct_id: 'a' }, 400, 'required', 'timestamp parameter is required (ISO format: 2023-06-15T14:30:00Z)'],
    [
      { distinct_id: 'a', timestamp: '2026-02-30' },
      400,
      'invalid_input',
      'Invalid timestamp format. Use ISO format like 2023-06-15T14:30:00Z',
    ],
    [{ distinct_id: 'zz', timestamp: '2026-01-01' }, 404, 'not_found', "Person with distinct_id 'zz' not found"],
    [{ person_id: '987654', timestamp: '2026-01-01' }, 404, 'not_found', "Person with person_id '987654' not found"],
  ])('answers %j with %i', async (query, status, code, detail) => {
    const response = await app.call('GET', path, { query })
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ code, detail })
  })
})
