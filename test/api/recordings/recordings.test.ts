/** One session recording: reading, changing and deleting it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecordings } from '../../../src/features/recordings/recordings.ts'
import type { BlobStore } from '../../../src/model/blob.ts'
import { keyCredential } from '../../../src/rules/accounts/key-credential.ts'
import { recordingFolder } from '../../../src/rules/recordings/recording.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makePerson, makeProject, makeRecording, makeStranger } from '../../support/make.ts'
import { removeFolder, tempFolder } from '../../support/program.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const url = (id: string, rest = '') => `/api/environments/1/session_recordings/${encodeURIComponent(id)}/${rest}`
const fresh = async () => `/session_recordings/${(await makeRecording(app)).sessionId}/`
const read = async (id: string) => (await app.call('GET', url(id))).json()
const patch = (id: string, body: unknown, key?: string) =>
  app.call('PATCH', url(id), { body, ...(key === undefined ? {} : { key }) })
const invalid = (detail: string, attr: string | null, code = 'invalid_input') => ({
  type: 'validation_error',
  code,
  detail,
  attr,
})
const NOT_FOUND = { type: 'invalid_request', code: 'not_found', detail: 'Recording not found', attr: null }

const SEED_FIELDS = [
  'id',
  'distinct_id',
  'viewed',
  'recording_duration',
  'active_seconds',
  'inactive_seconds',
  'start_time',
  'end_time',
  'click_count',
  'keypress_count',
  'mouse_activity_count',
  'console_log_count',
  'console_warn_count',
  'console_error_count',
  'start_url',
  'person',
  'storage',
  'snapshot_source',
  'ongoing',
  'activity_score',
]
const ADDED_FIELDS = [
  'viewers',
  'retention_period_days',
  'expiry_time',
  'recording_ttl',
  'snapshot_library',
  'total_size',
  'event_count',
]

/** Ids of what is in no project, or in another one. */
function itKnowsItsRecordings(method: string, body?: unknown): void {
  const ask = (id: string, project: number | string = 1) =>
    app.call(method, `/api/environments/${project}/session_recordings/${encodeURIComponent(id)}/`, {
      ...(body === undefined ? {} : { body }),
    })
  it('does not find a recording of another project', async () => {
    const other = await makeProject(app)
    const { sessionId } = await makeRecording(app, { projectId: other.id })
    const response = await ask(sessionId)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual(NOT_FOUND)
    expect((await app.stores.recordings.find(other.id, sessionId, app.clock.now()))?.sessionId).toBe(sessionId)
  })
  it.each([
    'unknown',
    '1',
    '9223372036854775808',
    '019a0000-0000-7000-8000-000000000000',
    'Ω',
    '%',
    '\0',
    'x'.repeat(200),
  ])('does not find %j', async (id) => {
    const response = await ask(id)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual(NOT_FOUND)
  })
  it('does not find one that has expired', async () => {
    const app = await makeApp()
    const { sessionId } = await makeRecording(app, { startAt: Date.UTC(2026, 2, 4, 11), retentionDays: 30 })
    const expiring = () =>
      app.call(method, `/api/environments/1/session_recordings/${sessionId}/`, { ...(body ? { body } : {}) })
    app.clock.set(Date.UTC(2026, 3, 3))
    expect((await expiring()).json()).toEqual(NOT_FOUND)
    app.clock.set(Date.UTC(2026, 3, 3) - 1)
    expect((await expiring()).statusCode).toBeLessThan(300)
    await app.end()
  })
}

describe('GET session_recordings/{id}/', () => {
  itIsGuarded(() => app, { method: 'GET', path: fresh, scope: 'session_recording:read', status: 200 })
  itKnowsItsRecordings('GET')

  it('answers the twenty fields of the seed, then ours', async () => {
    const person = await makePerson(app, {
      distinctIds: ['jane', 'jane-phone'],
      properties: { email: 'jane@example.com', nested: { list: [1.5, null, [], {}], flag: false } },
      createdAt: Date.UTC(2026, 0, 2),
    })
    const { sessionId } = await makeRecording(app, {
      distinctId: 'jane-phone',
      startAt: Date.UTC(2026, 2, 4, 11) + 37,
      endAt: Date.UTC(2026, 2, 4, 11) + 32_908,
    })
    const response = await app.call('GET', url(sessionId))
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(Object.keys(response.json())).toEqual([...SEED_FIELDS, ...ADDED_FIELDS])
    expect(response.json()).toEqual({
      id: sessionId,
      distinct_id: 'jane-phone',
      viewed: false,
      recording_duration: 32,
      active_seconds: 14,
      inactive_seconds: 18,
      start_time: '2026-03-04T11:00:00.037000Z',
      end_time: '2026-03-04T11:00:32.908000Z',
      click_count: 14,
      keypress_count: 36,
      mouse_activity_count: 83,
      console_log_count: 12,
      console_warn_count: 4,
      console_error_count: 4,
      start_url: 'https://example.com/pricing?plan=pro',
      person: {
        id: person.id,
        name: 'jane@example.com',
        distinct_ids: 'jane-phone',
        properties: { email: 'jane@example.com', nested: { list: [1.5, null, [], {}], flag: false } },
        created_at: '2026-01-02T00:00:00Z',
        uuid: person.uuid,
      },
      storage: 'object_storage',
      snapshot_source: 'web',
      ongoing: false,
      activity_score: 50.95,
      viewers: [],
      retention_period_days: 30,
      expiry_time: '2026-04-03T00:00:00Z',
      recording_ttl: 30,
      snapshot_library: 'web',
      total_size: 184_320,
      event_count: 169,
    })
  })

  it('has no null among its own fields when nothing was counted', async () => {
    const counters = { clicks: 0, keypresses: 0, mouseActivity: 0, consoleLogs: 0, consoleWarns: 0, consoleErrors: 0 }
    const startAt = app.clock.now() - 1_000
    const empty = { startAt, endAt: startAt, activeMs: 0, counters, startUrl: '', totalSize: 0, eventCount: 0 }
    const { sessionId } = await makeRecording(app, { ...empty, snapshotLibrary: null, snapshotSource: 'mobile' })
    const body = await read(sessionId)
    for (const field of SEED_FIELDS) expect(body[field], field).not.toBeNull()
    expect(body).toMatchObject({ activity_score: 0, start_url: '', recording_duration: 0, snapshot_source: 'mobile' })
    expect(body.snapshot_library).toBeNull()
  })

  it('shows a stub where there is no person', async () => {
    const { sessionId } = await makeRecording(app, { distinctId: 'nobody-at-all' })
    expect((await read(sessionId)).person).toEqual({
      id: null,
      name: null,
      distinct_ids: 'nobody-at-all',
      properties: {},
      created_at: null,
      // version 5 of "1:nobody-at-all" in the namespace of persons
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    })
  })

  it('does not take a person of another project for its own', async () => {
    const other = await makeProject(app)
    await makePerson(app, { projectId: other.id, distinctIds: ['same-id'] })
    const { sessionId } = await makeRecording(app, { distinctId: 'same-id' })
    expect((await read(sessionId)).person.id).toBeNull()
  })

  it('is ongoing for five minutes after the last data came', async () => {
    const now = app.clock.now()
    const { sessionId } = await makeRecording(app, { lastIngestAt: now - 5 * 60_000 })
    const older = await makeRecording(app, { lastIngestAt: now - 5 * 60_000 - 1 })
    expect((await read(sessionId)).ongoing).toBe(true)
    expect((await read(older.sessionId)).ongoing).toBe(false)
  })

  it('counts calendar days until it expires', async () => {
    const { sessionId } = await makeRecording(app, { startAt: Date.UTC(2026, 2, 3, 23, 59), retentionDays: 30 })
    expect((await read(sessionId)).recording_ttl).toBe(29)
    const soon = await makeRecording(app, { startAt: Date.UTC(2026, 1, 3), retentionDays: 30 })
    expect(await read(soon.sessionId)).toMatchObject({ expiry_time: '2026-03-05T00:00:00Z', recording_ttl: 1 })
  })

  it('names the others who have seen it, not the caller', async () => {
    const { sessionId } = await makeRecording(app)
    const stranger = await makeStranger(app)
    await app.stores.transaction((tx) => tx.recordings.addViews(1, stranger.userId, [sessionId], app.clock.now()))
    const before = await read(sessionId)
    expect(before.viewed).toBe(false)
    expect(before.viewers).toEqual([expect.stringMatching(/^stranger-\d+@example\.com$/)])
    await patch(sessionId, { viewed: true })
    const after = await read(sessionId)
    expect(after.viewed).toBe(true)
    expect(after.viewers).toEqual(before.viewers)
  })
})

describe('PATCH session_recordings/{id}/', () => {
  itIsGuarded(() => app, {
    method: 'PATCH',
    path: fresh,
    scope: 'session_recording:write',
    options: { body: { viewed: true } },
    status: 200,
  })
  itKnowsItsRecordings('PATCH', { viewed: true })

  it('answers the recording and success', async () => {
    const { sessionId } = await makeRecording(app)
    const response = await patch(sessionId, { viewed: true })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ ...(await read(sessionId)), success: true })
    expect(response.json().viewed).toBe(true)
    expect(Object.keys(response.json())).toEqual([...SEED_FIELDS, ...ADDED_FIELDS, 'success'])
  })

  it('is the same by PUT', async () => {
    const { sessionId } = await makeRecording(app)
    const response = await app.call('PUT', url(sessionId), { body: { viewed: true } })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ viewed: true, success: true })
  })

  it('goes by the value: false un-views, for the caller only', async () => {
    const { sessionId } = await makeRecording(app)
    const stranger = await makeStranger(app)
    await app.stores.transaction((tx) => tx.recordings.addViews(1, stranger.userId, [sessionId], app.clock.now()))
    await patch(sessionId, { viewed: true })
    expect((await patch(sessionId, { viewed: false })).json().viewed).toBe(false)
    expect((await patch(sessionId, { viewed: false, analyzed: true })).json()).toMatchObject({ viewed: false })
    expect((await read(sessionId)).viewers).toHaveLength(1)
  })

  it('keeps whether it was analyzed, by value', async () => {
    const { sessionId } = await makeRecording(app)
    const analyzed = async () => (await app.stores.recordings.find(1, sessionId, app.clock.now()))?.analyzed
    expect((await patch(sessionId, { analyzed: true })).statusCode).toBe(200)
    expect(await analyzed()).toBe(true)
    await patch(sessionId, { analyzed: false })
    expect(await analyzed()).toBe(false)
  })

  it('takes player_metadata of any shape by itself', async () => {
    const { sessionId } = await makeRecording(app)
    const text = '{"player_metadata": {"__proto__": {"polluted": true}, "deep": [{"x": null, "y": 1.5, "z": []}]}}'
    expect((await patch(sessionId, text)).statusCode).toBe(200)
    expect((await patch(sessionId, { player_metadata: null })).statusCode).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    [{}, invalid("At least one of 'person', 'viewed', 'analyzed', 'player_metadata' must be provided.", null)],
    ['', invalid("At least one of 'person', 'viewed', 'analyzed', 'player_metadata' must be provided.", null)],
    [
      { durations: [], tags: 1 },
      invalid("At least one of 'person', 'viewed', 'analyzed', 'player_metadata' must be provided.", null),
    ],
    [{ viewed: 'yes' }, invalid('Must be a valid boolean.', 'viewed')],
    [{ viewed: null }, invalid('This field may not be null.', 'viewed', 'null')],
    [{ analyzed: 1 }, invalid('Must be a valid boolean.', 'analyzed')],
    [
      { player_metadata: [] },
      invalid('Expected a dictionary of items but got type "list".', 'player_metadata', 'not_a_dict'),
    ],
    [{ person: 987_654 }, invalid('Invalid pk "987654" - object does not exist.', 'person', 'does_not_exist')],
    [{ person: -1 }, invalid('Invalid pk "-1" - object does not exist.', 'person', 'does_not_exist')],
    [
      { person: { uuid: '00000000-0000-0000-0000-000000000000' } },
      invalid('Invalid pk "00000000-0000-0000-0000-000000000000" - object does not exist.', 'person', 'does_not_exist'),
    ],
    ...['jane', '', 1.5, true, [], {}, { id: null, uuid: null }, { id: 'x' }, { id: 1.5 }].map(
      (person): [unknown, unknown] => [
        { person },
        invalid('Must be the integer id or the UUID of a person, an object that holds one of them, or null.', 'person'),
      ],
    ),
  ])('refuses %j and changes nothing', async (body, problem) => {
    const { sessionId } = await makeRecording(app)
    const before = await read(sessionId)
    const response = await patch(sessionId, body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(problem)
    expect(await read(sessionId)).toEqual(before)
  })

  it('names every problem of a body', async () => {
    const { sessionId } = await makeRecording(app)
    const { errors } = (await patch(sessionId, { viewed: 1, analyzed: 'x' })).json()
    expect(errors.map((problem: { attr: string }) => problem.attr)).toEqual(['viewed', 'analyzed'])
  })

  describe('person', () => {
    const people = async () => {
      const jane = await makePerson(app, { properties: { email: 'jane@example.com' } })
      const john = await makePerson(app, { properties: { email: 'john@example.com' } })
      const { sessionId } = await makeRecording(app, { distinctId: jane.distinctIds[0] as string })
      return { jane, john, sessionId }
    }
    it('gives the recording to a person named by id, uuid or an object with either', async () => {
      const { jane, john, sessionId } = await people()
      for (const person of [john.id, john.uuid, { id: john.id }, { uuid: john.uuid }, { id: null, uuid: john.uuid }]) {
        const given = (await patch(sessionId, { person })).json()
        expect(given.person).toMatchObject({ id: john.id, name: 'john@example.com', distinct_ids: jane.distinctIds[0] })
        expect(given.distinct_id).toBe(jane.distinctIds[0])
        expect((await read(sessionId)).person.id).toBe(john.id)
        expect((await patch(sessionId, { person: null })).json().person.id).toBe(jane.id)
      }
    })
    it('takes what GET gave, whole, and changes nothing', async () => {
      const { john, sessionId } = await people()
      const natural = await read(sessionId)
      expect((await patch(sessionId, natural)).json()).toEqual({ ...natural, success: true })
      expect((await app.stores.recordings.find(1, sessionId, app.clock.now()))?.personId).toBeNull()
      await patch(sessionId, { person: john.id })
      const given = await read(sessionId)
      expect((await patch(sessionId, given)).json()).toEqual({ ...given, success: true })
    })
    it('takes the stub that GET gave, and changes nothing', async () => {
      const { sessionId } = await makeRecording(app, { distinctId: 'stub-id' })
      const stub = await read(sessionId)
      const response = await patch(sessionId, stub)
      expect(response.statusCode).toBe(200)
      expect(response.json().person).toEqual(stub.person)
    })
    it('does not store a person that owns it anyway, so that it moves along', async () => {
      const { jane, john, sessionId } = await people()
      await patch(sessionId, { person: john.id })
      await patch(sessionId, { person: jane.id })
      expect((await app.stores.recordings.find(1, sessionId, app.clock.now()))?.personId).toBeNull()
    })
    it('does not know persons of another project', async () => {
      const { sessionId } = await people()
      const other = await makeProject(app)
      const foreign = await makePerson(app, { projectId: other.id })
      for (const person of [foreign.id, foreign.uuid]) {
        const response = await patch(sessionId, { person })
        expect(response.statusCode).toBe(400)
        expect(response.json()).toMatchObject({ code: 'does_not_exist', attr: 'person' })
      }
    })
    it('is undone when that person is deleted', async () => {
      const { jane, john, sessionId } = await people()
      await patch(sessionId, { person: john.id })
      await app.call('DELETE', `/api/environments/1/persons/${john.id}/`)
      expect((await read(sessionId)).person.id).toBe(jane.id)
    })
    it('is written down in the activity log, by id only', async () => {
      const { john, sessionId } = await people()
      await patch(sessionId, { person: john.id })
      await patch(sessionId, { person: john.id })
      const filter = { projectId: 1, scope: 'Replay', itemId: sessionId }
      const { items } = await app.stores.activity.page(filter, { limit: 10, offset: 0 })
      expect(items).toHaveLength(1)
      expect(items[0]).toMatchObject({ activity: 'updated', userId: 1 })
      expect(items[0]?.detail.changes).toEqual([
        { type: 'Replay', action: 'changed', field: 'person', before: null, after: john.id },
      ])
    })
  })

  it('loses nothing with many concurrent changes', async () => {
    const { sessionId } = await makeRecording(app)
    const john = await makePerson(app)
    const all = await Promise.all([
      patch(sessionId, { viewed: true }),
      patch(sessionId, { person: john.id }),
      patch(sessionId, { analyzed: true }),
      patch(sessionId, { viewed: true }),
    ])
    expect(all.map((response) => response.statusCode)).toEqual([200, 200, 200, 200])
    expect(await read(sessionId)).toMatchObject({ viewed: true, person: { id: john.id } })
    expect((await app.stores.recordings.find(1, sessionId, app.clock.now()))?.analyzed).toBe(true)
  })
})

describe('DELETE session_recordings/{id}/', () => {
  itIsGuarded(() => app, { method: 'DELETE', path: fresh, scope: 'session_recording:write', status: 204 })
  itKnowsItsRecordings('DELETE')

  const blobs = (sessionId: string) => app.stores.blobs.list(recordingFolder(1, sessionId))

  it('answers 204 without a body, when the bytes are gone', async () => {
    const { sessionId } = await makeRecording(app, { bytes: 'the bytes' })
    await app.stores.blobs.put(`${recordingFolder(1, sessionId)}never-recorded`, Buffer.from('cut off'))
    expect(await blobs(sessionId)).toHaveLength(2)
    const response = await app.call('DELETE', url(sessionId))
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(await blobs(sessionId)).toEqual([])
    expect(existsSync(join(app.dataDir, 'blobs/1/recordings', sessionId))).toBe(false)
  })

  it('leaves a tombstone, by which late data is refused, and nothing else', async () => {
    const recording = await makeRecording(app, { bytes: 'x' })
    const { sessionId } = recording
    await patch(sessionId, { viewed: true })
    await app.call('DELETE', url(sessionId))
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', 'viewed/'],
      ['GET', 'sharing/'],
    ] as const) {
      const response = await app.call(method, url(sessionId, rest))
      expect(response.statusCode, `${method} ${rest}`).toBe(404)
      expect(response.json()).toEqual(NOT_FOUND)
    }
    expect((await patch(sessionId, { viewed: true })).statusCode).toBe(404)
    expect(await app.stores.recordings.findTombstone(1, sessionId)).toEqual({
      projectId: 1,
      sessionId,
      deletedAt: app.clock.now(),
      deletedBy: 1,
      freedAt: app.clock.now(),
    })
    expect(await app.stores.transaction((tx) => tx.recordings.create(recording, []))).toBe(false)
  })

  it('writes one activity entry', async () => {
    const { sessionId } = await makeRecording(app)
    await app.call('DELETE', url(sessionId))
    await app.call('DELETE', url(sessionId))
    const filter = { projectId: 1, scope: 'Replay', itemId: sessionId }
    const { items } = await app.stores.activity.page(filter, { limit: 10, offset: 0 })
    expect(items.map(({ activity, userId, detail }) => ({ activity, userId, name: detail.name }))).toEqual([
      { activity: 'deleted', userId: 1, name: sessionId },
    ])
  })

  it('of several at once one deletes, the others find nothing', async () => {
    const { sessionId } = await makeRecording(app, { bytes: 'x' })
    const all = await Promise.all([1, 2, 3, 4].map(() => app.call('DELETE', url(sessionId))))
    expect(all.map((response) => response.statusCode).sort()).toEqual([204, 404, 404, 404])
    expect(await blobs(sessionId)).toEqual([])
  })

  it('ignores a body, and a read key may not', async () => {
    const { sessionId } = await makeRecording(app)
    const key = await makeKey(app, { scopes: ['session_recording:read'] })
    expect((await app.call('DELETE', url(sessionId), { key })).statusCode).toBe(403)
    expect((await app.call('DELETE', url(sessionId), { body: '' })).statusCode).toBe(204)
  })

  describe('when the bytes cannot be removed', () => {
    const broken = (blobs: BlobStore): BlobStore => ({
      ...blobs,
      removeAll: () => Promise.reject(new Error('no disk')),
    })
    const actor = async ({ stores }: TestApp) => {
      const project = await stores.projects.find(1)
      const user = await stores.users.find(1)
      const [key] = await stores.keys.listOfUser(1)
      if (!project || !user || !key) throw new Error('There is no first project.')
      return { project, caller: { credential: keyCredential(key), user, memberships: [] } }
    }
    const stuckIn = async (host: TestApp) => {
      const { sessionId } = await makeRecording(host, { bytes: 'x' })
      const stores = { ...host.stores, blobs: broken(host.stores.blobs) }
      const recordings = createRecordings({ stores, clock: host.clock, failed: () => {} })
      await expect(recordings.remove(await actor(host), sessionId)).rejects.toThrow('no disk')
      return sessionId
    }
    it('says so, hides the recording, and finishes when it is repeated', async () => {
      const sessionId = await stuckIn(app)
      expect((await app.call('GET', url(sessionId))).statusCode).toBe(404)
      expect(await app.stores.recordings.blocks(1, sessionId)).toEqual([])
      expect(await blobs(sessionId)).toHaveLength(1)
      expect((await app.call('DELETE', url(sessionId))).statusCode).toBe(204)
      expect(await blobs(sessionId)).toEqual([])
      expect((await app.call('DELETE', url(sessionId))).statusCode).toBe(404)
    })
    it('finishes at the next start', async () => {
      const dataDir = tempFolder()
      const first = await makeApp({ dataDir })
      const sessionId = await stuckIn(first)
      await first.end()
      const second = await makeApp({ dataDir })
      expect(await second.stores.blobs.list('')).toEqual([])
      expect((await second.stores.recordings.findTombstone(1, sessionId))?.freedAt).toBe(second.clock.now())
      expect((await second.call('DELETE', url(sessionId))).statusCode).toBe(404)
      await second.end()
      removeFolder(dataDir)
    })
    it('reports to a bulk which ones are left', async () => {
      const { sessionId } = await makeRecording(app, { bytes: 'x' })
      const stores = { ...app.stores, blobs: broken(app.stores.blobs) }
      const reported: unknown[] = []
      const recordings = createRecordings({ stores, clock: app.clock, failed: (error) => void reported.push(error) })
      expect(await recordings.bulkRemove(await actor(app), [sessionId, 'unknown'], null)).toEqual({
        success: false,
        deleted_count: 0,
        total_requested: 2,
        failed_ids: [sessionId],
      })
      expect(reported).toEqual([new Error('no disk')])
      expect((await app.call('DELETE', url(sessionId))).statusCode).toBe(204)
    })
  })
})

describe('deleting a person with its recordings', () => {
  it('deletes the recordings of all its ids and those assigned to it, not those assigned to others', async () => {
    const jane = await makePerson(app, { distinctIds: ['j-1', 'j-2'] })
    const john = await makePerson(app)
    const made = async (distinctId: string) => (await makeRecording(app, { distinctId, bytes: 'x' })).sessionId
    const [first, second, givenAway, received] = [
      await made('j-1'),
      await made('j-2'),
      await made('j-2'),
      await made('k'),
    ]
    await patch(givenAway, { person: john.id })
    await patch(received, { person: jane.id })
    const response = await app.call('DELETE', `/api/environments/1/persons/${jane.id}/?delete_recordings=true`)
    expect(response.statusCode).toBe(204)
    const statuses = await Promise.all(
      [first, second, givenAway, received].map(async (id) => (await app.call('GET', url(id))).statusCode),
    )
    expect(statuses).toEqual([404, 404, 200, 404])
    expect(await app.stores.blobs.list(recordingFolder(1, first))).toEqual([])
  })
})
