/** One person: reading, changing and deleting it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const url = (id: number | string, rest = '') => `/api/environments/1/persons/${id}/${rest}`
const fresh = async () => `/persons/${(await makePerson(app)).id}/`
const inProject = (projectId: number) => makePerson(app, { projectId })

describe('GET persons/{id}/', () => {
  itIsGuarded(() => app, { method: 'GET', path: fresh, scope: 'person:read', status: 200 })
  itKnowsItsPersons(() => app, inProject, { method: 'GET', path: (id) => `/persons/${id}/` })

  it('answers exactly the six fields of a person', async () => {
    const anonymous = '17787c3099427b-0e8f6c86323ea9-33647309-1aeaa0-17787c30995b7c'
    const person = await makePerson(app, {
      distinctIds: [anonymous, 'user_1'],
      properties: { email: 'jane@example.com', nested: { list: [1, null, {}], flag: false } },
      createdAt: Date.parse('2026-01-02T03:04:05Z') + 0.5 + 123,
    })
    const response = await app.call('GET', url(person.id))
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({
      id: person.id,
      name: 'jane@example.com',
      distinct_ids: ['user_1', anonymous],
      properties: { email: 'jane@example.com', nested: { list: [1, null, {}], flag: false } },
      created_at: '2026-01-02T03:04:05.123500Z',
      uuid: person.uuid,
    })
    expect(Number.isInteger(response.json().id)).toBe(true)
    expect(person.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('takes the uuid in any spelling', async () => {
    const person = await makePerson(app)
    for (const id of [person.uuid, person.uuid.toUpperCase(), person.uuid.replaceAll('-', ''), `{${person.uuid}}`]) {
      expect((await app.call('GET', url(encodeURIComponent(id)))).json().id).toBe(person.id)
    }
  })

  it.each([
    [{ email: 'a@x', name: 'Jane' }, 'a@x'],
    [{ name: 42 }, '42'],
    [{ username: true }, 'true'],
    [{ email: '', name: { first: 'Jane' }, Name: ['x'], UserName: 'jd' }, 'jd'],
  ])('names a person with %j %s', async (properties, name) => {
    const person = await makePerson(app, { properties })
    expect((await app.call('GET', url(person.id))).json().name).toBe(name)
  })

  it('names a person without a name by its first given id', async () => {
    const person = await makePerson(app, { distinctIds: ['a-b-c-d-e', 'given'] })
    expect((await app.call('GET', url(person.id))).json().name).toBe('given')
  })

  it('is CSV on request: sorted dotted columns, one row, a file name, and no formula', async () => {
    const person = await makePerson(app, {
      distinctIds: ['csv-1', 'csv-2'],
      properties: { b: '=1+1', a: -5, c: { d: ['x,y', null] }, e: [] },
    })
    for (const response of [
      await app.call('GET', url(person.id, '?format=csv')),
      await app.call('GET', url(person.id), { headers: { accept: 'text/csv' } }),
    ]) {
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.headers['content-disposition']).toBe('attachment; filename="person.csv"')
      expect(response.body.split('\r\n')).toEqual([
        'created_at,distinct_ids.0,distinct_ids.1,id,name,properties.a,properties.b,properties.c.d.0,properties.c.d.1,uuid',
        `2026-03-04T12:00:00Z,csv-1,csv-2,${person.id},csv-1,-5,'=1+1,"x,y",,${person.uuid}`,
        '',
      ])
    }
  })

  it('refuses an unknown format, and keeps errors in JSON', async () => {
    const { id } = await makePerson(app)
    const unknown = await app.call('GET', url(id, '?format=xml'))
    expect(unknown.statusCode).toBe(400)
    expect(unknown.json()).toMatchObject({ attr: 'format', code: 'invalid_choice' })
    const missing = await app.call('GET', url(999_999, '?format=csv'))
    expect(missing.statusCode).toBe(404)
    expect(missing.json().code).toBe('not_found')
  })
})

describe('PATCH persons/{id}/', () => {
  const body = { properties: { plan: 'paid' } }
  itIsGuarded(() => app, { method: 'PATCH', path: fresh, scope: 'person:write', status: 200, options: { body } })
  itKnowsItsPersons(() => app, inProject, {
    method: 'PATCH',
    path: (id) => `/persons/${id}/`,
    options: { body },
  })

  it('merges: sets what is named, also to null, and keeps the rest; answers the whole person', async () => {
    const person = await makePerson(app, { properties: { keep: [1.5], change: 1, nil: 0 } })
    const response = await app.call('PATCH', url(person.uuid), {
      body: { properties: { change: { deep: [] }, nil: null, more: 'x' }, id: 1, name: 'ignored' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      id: person.id,
      name: person.distinctIds[0],
      distinct_ids: person.distinctIds,
      properties: { keep: [1.5], change: { deep: [] }, nil: null, more: 'x' },
      created_at: '2026-03-04T12:00:00Z',
      uuid: person.uuid,
    })
    expect((await app.call('GET', url(person.id))).json()).toEqual(response.json())
  })

  it('takes back what GET gave', async () => {
    const person = await makePerson(app, { properties: { a: { b: [null, 1.5, []] } } })
    const given = (await app.call('GET', url(person.id))).json()
    expect((await app.call('PATCH', url(person.id), { body: given })).json()).toEqual(given)
  })

  it('is PUT as well', async () => {
    const person = await makePerson(app, { properties: { keep: 1 } })
    const response = await app.call('PUT', url(person.id), { body })
    expect(response.json().properties).toEqual({ keep: 1, plan: 'paid' })
  })

  it('is seen by person-level queries at once', async () => {
    const person = await makePerson(app)
    await app.call('PATCH', url(person.id), { body })
    expect(await app.stores.events.personOf(1, person.distinctIds[0] ?? '')).toMatchObject({
      personId: person.id,
      properties: { plan: 'paid' },
    })
  })

  it.each([
    [{}, 'required', 'This field is required.'],
    [{ properties: null }, 'null', 'This field may not be null.'],
    [{ properties: [] }, 'not_a_dict', 'Expected a dictionary of items but got type "list".'],
    [{ properties: 'x' }, 'not_a_dict', 'Expected a dictionary of items but got type "str".'],
  ])('refuses %j before it looks for the person', async (bad, code, detail) => {
    const response = await app.call('PATCH', url(987_654), { body: bad })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code, detail, attr: 'properties' })
  })

  it('refuses properties of more than 1 MB together and keeps what was there', async () => {
    const person = await makePerson(app, { properties: { a: 'x'.repeat(600_000) } })
    const response = await app.call('PATCH', url(person.id), { body: { properties: { b: 'y'.repeat(600_000) } } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr: 'properties', code: 'invalid_input' })
    expect(Object.keys((await app.call('GET', url(person.id))).json().properties)).toEqual(['a'])
  })

  it('is CSV on request', async () => {
    const person = await makePerson(app, { distinctIds: ['patched'] })
    const response = await app.call('PATCH', url(person.id, '?format=csv'), { body })
    expect(response.body).toBe(
      `created_at,distinct_ids.0,id,name,properties.plan,uuid\r\n2026-03-04T12:00:00Z,patched,${person.id},patched,paid,${person.uuid}\r\n`,
    )
  })
})

describe('DELETE persons/{id}/', () => {
  itIsGuarded(() => app, { method: 'DELETE', path: fresh, scope: 'person:write', status: 204 })
  itKnowsItsPersons(() => app, inProject, { method: 'DELETE', path: (id) => `/persons/${id}/` })

  const deletions = async (uuid: string) =>
    (await app.call('GET', `/api/environments/1/persons/deletion_status/?person_uuid=${uuid}`)).json().results

  it('answers 204 without a body; the second time 404', async () => {
    const person = await makePerson(app)
    const response = await app.call('DELETE', url(person.id))
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect((await app.call('DELETE', url(person.id))).statusCode).toBe(404)
    expect((await app.call('GET', url(person.uuid))).statusCode).toBe(404)
    expect(await app.stores.events.personOf(1, person.distinctIds[0] ?? '')).toBeNull()
    expect(await deletions(person.uuid)).toEqual([])
  })

  it('answers 204 without a body to CSV too', async () => {
    const response = await app.call('DELETE', url((await makePerson(app)).id, '?format=csv'))
    expect([response.statusCode, response.body]).toEqual([204, ''])
  })

  it('takes an empty body under a JSON content type', async () => {
    const { id } = await makePerson(app)
    const response = await app.call('DELETE', url(id), { headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(204)
  })

  it.each(['?delete_events=true', '?delete_events', '?delete_events=1', '?delete_events=TRUE'])(
    'with %s queues its events for Sunday 05:00 UTC and deletes none at once',
    async (query) => {
      const person = await makePerson(app)
      await makeEvents(app, [{ distinctId: person.distinctIds[0] ?? '' }])
      const before = await countEvents(app.stores.events, 1)
      expect((await app.call('DELETE', url(person.id, query))).statusCode).toBe(204)
      expect(await deletions(person.uuid)).toEqual([
        {
          person_id: person.id,
          person_uuid: person.uuid,
          created_at: '2026-03-04T12:00:00Z',
          status: 'pending',
          scheduled_for: '2026-03-08T05:00:00Z',
          delete_verified_at: null,
          events_deleted: null,
          sessions_deleted: null,
          recordings_deleted: null,
        },
      ])
      expect(await countEvents(app.stores.events, 1)).toBe(before)
    },
  )

  it.each(['?delete_events=false', '?delete_events=0', '?delete_events=False'])(
    'with %s queues nothing',
    async (query) => {
      const person = await makePerson(app)
      expect((await app.call('DELETE', url(person.id, query))).statusCode).toBe(204)
      expect(await deletions(person.uuid)).toEqual([])
    },
  )

  it('with keep_person keeps the person and its log, and only queues', async () => {
    const person = await makePerson(app)
    expect((await app.call('DELETE', url(person.id, '?keep_person=true&delete_events=true'))).statusCode).toBe(204)
    expect((await app.call('GET', url(person.id))).statusCode).toBe(200)
    expect(await deletions(person.uuid)).toHaveLength(1)
    expect((await app.call('GET', url(person.id, 'activity/'))).json().count).toBe(0)
  })

  it.each(['delete_events=maybe', 'delete_recordings=2', 'keep_person=yes'])('refuses %s', async (query) => {
    const person = await makePerson(app)
    const response = await app.call('DELETE', url(person.id, `?${query}`))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: 'Must be a valid boolean.',
      attr: query.split('=')[0],
    })
    expect((await app.call('GET', url(person.id))).statusCode).toBe(200)
  })

  it('a distinct id seen again makes a fresh person with a new integer id', async () => {
    const first = await makePerson(app, { distinctIds: ['comes-back'], properties: { old: true } })
    await app.call('DELETE', url(first.id))
    const second = await makePerson(app, { distinctIds: ['comes-back'] })
    expect(second.uuid).toBe(first.uuid)
    expect(second.id).toBeGreaterThan(first.id)
    expect((await app.call('GET', url(first.id))).statusCode).toBe(404)
    expect((await app.call('GET', url(second.uuid))).json()).toMatchObject({ id: second.id, properties: {} })
    expect(await app.stores.events.personOf(1, 'comes-back')).toMatchObject({ personId: second.id, properties: {} })
  })

  it('does not change persons of other projects, also under the same distinct id', async () => {
    const other = await makeProject(app)
    const mine = await makePerson(app, { distinctIds: ['shared-id'] })
    const theirs = await makePerson(app, { projectId: other.id, distinctIds: ['shared-id'] })
    await app.call('DELETE', url(mine.id))
    expect((await app.call('GET', `/api/projects/${other.id}/persons/${theirs.uuid}/`)).statusCode).toBe(200)
  })
})
