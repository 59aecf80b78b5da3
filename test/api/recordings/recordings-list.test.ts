/** Lists of session recordings, what was viewed, bulk routes and matching events. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { recordingFolder } from '../../../src/rules/recordings/recording.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import {
  makeEvents,
  makeKey,
  makePerson,
  makeProject,
  makeRecording,
  makeStranger,
  type RecordingInput,
} from '../../support/make.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const base = (projectId: number | string = 1) => `/api/environments/${projectId}/session_recordings/`
const ask = (projectId: number, query: Record<string, unknown> = {}, rest = '', key?: string) =>
  app.call('GET', base(projectId) + rest, {
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    ...(key === undefined ? {} : { key }),
  })
const post = (projectId: number, rest: string, body: unknown) => app.call('POST', base(projectId) + rest, { body })
const ids = async (projectId: number, query: Record<string, unknown> = {}): Promise<string[]> => {
  const response = await ask(projectId, query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().results.map((recording: { id: string }) => recording.id)
}

/** A project of its own with recordings of these names. */
async function seeded(inputs: Record<string, RecordingInput>): Promise<number> {
  const { id } = await makeProject(app)
  for (const [sessionId, input] of Object.entries(inputs)) {
    await makeRecording(app, { ...input, sessionId, projectId: id })
  }
  return id
}

describe('GET session_recordings/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: () => '/session_recordings/',
    scope: 'session_recording:read',
    status: 200,
  })

  it('answers an envelope whose items are the recordings as retrieve shows them', async () => {
    const projectId = await seeded({ one: { distinctId: 'jane' } })
    await makePerson(app, { projectId, distinctIds: ['jane'], properties: { a: { b: [null, 1.5, [], {}] } } })
    const response = await ask(projectId)
    const one = await app.call('GET', `${base(projectId)}one/`)
    expect(response.json()).toEqual({ count: 1, next: null, previous: null, results: [one.json()], has_next: false })
    expect(one.json().person.properties).toEqual({ a: { b: [null, 1.5, [], {}] } })
  })

  it('shows each recording with its own distinct id, also of one person', async () => {
    const projectId = await seeded({ a: { distinctId: 'x' }, b: { distinctId: 'y' } })
    await makePerson(app, { projectId, distinctIds: ['x', 'y'] })
    const { results } = (await ask(projectId)).json()
    expect(results.map((item: { person: { distinct_ids: string } }) => item.person.distinct_ids).sort()).toEqual([
      'x',
      'y',
    ])
  })

  it('pages by 50, newest first, with links that keep the rest', async () => {
    const now = app.clock.now()
    const inputs = Array.from({ length: 51 }, (_, index) => [`s${index}`, { startAt: now - index * 1_000 }])
    const projectId = await seeded(Object.fromEntries(inputs))
    const first = (await ask(projectId, { order: 'start_time' })).json()
    expect(first).toMatchObject({ count: 51, previous: null, has_next: true })
    expect(first.results).toHaveLength(50)
    expect(first.results[0].id).toBe('s0')
    const next = new URL(first.next)
    expect(next.searchParams.get('order')).toBe('start_time')
    const second = (await app.call('GET', next.pathname + next.search)).json()
    expect(second.results.map((item: { id: string }) => item.id)).toEqual(['s50'])
    expect(second).toMatchObject({ next: null, has_next: false })
    expect(second.previous).not.toBeNull()
    expect((await ask(projectId, { limit: 5000 })).json().results).toHaveLength(51)
    expect((await ask(projectId, { offset: 60 })).json()).toMatchObject({ count: 51, results: [], has_next: false })
  })

  it('shows the last three days by default', async () => {
    const now = app.clock.now()
    const projectId = await seeded({
      fresh: { startAt: now - 3 * DAY },
      stale: { startAt: now - 3 * DAY - 1 },
      older: { startAt: now - 8 * DAY },
      oldest: { startAt: now - 29 * DAY },
      gone: { startAt: now - 31 * DAY },
    })
    expect(await ids(projectId)).toEqual(['fresh'])
    expect(await ids(projectId, { date_from: '-7d' })).toEqual(['fresh', 'stale'])
    expect(await ids(projectId, { date_from: 'all' })).toEqual(['fresh', 'stale', 'older', 'oldest'])
    expect(await ids(projectId, { date_from: '2026-02-20', date_to: '2026-03-01T11:59:59.999Z' })).toEqual([
      'stale',
      'older',
    ])
    expect(await ids(projectId, { date_from: '2026-02-20', date_to: '2026-02-24' })).toEqual(['older'])
    expect(await ids(projectId, { date_from: '-30d', date_to: '-2w' })).toEqual(['oldest'])
    expect(await ids(projectId, { date_to: 'null' })).toEqual(['fresh'])
  })

  it('lists neither deleted recordings nor those of other projects', async () => {
    const projectId = await seeded({ here: {}, dead: {} })
    await seeded({ elsewhere: {} })
    await app.call('DELETE', `${base(projectId)}dead/`)
    expect(await ids(projectId)).toEqual(['here'])
  })

  it('orders as requested, descending unless ASC', async () => {
    const projectId = await seeded({
      few: { counters: { clicks: 1 }, activeMs: 9_000 },
      many: { counters: { clicks: 9 }, activeMs: 1_000 },
    })
    expect(await ids(projectId, { order: 'click_count' })).toEqual(['many', 'few'])
    expect(await ids(projectId, { order: 'click_count', order_direction: 'ASC' })).toEqual(['few', 'many'])
    expect(await ids(projectId, { order: 'active_seconds' })).toEqual(['few', 'many'])
    expect(await ids(projectId, { order: 'duration' })).toHaveLength(2)
  })

  it('lists the given sessions in their order, whatever their time and viewers', async () => {
    const projectId = await seeded({ a: {}, b: { startAt: app.clock.now() - 20 * DAY }, c: {} })
    await post(projectId, 'bulk_viewed/', { session_recording_ids: ['a'] })
    const query = { session_ids: ['b', 'nobody', 'a', 'b'], hide_viewed_recordings: 'any-user' }
    expect(await ids(projectId, query)).toEqual(['b', 'a'])
    expect(await ids(projectId, { session_ids: [] })).toEqual([])
  })

  it('puts a forced recording first, also when the filters leave it out', async () => {
    const projectId = await seeded({ a: {}, b: {}, old: { startAt: app.clock.now() - 20 * DAY } })
    expect(await ids(projectId, { session_recording_id: 'old' })).toEqual(['old', 'a', 'b'])
    expect(await ids(projectId, { session_recording_id: 'b' })).toEqual(['b', 'a'])
    expect(await ids(projectId, { session_recording_id: 'nobody' })).toEqual(['a', 'b'])
  })

  it('hides what the caller, or any user, has viewed', async () => {
    const projectId = await seeded({ a: {}, b: {}, c: {} })
    const { userId } = await makeStranger(app)
    await app.stores.transaction((tx) => tx.recordings.addViews(projectId, userId, ['a'], app.clock.now()))
    await post(projectId, 'bulk_viewed/', { session_recording_ids: ['b'] })
    expect(await ids(projectId, { hide_viewed_recordings: 'current-user' })).toEqual(['a', 'c'])
    expect(await ids(projectId, { hide_viewed_recordings: 'any-user' })).toEqual(['c'])
  })

  it('filters by distinct ids, by person, and by properties of the person', async () => {
    const projectId = await seeded({ a: { distinctId: 'j1' }, b: { distinctId: 'j2' }, c: { distinctId: 'k' } })
    const jane = await makePerson(app, { projectId, distinctIds: ['j1', 'j2'], properties: { plan: 'pro', seats: 3 } })
    expect(await ids(projectId, { distinct_ids: ['j1', 'k'] })).toEqual(['a', 'c'])
    expect(await ids(projectId, { person_uuid: jane.uuid })).toEqual(['a', 'b'])
    expect(await ids(projectId, { person_uuid: jane.uuid.toUpperCase(), distinct_ids: ['k'] })).toEqual(['c'])
    expect(await ids(projectId, { person_uuid: randomUUID() })).toEqual([])
    const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }
    const seats = { key: 'seats', type: 'person', operator: 'gt', value: 3 }
    expect(await ids(projectId, { properties: [plan] })).toEqual(['a', 'b'])
    expect(await ids(projectId, { properties: [plan, seats] })).toEqual([])
    expect(await ids(projectId, { properties: { type: 'OR', values: [plan, seats] } })).toEqual(['a', 'b'])
  })

  it('treats a recording without a stored person as one of a person without properties', async () => {
    const projectId = await seeded({ a: { distinctId: 'pro' }, b: { distinctId: 'bare' }, c: { distinctId: 'nobody' } })
    await makePerson(app, { projectId, distinctIds: ['pro'], properties: { plan: 'pro' } })
    await makePerson(app, { projectId, distinctIds: ['bare'] })
    const found = (operator: string, value: unknown = 'pro') =>
      ids(projectId, { properties: [{ key: 'plan', type: 'person', operator, value }] })
    for (const operator of ['is_not', 'not_icontains', 'not_regex', 'is_not_set']) {
      expect(await found(operator), operator).toEqual(['b', 'c'])
    }
    for (const operator of ['exact', 'icontains', 'regex', 'is_set']) {
      expect(await found(operator), operator).toEqual(['a'])
    }
    expect(await found('is_not', ['free', 'team'])).toEqual(['a', 'b', 'c'])
  })

  it('compares counters', async () => {
    const projectId = await seeded({
      calm: { counters: { clicks: 1, consoleErrors: 0 } },
      wild: { counters: { clicks: 20, consoleErrors: 3 }, snapshotSource: 'mobile' },
    })
    const having = (...predicates: unknown[]) => ids(projectId, { having_predicates: predicates })
    expect(await having({ key: 'click_count', operator: 'gt', value: 5 })).toEqual(['wild'])
    expect(await having({ key: 'click_count', operator: 'exact', value: ['1'], type: 'recording' })).toEqual(['calm'])
    expect(await having({ key: 'duration', operator: 'gte', value: 32 })).toEqual(['calm', 'wild'])
    expect(await having({ key: 'duration', operator: 'lt', value: 32 })).toEqual([])
    expect(await having({ key: 'snapshot_source', operator: 'exact', value: ['mobile'] })).toEqual(['wild'])
    expect(await having({ key: 'snapshot_source', operator: 'is_not', value: 'mobile' })).toEqual(['calm'])
    const both = [
      { key: 'click_count', operator: 'lte', value: 1 },
      { key: 'console_error_count', operator: 'gte', value: 3 },
    ]
    expect(await having(...both)).toEqual([])
    expect(await ids(projectId, { having_predicates: both, operand: 'OR' })).toEqual(['calm', 'wild'])
  })

  it('finds sessions by their events: all of them, or any with OR', async () => {
    const now = app.clock.now()
    const [one, two] = [uuidV7(now - HOUR), uuidV7(now - 2 * HOUR)].map((id) => id.toUpperCase()) as [string, string]
    const projectId = await seeded({ [one]: {}, [two]: {}, 'no-uuid': {} })
    const event = (name: string, sessionId: string) => ({ projectId, event: name, sessionId: sessionId.toLowerCase() })
    await makeEvents(app, [event('bought', one), event('looked', one), event('looked', two)])
    const named = (...names: string[]) =>
      names.map((id, order) => ({ id, name: id, type: 'events', order, properties: [] }))
    expect(await ids(projectId, { events: named('looked'), order_direction: 'ASC' })).toEqual([one, two].sort())
    expect(await ids(projectId, { events: named('looked', 'bought') })).toEqual([one])
    expect(await ids(projectId, { events: named('looked', 'bought'), operand: 'OR' })).toHaveLength(2)
    expect(await ids(projectId, { events: named('never') })).toEqual([])
  })

  it('filters by the levels of console lines, where all filters apply to one line', async () => {
    const none = { consoleLogs: 0, consoleWarns: 0, consoleErrors: 0 }
    const projectId = await seeded({
      errors: { counters: { ...none, consoleErrors: 1 } },
      infos: { counters: { ...none, consoleLogs: 7, clicks: 1 } },
      mute: { counters: none },
      warns: { counters: { ...none, consoleWarns: 2, consoleLogs: 1 } },
    })
    const level = (...value: string[]) => ({ key: 'level', value, operator: 'exact', type: 'log_entry' })
    const found = (filters: unknown[], more = {}) => ids(projectId, { console_log_filters: filters, ...more })
    expect(await found([level('error')])).toEqual(['errors'])
    expect(await found([level('warn', 'error')])).toEqual(['errors', 'warns'])
    expect(await found([level('info')])).toEqual(['infos', 'warns'])
    expect(await found([{ key: 'console_log_level', value: 'log' }])).toEqual(['infos', 'warns'])
    expect(await found([{ ...level('info'), operator: 'is_not' }])).toEqual(['errors', 'warns'])
    expect(await found([level('info'), level('warn')])).toEqual([])
    expect(await found([level('info', 'warn'), level('warn')])).toEqual(['warns'])
    expect(await found([level('warn'), level('error')], { operand: 'OR' })).toEqual(['errors', 'warns'])
    const clicks = { having_predicates: [{ key: 'click_count', value: 1 }] }
    expect(await found([level('info')], clicks)).toEqual(['infos'])
    expect(await found([level('error')], { ...clicks, operand: 'OR' })).toEqual(['errors', 'infos'])
  })

  it('ignores unknown parameters and empty ones it could not answer', async () => {
    const projectId = await seeded({ a: {} })
    const query = { tomato: '1', version: '2', actions: [], console_log_filters: [], comment_text: '', events: [] }
    const more = { properties: [], having_predicates: [], filter_test_accounts: 'true', order: '' }
    expect(await ids(projectId, { ...query, ...more })).toEqual(['a'])
  })

  it.each<[string, unknown, string]>([
    ['limit', 'abc', 'A valid integer is required.'],
    ['limit', '0', 'Ensure this value is greater than or equal to 1.'],
    ['offset', '-1', 'Ensure this value is greater than or equal to 0.'],
    ['date_from', '2026-02-30', 'Datetime has wrong format'],
    ['date_from', '9999999', 'Datetime has wrong format'],
    ['date_to', '-1', 'Datetime has wrong format'],
    ['order', 'tomato', '"tomato" is not a valid choice.'],
    ['order_direction', 'up', '"up" is not a valid choice.'],
    ['operand', 'XOR', '"XOR" is not a valid choice.'],
    ['hide_viewed_recordings', 'true', '"true" is not a valid choice.'],
    ['filter_test_accounts', 'maybe', 'Must be a valid boolean.'],
    ['session_ids', 'abc', 'JSON parse error'],
    ['session_ids', { a: 1 }, 'Must be a JSON list.'],
    ['session_ids', [1], 'Must be a JSON list of texts.'],
    ['distinct_ids', '"a"', 'Must be a JSON list.'],
    ['person_uuid', 'jane', 'Must be a valid UUID.'],
    ['events', [1], 'events[0]: an event filter must be an object.'],
    ['events', [{ id: 'x', type: 'actions' }], "events[0]: the type must be 'events'."],
    ['events', [{ id: 3 }], 'events[0]: id must be the name of an event, or null for any.'],
    ['properties', [{ key: 'id', type: 'cohort', value: 1 }], "filters of type 'cohort' cannot match"],
    ['having_predicates', ['x'], 'having_predicates[0]: a predicate must be an object.'],
    ['having_predicates', [{ key: 'tomato', value: 1 }], "recordings cannot be compared by 'tomato'."],
    ['having_predicates', [{ key: '__proto__', value: 1 }], "recordings cannot be compared by '__proto__'."],
    ['having_predicates', [{ key: 'click_count', operator: 'icontains', value: 1 }], 'unknown operator'],
    ['having_predicates', [{ key: 'click_count', value: 'many' }], 'value must be a number.'],
    ['having_predicates', [{ key: 'click_count', value: [1, 2] }], 'value must be a number.'],
    ['having_predicates', [{ key: 'snapshot_source', operator: 'gt', value: 'web' }], 'exact or is_not'],
    ['having_predicates', [{ key: 'click_count', type: 'event', value: 1 }], 'are not supported here'],
    ['actions', [{ id: 1 }], 'This cannot be answered: there are no actions here.'],
    ['console_log_filters', 'error', 'JSON parse error'],
    ['console_log_filters', { key: 'level', value: ['error'] }, 'Must be a JSON list.'],
    ['console_log_filters', ['error'], 'console_log_filters[0]: a filter must be an object.'],
    [
      'console_log_filters',
      [{ key: 'message', value: 'oops' }],
      "console_log_filters[0]: 'message' cannot be asked for",
    ],
    ['console_log_filters', [{ key: 'level', value: ['loud'] }], 'value must be one or more of info, warn, error.'],
    ['console_log_filters', [{ key: 'level', value: [] }], 'value must be one or more of info, warn, error.'],
    ['console_log_filters', [{ key: 'level' }], 'value must be one or more of info, warn, error.'],
    ['console_log_filters', [{ key: 'level', operator: 'gt', value: 'warn' }], 'compared by exact or is_not.'],
    ['console_log_filters', [{ key: 'level', type: 'event', value: 'warn' }], "of type 'event' are not supported here"],
    ['comment_text', { operator: 'is_set' }, 'This cannot be answered: recordings have no comments here.'],
  ])('refuses %s=%j', async (attr, value, detail) => {
    const response = await ask(1, { [attr]: value })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr, detail: expect.stringContaining(detail) })
  })

  it('takes text in a filter literally', async () => {
    const hostile = `' or 1=1 --`
    const projectId = await seeded({ a: {}, b: { distinctId: hostile } })
    expect(await ids(projectId, { distinct_ids: [hostile] })).toEqual(['b'])
    expect(await ids(projectId, { session_ids: [hostile, '%', '_'] })).toEqual([])
    expect(await ids(projectId, { session_recording_id: hostile })).toEqual(['a', 'b'])
  })
})

describe('GET session_recordings/{id}/viewed/', () => {
  itIsGuarded(() => app, {
    method: 'GET',
    path: async () => `/session_recordings/${(await makeRecording(app)).sessionId}/viewed/`,
    scope: 'session_recording:read',
    status: 200,
  })
  it('distinguishes the caller from the others', async () => {
    const { sessionId } = await makeRecording(app)
    const viewed = async () => (await ask(1, {}, `${sessionId}/viewed/`)).json()
    expect(await viewed()).toEqual({ viewed: false, other_viewers: 0 })
    const { userId } = await makeStranger(app)
    await app.stores.transaction((tx) => tx.recordings.addViews(1, userId, [sessionId], app.clock.now()))
    expect(await viewed()).toEqual({ viewed: false, other_viewers: 1 })
    await app.call('PATCH', `${base()}${sessionId}/`, { body: { viewed: true } })
    expect(await viewed()).toEqual({ viewed: true, other_viewers: 1 })
  })
  it('answers 404 for an unknown recording', async () => {
    const response = await ask(1, {}, 'unknown/viewed/')
    expect(response.statusCode).toBe(404)
    expect(response.json().detail).toBe('Recording not found')
  })
})

describe('bulk routes', () => {
  const bulk = { method: 'POST', scope: 'session_recording:write', status: 200 }
  describe.each(['bulk_delete', 'bulk_viewed', 'bulk_not_viewed'])('POST session_recordings/%s/', (name) => {
    const options = { body: { session_recording_ids: ['some-id'] } }
    itIsGuarded(() => app, { ...bulk, path: () => `/session_recordings/${name}/`, options })
    it.each<[unknown, string]>([
      [{}, 'session_recording_ids must be provided as a non-empty array'],
      [{ session_recording_ids: [] }, 'session_recording_ids must be provided as a non-empty array'],
      [{ session_recording_ids: 'a' }, 'session_recording_ids must be provided as a non-empty array'],
      [{ session_recording_ids: null }, 'session_recording_ids must be provided as a non-empty array'],
      [{ session_recording_ids: ['a', 1] }, 'session_recording_ids must hold texts only'],
      [{ session_recording_ids: Array(101).fill('a') }, 'Cannot process more than 100 recordings at once'],
    ])('refuses %j', async (body, detail) => {
      const response = await post(1, `${name}/`, body)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail,
        attr: 'session_recording_ids',
      })
    })
  })

  it('deletes the existing ones, ignores the others, and writes one entry', async () => {
    const projectId = await seeded({ a: { bytes: 'x' }, b: { bytes: 'x' }, c: { bytes: 'x' } })
    const elsewhere = await seeded({ z: {} })
    const response = await post(projectId, 'bulk_delete/', { session_recording_ids: ['a', 'b', 'a', 'z', 'unknown'] })
    expect(response.json()).toEqual({ success: true, deleted_count: 2, total_requested: 4, failed_ids: [] })
    expect(await ids(projectId)).toEqual(['c'])
    expect(await ids(elsewhere)).toEqual(['z'])
    expect(await app.stores.blobs.list(`${projectId}/`)).toEqual([`${recordingFolder(projectId, 'c')}0`])
    const { items } = await app.stores.activity.page({ projectId, scope: 'Replay' }, { limit: 10, offset: 0 })
    expect(items.map(({ activity, itemId, detail }) => ({ activity, itemId, name: detail.name }))).toEqual([
      { activity: 'bulk_deleted', itemId: null, name: '2 session recordings' },
    ])
    const again = await post(projectId, 'bulk_delete/', { session_recording_ids: ['a', 'b'] })
    expect(again.json()).toEqual({ success: true, deleted_count: 0, total_requested: 2, failed_ids: [] })
    expect((await app.stores.activity.page({ projectId, scope: 'Replay' }, { limit: 10, offset: 0 })).total).toBe(1)
  })

  it('deletes nothing older than date_from', async () => {
    const projectId = await seeded({ young: {}, old: { startAt: app.clock.now() - 10 * DAY } })
    const body = { session_recording_ids: ['young', 'old'], date_from: '-7d' }
    expect((await post(projectId, 'bulk_delete/', body)).json().deleted_count).toBe(1)
    expect(await ids(projectId, { date_from: 'all' })).toEqual(['old'])
    const wrong = await post(projectId, 'bulk_delete/', { ...body, date_from: 'soon' })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().attr).toBe('date_from')
  })

  it('marks as viewed and as not viewed, for the caller', async () => {
    const projectId = await seeded({ a: {}, b: {} })
    const all = { session_recording_ids: ['a', 'b', 'unknown'] }
    const viewed = { success: true, viewed_count: 2, total_requested: 3 }
    expect((await post(projectId, 'bulk_viewed/', all)).json()).toEqual(viewed)
    expect((await post(projectId, 'bulk_viewed/', all)).json()).toEqual(viewed)
    const one = await post(projectId, 'bulk_not_viewed/', { session_recording_ids: ['a', 'unknown'] })
    expect(one.json()).toEqual({ success: true, not_viewed_count: 1, total_requested: 2 })
    const { results } = (await ask(projectId)).json()
    expect(results.map((item: { id: string; viewed: boolean }) => [item.id, item.viewed])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })
})

describe('POST session_recordings/batch_check_exists/', () => {
  itIsGuarded(() => app, {
    method: 'POST',
    path: () => '/session_recordings/batch_check_exists/',
    scope: 'session_recording:read',
    options: { body: { session_ids: ['x'] } },
    status: 200,
  })
  it('says which sessions have a recording', async () => {
    const projectId = await seeded({ a: {}, dead: {} })
    await app.call('DELETE', `${base(projectId)}dead/`)
    const response = await post(projectId, 'batch_check_exists/', { session_ids: ['a', 'dead', '__proto__'] })
    expect(response.body).toBe('{"results":{"a":true,"dead":false,"__proto__":false}}')
    const wrong = await post(projectId, 'batch_check_exists/', { session_ids: [] })
    expect(wrong.json()).toMatchObject({ detail: 'session_ids must be provided as a non-empty array' })
  })
})

describe('GET session_recordings/matching_events/', () => {
  const sessionId = uuidV7(Date.UTC(2026, 2, 4, 11))
  const query = { session_ids: [sessionId], events: [{ id: 'looked', type: 'events' }] }
  it('needs the scope, a key and the project', async () => {
    const key = await makeKey(app, { scopes: ['person:read'] })
    expect((await ask(1, query, 'matching_events/', key)).statusCode).toBe(403)
    expect((await app.call('GET', `${base()}matching_events/`, { key: null })).statusCode).toBe(401)
    expect((await ask(999, query, 'matching_events/')).statusCode).toBe(404)
  })
  it('finds the union of the filters, oldest first', async () => {
    const at = Date.UTC(2026, 2, 4, 11)
    const uuids = [randomUUID(), randomUUID(), randomUUID()]
    await makeEvents(app, [
      { sessionId, event: 'bought', timestamp: at + 2_000.5, uuid: uuids[1] as string },
      { sessionId, event: 'looked', timestamp: at, uuid: uuids[0] as string },
      { sessionId, event: 'left', timestamp: at + 3_000, uuid: uuids[2] as string },
      { sessionId: uuidV7(at), event: 'looked', timestamp: at },
    ])
    const [looked, bought] = [
      { uuid: uuids[0], timestamp: '2026-03-04T11:00:00Z' },
      { uuid: uuids[1], timestamp: '2026-03-04T11:00:02.000500Z' },
    ]
    const find = async (more: Record<string, unknown>) =>
      (await ask(1, { ...query, ...more }, 'matching_events/')).json().results
    expect(await find({})).toEqual([looked])
    expect(await find({ events: [{ id: 'bought' }, { id: 'looked' }] })).toEqual([looked, bought])
    expect(await find({ events: [{ id: null }] })).toHaveLength(3)
    expect(await find({ session_ids: [uuidV7(at)] })).toEqual([])
    expect(await find({ session_ids: ['no-uuid'] })).toEqual([])
  })
  it.each<[Record<string, unknown>, string]>([
    [{ session_ids: undefined }, 'Must specify exactly one session_id'],
    [{ session_ids: ['a', 'b'] }, 'Must specify exactly one session_id'],
    [{ events: [] }, 'Must specify at least one event or action filter, or event properties filter'],
    [{ actions: [{ id: 1 }] }, 'This cannot be answered: there are no actions here.'],
  ])('refuses %j', async (more, detail) => {
    const { session_ids, ...rest } = { ...query, ...more }
    const response = await ask(1, { ...rest, ...(session_ids ? { session_ids } : {}) }, 'matching_events/')
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toBe(detail)
  })
})
