/** The activity log: of one person, of all persons, of a project. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activityEntry, propertyChanges } from '../../../src/rules/activity/activity-entry.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makePerson, makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const API = '/api/environments/1'
const person = (id: number | string, rest = '') => `${API}/persons/${id}/${rest}`
const patch = (id: number, properties: Record<string, unknown>) =>
  app.call('PATCH', person(id), { body: { properties } })

/** A person with `changes` entries; the newest sets `n` to that number. */
async function busyPerson(changes: number) {
  const made = await makePerson(app)
  for (let n = 1; n <= changes; n++) await patch(made.id, { n })
  return made
}

const valuesOf = (response: { json(): { results: { detail: { changes: { after: unknown }[] | null } }[] } }) =>
  response.json().results.map((entry) => entry.detail.changes?.[0]?.after)

/** The values of the first change, top to bottom. */
function valuesInCsv(body: string): number[] {
  const [header = '', ...rows] = body.trimEnd().split('\r\n')
  const column = header.split(',').indexOf('detail.changes.0.after')
  return rows.map((row) => Number(row.split(',')[column]))
}

/** Entries of one person of a new project; the newest sets `n` to that number. */
async function longLog(count: number) {
  const { id: projectId } = await makeProject(app)
  const { id } = await makePerson(app, { projectId })
  await app.stores.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const changes = propertyChanges([{ key: 'n', before: undefined, after: n }])
      const subject = { projectId, caller: null, scope: 'Person', itemId: String(id), activity: 'updated', name: null }
      await tx.activity.add(activityEntry({ ...subject, changes }, n))
    }
  })
  return { url: `/api/environments/${projectId}`, id }
}

const GARBAGE = ['limit=abc', 'limit=0', 'limit=-1', 'limit=1.5', 'page=abc', 'page=0', 'page=-1', 'page=1e3', 'page=x']

describe('GET persons/{id}/activity/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => `/persons/${(await makePerson(app)).id}/activity/`,
    scope: 'activity_log:read',
    status: 200,
  })
  itKnowsItsPersons(
    () => app,
    (projectId) => makePerson(app, { projectId }),
    {
      method: 'GET',
      path: (id) => `/persons/${id}/activity/`,
    },
  )

  it('answers every field of an entry, with the values before and after', async () => {
    const { id, uuid } = await makePerson(app, { properties: { plan: 'free', old: { a: [1.5, null] } } })
    await patch(id, { plan: 'paid', fresh: null })
    await app.call('POST', person(id, 'delete_property/'), { query: { $unset: 'old' } })
    const response = await app.call('GET', person(uuid, 'activity/'))
    expect(response.statusCode).toBe(200)
    const entry = (activity: string, name: string | null, changes: unknown[]) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: { id: 1, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), first_name: 'Admin', email: 'admin@localhost' },
      activity,
      scope: 'Person',
      item_id: String(id),
      detail: { changes, trigger: null, name, short_id: null, type: null },
      created_at: '2026-03-04T12:00:00Z',
      can_undo: true,
    })
    const change = { type: 'Person', field: 'properties' }
    expect(response.json()).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [
        entry('delete_property', uuid, [
          { ...change, action: 'deleted', key: 'old', before: { a: [1.5, null] }, after: null },
        ]),
        entry('updated', null, [
          { ...change, action: 'changed', key: 'plan', before: 'free', after: 'paid' },
          { ...change, action: 'created', key: 'fresh', before: null, after: null },
        ]),
      ],
      total_count: 2,
    })
  })

  it('shows nothing of other persons', async () => {
    const [mine, other] = [await makePerson(app), await makePerson(app)]
    await patch(other.id, { a: 1 })
    const response = await app.call('GET', person(mine.id, 'activity/'))
    expect(response.json()).toEqual({ count: 0, next: null, previous: null, results: [], total_count: 0 })
  })

  it('pages by number, ten at a time by default, newest first, with links that keep everything else', async () => {
    const { id } = await busyPerson(23)
    const first = await app.call('GET', person(id, 'activity/?format=json'))
    const link = (page: number, limit: number) =>
      `http://localhost${person(id, `activity/?format=json&page=${page}&limit=${limit}`)}`
    expect(valuesOf(first)).toEqual([23, 22, 21, 20, 19, 18, 17, 16, 15, 14])
    expect(first.json()).toMatchObject({ next: link(2, 10), previous: null, total_count: 23, count: 23 })
    const third = await app.call('GET', person(id, 'activity/?format=json&page=3'))
    expect(valuesOf(third)).toEqual([3, 2, 1])
    expect(third.json()).toMatchObject({ next: null, previous: link(2, 10) })
    const walked: unknown[] = []
    let next: string | null = person(id, 'activity/?limit=7')
    while (next) {
      const response: Awaited<ReturnType<TestApp['call']>> = await app.call('GET', next)
      walked.push(...valuesOf(response))
      next = response.json().next
    }
    expect(walked).toEqual(Array.from({ length: 23 }, (_, i) => 23 - i))
  })

  it('is empty beyond the end, however far', async () => {
    const { id } = await busyPerson(1)
    for (const page of ['2', '999999999999', '99999999999999999999999']) {
      const response = await app.call('GET', person(id, `activity/?page=${page}`))
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({ results: [], total_count: 1, next: null })
    }
  })

  it.each(GARBAGE)('refuses %s', async (query) => {
    const { id } = await makePerson(app)
    const response = await app.call('GET', person(id, `activity/?${query}`))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr: query.split('=')[0] })
  })

  it('clamps a large limit', async () => {
    const { id } = await busyPerson(1)
    expect((await app.call('GET', person(id, 'activity/?limit=1000000000'))).json().results).toHaveLength(1)
  })

  it('is gone with the person; what remains of its entries contains neither values nor names', async () => {
    const { id } = await makePerson(app, { distinctIds: ['erase@example.com', 'second'] })
    await patch(id, { email: 'secret@example.com' })
    await app.call('POST', person(id, 'split/'))
    await app.call('DELETE', person(id))
    expect((await app.call('GET', person(id, 'activity/'))).statusCode).toBe(404)
    const log = await app.call('GET', `${API}/activity_log/?scope=Person&item_id=${id}`)
    const bare = { type: 'Person', before: null, after: null }
    expect(log.json().results.map((entry: { detail: { changes: unknown } }) => entry.detail.changes)).toEqual([
      null,
      [{ ...bare, action: 'split', field: null }],
      [{ ...bare, action: 'created', field: 'properties' }],
    ])
    expect(log.body).not.toMatch(/secret|erase@|second/)
  })

  it('is the entries in CSV, with a header when there are none', async () => {
    const { id } = await makePerson(app)
    const empty = await app.call('GET', person(id, 'activity/?format=csv'))
    expect(empty.body).toBe('activity,can_undo,created_at,id,item_id,scope,user.email,user.first_name\r\n')
    await patch(id, { a: 1 })
    const lines = (await app.call('GET', person(id, 'activity/?format=csv'))).body.split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('detail.changes.0.after')
  })
})

describe('GET persons/activity/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/persons/activity/', scope: 'activity_log:read', status: 200 })

  it('shows the entries of all persons of the project, deleted ones included, and of no other', async () => {
    const other = await makeProject(app)
    const foreign = await makePerson(app, { projectId: other.id })
    await app.call('PATCH', `/api/projects/${other.id}/persons/${foreign.id}/`, { body: { properties: { a: 1 } } })
    const [gone, stays] = [await busyPerson(1), await busyPerson(1)]
    await app.call('DELETE', person(gone.id))
    const response = await app.call('GET', `${API}/persons/activity/?limit=3`)
    expect(response.statusCode).toBe(200)
    const entry = (activity: string, id: number) => ({ activity, item_id: String(id), scope: 'Person' })
    expect(response.json().results).toMatchObject([
      entry('deleted', gone.id),
      entry('updated', stays.id),
      entry('updated', gone.id),
    ])
    expect(Object.keys(response.json())).toEqual(['count', 'next', 'previous', 'results', 'total_count'])
    expect(Object.keys(response.json().results[0])).toEqual([
      'id',
      'user',
      'activity',
      'scope',
      'item_id',
      'detail',
      'created_at',
      'can_undo',
    ])
    expect(response.json().results[0].detail).toEqual({
      changes: null,
      trigger: null,
      name: gone.uuid,
      short_id: null,
      type: null,
    })
    const theirs = await app.call('GET', `/api/projects/${other.id}/persons/activity/`)
    expect(theirs.json()).toMatchObject({ total_count: 1, results: [entry('updated', foreign.id)] })
  })

  it('pages by number', async () => {
    await busyPerson(12)
    const first = await app.call('GET', `${API}/persons/activity/`)
    expect(first.json().results).toHaveLength(10)
    expect(first.json().next).toBe(`http://localhost${API}/persons/activity/?page=2&limit=10`)
    const second = await app.call('GET', first.json().next)
    expect(valuesOf(second).slice(0, 2)).toEqual([2, 1])
    expect(second.json().previous).toBe(`http://localhost${API}/persons/activity/?page=1&limit=10`)
  })

  it('shows automatic changes of the server as the system’s', async () => {
    await app.stores.transaction((tx) =>
      tx.activity.add({
        id: '0196f1d2-7c00-7a4e-9d26-3f0e5f6c1a2d',
        projectId: 1,
        organizationId: null,
        userId: null,
        scope: 'Person',
        itemId: '1',
        activity: 'deleted',
        detail: { changes: null, trigger: null, name: null, short_id: null, type: null },
        createdAt: app.clock.now() + 1,
        undo: null,
      }),
    )
    const response = await app.call('GET', `${API}/persons/activity/?limit=1`)
    expect(response.json().results[0].user).toEqual({ first_name: 'System', email: null, is_system: true })
  })

  it.each(GARBAGE)('refuses %s', async (query) => {
    const response = await app.call('GET', `${API}/persons/activity/?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr: query.split('=')[0] })
  })

  it('is the entries in CSV', async () => {
    await busyPerson(1)
    const response = await app.call('GET', `${API}/persons/activity/?format=csv&limit=2`)
    expect(response.headers['content-disposition']).toBe('attachment; filename="activity.csv"')
    expect(response.body.trimEnd().split('\r\n')).toHaveLength(3)
  })
})

describe('GET activity_log/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/activity_log/', scope: 'activity_log:read', status: 200 })

  const log = async (query: string, key?: string) =>
    (await app.call('GET', `${API}/activity_log/?${query}`, key === undefined ? {} : { key })).json()

  it('filters by scope, object and user', async () => {
    const { id } = await busyPerson(2)
    const author = (await log(`scope=Person&item_id=${id}`)).results[0].user
    for (const user of ['1', author.uuid, author.uuid.toUpperCase()]) {
      expect((await log(`item_id=${id}&user=${user}`)).count).toBe(2)
    }
    expect((await log(`item_id=${id}&user=999`)).count).toBe(0)
    expect((await log(`item_id=${id}&user=00000000-0000-0000-0000-000000000000`)).count).toBe(0)
    expect((await log(`item_id=${id}&scope=Subscription`)).count).toBe(0)
    expect((await log(`scope=Person&item_id=${id}&user=`)).count).toBe(2)
  })

  it('pages like every list', async () => {
    const { id } = await busyPerson(3)
    const page = await log(`item_id=${id}&limit=2`)
    expect(page).toMatchObject({
      count: 3,
      total_count: 3,
      next: `http://localhost${API}/activity_log/?item_id=${id}&limit=2&offset=2`,
      previous: null,
    })
    expect((await log(`item_id=${id}&limit=2&offset=2`)).results).toHaveLength(1)
  })

  it('shows what concerns the organisation to keys that are not limited to a project', async () => {
    const made = await app.call('POST', '/api/personal_api_keys/', {
      body: { label: 'Logged', scopes: ['person:read'] },
    })
    const item = `scope=PersonalAPIKey&item_id=${made.json().id}`
    expect((await log(item)).results).toMatchObject([{ activity: 'created', detail: { name: 'Logged' } }])
    expect((await log(item, await makeKey(app, { scopedTeams: [1] }))).count).toBe(0)
  })

  it.each(['user=someone', 'user=-1', 'user=1.5'])('refuses %s', async (query) => {
    const response = await app.call('GET', `${API}/activity_log/?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr: 'user', code: 'invalid_input' })
  })

  it.each(['limit=abc', 'limit=0', 'offset=-1'])('refuses %s', async (query) => {
    expect((await app.call('GET', `${API}/activity_log/?${query}`)).statusCode).toBe(400)
  })
})

describe('the log as CSV', () => {
  const downFrom = (count: number, length = count) => Array.from({ length }, (_, i) => count - i)

  it('is the whole result, however long', async () => {
    const { url, id } = await longLog(2_345)
    for (const path of [`persons/${id}/activity/`, 'persons/activity/', 'activity_log/?scope=Person']) {
      const response = await app.call('GET', `${url}/${path}`, { headers: { accept: 'text/csv' } })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.headers['content-disposition']).toBe('attachment; filename="activity.csv"')
      expect(valuesInCsv(response.body)).toEqual(downFrom(2_345))
    }
  })

  it('follows the parameters that choose a page', async () => {
    const { url, id } = await longLog(25)
    for (const path of [`persons/${id}/activity/`, 'persons/activity/']) {
      const csv = async (query: string) =>
        valuesInCsv((await app.call('GET', `${url}/${path}?format=csv&${query}`)).body)
      expect(await csv('limit=3')).toEqual([25, 24, 23])
      expect(await csv('limit=3&page=2')).toEqual([22, 21, 20])
      expect(await csv('page=1')).toEqual(downFrom(25, 10))
      expect(await csv('page=3')).toEqual(downFrom(5))
    }
    const log = async (query: string) =>
      valuesInCsv((await app.call('GET', `${url}/activity_log/?scope=Person&format=csv&${query}`)).body)
    expect(await log('limit=2&offset=1')).toEqual([24, 23])
    expect(await log('offset=20')).toEqual(downFrom(5))
  })

  it('keeps its errors in JSON', async () => {
    for (const [path, status] of [
      ['persons/987654/activity/?format=csv', 404],
      ['activity_log/?user=someone&format=csv', 400],
    ] as const) {
      const response = await app.call('GET', `${API}/${path}`)
      expect(response.statusCode).toBe(status)
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })
})
