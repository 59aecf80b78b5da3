/** Deleting many persons, queued event deletions, and deleting the data of a person that stays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeChange, wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { itIsGuarded, itKnowsItsPersons } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const API = '/api/environments/1/persons'
const exists = async (id: number) => (await app.call('GET', `${API}/${id}/`)).statusCode === 200
const status = async (query: Record<string, string>) =>
  (await app.call('GET', `${API}/deletion_status/`, { query })).json()

describe('POST persons/bulk_delete/', () => {
  const remove = (body: unknown) => app.call('POST', `${API}/bulk_delete/`, { body })
  itIsGuarded(() => app, {
    method: 'POST',
    path: () => '/persons/bulk_delete/',
    scope: 'person:write',
    status: 202,
    options: { body: { ids: [987_654] } },
  })

  it('deletes by integers and uuids, and reports what it did not find', async () => {
    const [a, b, c] = [await makePerson(app), await makePerson(app), await makePerson(app)]
    const other = await makeProject(app)
    const foreign = await makePerson(app, { projectId: other.id })
    const unknown = '00000000-0000-0000-0000-000000000000'
    const response = await remove({ ids: [a.id, String(b.id), c.uuid.toUpperCase(), a.uuid, foreign.id, unknown, -1] })
    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({
      persons_found: 3,
      persons_deleted: 3,
      events_queued_for_deletion: false,
      recordings_queued_for_deletion: false,
      deletion_errors: [],
      ids_not_found: [foreign.id, unknown, -1],
      distinct_ids_not_found: [],
    })
    expect(await Promise.all([a, b, c].map(({ id }) => exists(id)))).toEqual([false, false, false])
    expect((await app.call('GET', `/api/projects/${other.id}/persons/${foreign.id}/`)).statusCode).toBe(200)
    expect(await app.stores.events.personOf(1, a.distinctIds[0] ?? '')).toBeNull()
  })

  it('deletes by distinct ids; two of one person count once', async () => {
    const person = await makePerson(app, { distinctIds: ['bulk-1', 'bulk-2'] })
    const response = await remove({ distinct_ids: ['bulk-1', 'bulk-2', 'nobody'], delete_events: true })
    expect(response.json()).toMatchObject({
      persons_found: 1,
      persons_deleted: 1,
      events_queued_for_deletion: true,
      distinct_ids_not_found: ['nobody'],
    })
    expect((await status({ person_uuid: person.uuid })).count).toBe(1)
    const log = await app.call('GET', `/api/environments/1/activity_log/?item_id=${person.id}`)
    expect(log.json().results).toMatchObject([{ activity: 'deleted', detail: { name: person.uuid, changes: null } }])
  })

  it('keeps the persons on request, and queues nothing when none was found', async () => {
    const person = await makePerson(app)
    const kept = await remove({ ids: [person.id], keep_person: true, delete_events: true })
    expect(kept.json()).toMatchObject({ persons_found: 1, persons_deleted: 0, events_queued_for_deletion: true })
    expect(await exists(person.id)).toBe(true)
    const nobody = await remove({ ids: [987_654], delete_events: true, delete_recordings: true })
    expect(nobody.json()).toMatchObject({
      persons_found: 0,
      events_queued_for_deletion: false,
      recordings_queued_for_deletion: false,
    })
  })

  it.each<[unknown, string, string | null]>([
    [{}, 'You need to specify either distinct_ids or ids', null],
    [{ ids: [], distinct_ids: [] }, 'You need to specify either distinct_ids or ids', null],
    [{ ids: [1], distinct_ids: ['a'] }, 'You must provide either distinct_ids or ids, not both', null],
    [{ ids: Array.from({ length: 1_001 }, (_, i) => i) }, 'You can only pass 1000 ids in one call', null],
    [{ distinct_ids: Array(1_001).fill('a') }, 'You can only pass 1000 distinct_ids in one call', null],
    [{ ids: ['abc'] }, 'An id must be an integer or a UUID; "abc" is neither.', 'ids'],
    [{ ids: [1.5] }, 'An id must be an integer or a UUID; 1.5 is neither.', 'ids'],
    [{ ids: [null] }, 'An id must be an integer or a UUID; null is neither.', 'ids'],
    [{ distinct_ids: [1] }, 'Not a valid string.', 'distinct_ids__0'],
    [{ ids: [1], delete_events: 'false' }, 'Must be a valid boolean.', 'delete_events'],
  ])('refuses %j', async (body, detail, attr) => {
    const response = await remove(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code: 'invalid_input', detail, attr })
  })

  it.each<[unknown, string]>([
    [{ ids: 5 }, 'ids'],
    [{ distinct_ids: 'abc' }, 'distinct_ids'],
  ])('asks for a list instead of %j', async (body, attr) => {
    const response = await remove(body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'not_a_list', attr })
  })

  it('is the summary in CSV', async () => {
    const response = await app.call('POST', `${API}/bulk_delete/?format=csv`, { body: { ids: [987_654] } })
    expect(response.statusCode).toBe(202)
    expect(response.body).toBe(
      'events_queued_for_deletion,ids_not_found.0,persons_deleted,persons_found,recordings_queued_for_deletion\r\nfalse,987654,0,0,false\r\n',
    )
  })
})

describe('GET persons/deletion_status/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/persons/deletion_status/', scope: 'person:read', status: 200 })

  it('shows requests newest first, filtered by status and person, page by page', async () => {
    const project = await makeProject(app)
    const url = `/api/environments/${project.id}/persons`
    const made = []
    for (let i = 0; i < 3; i++) made.push(await makePerson(app, { projectId: project.id }))
    for (const { id } of made) {
      app.clock.advance(1_000)
      await app.call('DELETE', `${url}/${id}/?delete_events=true`)
    }
    app.clock.advance(-3_000)
    const ask = async (query: string) => (await app.call('GET', `${url}/deletion_status/${query}`)).json()
    const all = await ask('')
    expect(all).toMatchObject({ count: 3, next: null, previous: null })
    expect(all.results.map((row: { person_id: number }) => row.person_id)).toEqual(made.map(({ id }) => id).reverse())
    expect((await ask('?status=pending')).count).toBe(3)
    expect((await ask('?status=all')).count).toBe(3)
    expect((await ask('?status=completed')).count).toBe(0)
    expect((await ask(`?person_uuid=${made[1]?.uuid.toUpperCase()}`)).results).toMatchObject([
      { person_id: made[1]?.id },
    ])
    expect(await ask('?limit=2')).toMatchObject({
      count: 3,
      next: `http://localhost${url}/deletion_status/?limit=2&offset=2`,
    })
    expect(await status({ person_uuid: made[0]?.uuid ?? '' })).toMatchObject({ count: 0 })
  })

  it.each([
    ['status=done', 'status', 'invalid_choice'],
    ['person_uuid=abc', 'person_uuid', 'invalid_input'],
    ['limit=x', 'limit', 'invalid_input'],
    ['offset=-1', 'offset', 'min_value'],
  ])('refuses %s', async (query, attr, code) => {
    const response = await app.call('GET', `${API}/deletion_status/?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr, code })
  })

  it('is the whole result in CSV, however long, unless a page is chosen', async () => {
    const { id: projectId } = await makeProject(app)
    await app.stores.transaction(async (tx) => {
      for (let personId = 1; personId <= 2_345; personId++) {
        const request = { projectId, personId, personUuid: crypto.randomUUID(), distinctIds: [], cutoffSeq: 1 }
        const times = { createdAt: Math.floor(personId / 7), scheduledFor: app.clock.now() }
        const { id } = await tx.deletions.insert({ ...request, ...times, createdBy: 1, recordingsDeleted: null })
        const done = { cutoffSeq: 1, at: app.clock.now(), events: 0, sessions: 0 }
        if (personId === 5) await tx.deletions.complete(id, done)
      }
    })
    const persons = async (query: string) => {
      const response = await app.call(
        'GET',
        `/api/environments/${projectId}/persons/deletion_status/?format=csv${query}`,
      )
      expect(response.headers['content-disposition']).toBe('attachment; filename="deletion_status.csv"')
      const [, ...rows] = response.body.trimEnd().split('\r\n')
      return rows.map((row) => Number(row.split(',')[3]))
    }
    expect(await persons('')).toEqual(Array.from({ length: 2_345 }, (_, i) => 2_345 - i))
    expect(await persons('&status=completed')).toEqual([5])
    expect(await persons('&status=pending')).toHaveLength(2_344)
    expect(await persons('&limit=2')).toEqual([2_345, 2_344])
    expect(await persons('&limit=2&offset=1')).toEqual([2_344, 2_343])
    expect(await persons('&offset=2300')).toHaveLength(45)
  })

  it('is its rows in CSV', async () => {
    const response = await app.call('GET', `${API}/deletion_status/?format=csv&person_uuid=${crypto.randomUUID()}`)
    expect(response.body).toBe(
      'created_at,delete_verified_at,events_deleted,person_id,person_uuid,recordings_deleted,scheduled_for,sessions_deleted,status\r\n',
    )
  })
})

describe('POST persons/{id}/delete_events/', () => {
  const path = (id: number | string) => `/persons/${id}/delete_events/`
  itIsGuarded(() => app, {
    method: 'POST',
    path: async () => path((await makePerson(app)).id),
    scope: 'person:write',
    status: 202,
  })
  itKnowsItsPersons(
    () => app,
    (projectId) => makePerson(app, { projectId }),
    { method: 'POST', path },
  )

  it('queues its events and keeps the person; repeating it extends the cut-off of the same request', async () => {
    const person = await makePerson(app, { distinctIds: ['queue-1'] })
    await makeEvents(app, [{ distinctId: 'queue-1' }])
    const first = await app.call('POST', `/api/environments/1${path(person.uuid)}`)
    expect(first.statusCode).toBe(202)
    expect(first.json()).toEqual({
      person_id: person.id,
      person_uuid: person.uuid,
      created_at: '2026-03-04T12:00:00Z',
      status: 'pending',
      scheduled_for: '2026-03-08T05:00:00Z',
      delete_verified_at: null,
      events_deleted: null,
      sessions_deleted: null,
      recordings_deleted: null,
    })
    const cutoff = async () =>
      (await app.stores.deletions.list({ projectId: 1, personUuid: person.uuid }, { limit: 5, offset: 0 })).items.map(
        (item) => item.cutoffSeq,
      )
    const [before] = await cutoff()
    await makeEvents(app, [{ distinctId: 'queue-1' }])
    app.clock.advance(7 * 86_400_000)
    const second = await app.call('POST', `/api/environments/1${path(person.id)}`)
    app.clock.advance(-7 * 86_400_000)
    expect(second.json()).toEqual(first.json())
    const [after, ...more] = await cutoff()
    expect(more).toEqual([])
    expect(after).toBeGreaterThan(before ?? 0)
    expect(await exists(person.id)).toBe(true)
  })
})

/** The session of a new recording of this distinct id. */
const recorded = async (distinctId: string) => (await makeRecording(app, { distinctId, bytes: '[]' })).sessionId
const isRecorded = async (sessionId: string) =>
  (await app.call('GET', `/api/environments/1/session_recordings/${sessionId}/`)).statusCode === 200

describe('delete_recordings', () => {
  it('as a parameter of DELETE also deletes the recordings, false keeps them', async () => {
    for (const [flag, stays] of [
      ['true', false],
      ['false', true],
    ] as const) {
      const person = await makePerson(app, { distinctIds: [`seen-${flag}`] })
      const session = await recorded(`seen-${flag}`)
      const response = await app.call('DELETE', `${API}/${person.id}/?delete_recordings=${flag}`)
      expect(response.statusCode).toBe(204)
      expect(await exists(person.id)).toBe(false)
      expect(await isRecorded(session)).toBe(stays)
    }
  })

  it('with keep_person deletes the recordings only', async () => {
    const person = await makePerson(app, { distinctIds: ['kept-but-unseen'] })
    const session = await recorded('kept-but-unseen')
    await app.call('DELETE', `${API}/${person.id}/?delete_recordings&keep_person`)
    expect([await exists(person.id), await isRecorded(session)]).toEqual([true, false])
  })

  it('of an unknown person is 404 and deletes nothing', async () => {
    const session = await recorded('no-person')
    expect((await app.call('DELETE', `${API}/987654/?delete_recordings=true`)).statusCode).toBe(404)
    expect(await isRecorded(session)).toBe(true)
  })

  it('in bulk_delete applies to all persons found', async () => {
    const persons = [
      await makePerson(app, { distinctIds: ['bulk-seen-1'] }),
      await makePerson(app, { distinctIds: ['bulk-seen-2'] }),
    ]
    const sessions = [await recorded('bulk-seen-1'), await recorded('bulk-seen-2')]
    const body = { ids: persons.map(({ id }) => id), delete_recordings: true }
    const response = await app.call('POST', `${API}/bulk_delete/`, { body })
    expect(response.json()).toMatchObject({ persons_deleted: 2, recordings_queued_for_deletion: true })
    expect(await Promise.all(sessions.map(isRecorded))).toEqual([false, false])
  })
})

describe('POST persons/{id}/delete_recordings/', () => {
  const path = (id: number | string) => `/persons/${id}/delete_recordings/`
  itIsGuarded(() => app, {
    method: 'POST',
    path: async () => path((await makePerson(app)).id),
    scope: 'person:write',
    status: 202,
  })
  itKnowsItsPersons(
    () => app,
    (projectId) => makePerson(app, { projectId }),
    { method: 'POST', path },
  )

  it('deletes the recordings of all its ids at once, and keeps the person', async () => {
    const person = await makePerson(app, { distinctIds: ['watched-1', 'watched-2'] })
    const mine = [await recorded('watched-1'), await recorded('watched-2')]
    const others = await recorded('somebody-else')
    const response = await app.call('POST', `/api/environments/1${path(person.uuid)}`)
    expect([response.statusCode, response.json()]).toEqual([202, { recordings_deleted: 2 }])
    for (const id of mine) expect(await isRecorded(id)).toBe(false)
    expect(await isRecorded(others)).toBe(true)
    expect(await exists(person.id)).toBe(true)
  })

  it('of a person without recordings deletes none and keeps the person', async () => {
    const { id } = await makePerson(app)
    const response = await app.call('POST', `/api/environments/1${path(id)}`)
    expect([response.statusCode, response.json()]).toEqual([202, { recordings_deleted: 0 }])
    expect(await exists(id)).toBe(true)
  })
})

describe('POST persons/reset_person_distinct_id/', () => {
  itIsGuarded(() => app, {
    method: 'POST',
    path: () => '/persons/reset_person_distinct_id/',
    scope: 'person:write',
    status: 202,
    options: { body: { distinct_id: 'x' } },
  })

  it.each([{}, { distinct_id: null }, { distinct_id: 5 }, { distinct_id: '' }])('refuses %j', async (body) => {
    const response = await app.call('POST', `${API}/reset_person_distinct_id/`, { body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      type: 'validation_error',
      code: 'required',
      detail: 'distinct_id is required',
      attr: 'distinct_id',
    })
  })
})

describe('a person with very much data', () => {
  it('is deleted at once; what is left of its property history is deleted by a job', async () => {
    const person = await makePerson(app)
    const changes = Array.from({ length: 11_000 }, (_, at) => makeChange(person.id, at, { set: { x: at } }))
    await app.stores.transaction((tx) => tx.persons.addHistory(1, changes))
    const left = async () => (await wholeHistory(app.stores.persons, 1, person.id)).length
    expect((await app.call('DELETE', `${API}/${person.id}/`)).statusCode).toBe(204)
    expect(await exists(person.id)).toBe(false)
    expect(await left()).toBe(6_000)
    await app.runner.runDue()
    expect(await left()).toBe(0)
  })

  it('loses all its recordings, some at a time', async () => {
    const person = await makePerson(app, { distinctIds: ['watched'] })
    for (let n = 0; n < 210; n++) await makeRecording(app, { distinctId: 'watched', sessionId: `watched-${n}` })
    const response = await app.call('POST', `${API}/${person.id}/delete_recordings/`)
    expect([response.statusCode, response.json()]).toEqual([202, { recordings_deleted: 210 }])
    const { items } = await app.stores.activity.page({ projectId: 1, scope: 'Replay' }, { limit: 100, offset: 0 })
    const names = items.map(({ detail }) => detail.name)
    expect(names).toEqual(expect.arrayContaining(['10 session recordings', '100 session recordings']))
    expect(names.filter((name) => name === '100 session recordings')).toHaveLength(2)
  })
})
