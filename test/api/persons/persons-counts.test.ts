/** How much there is of a person. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPersonsFeature } from '../../../src/features/persons/persons.feature.ts'
import { unavailable } from '../../../src/lib/errors.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject, makeRecording } from '../../support/make.ts'

const API = '/api/environments/1/persons'
const NONE = { events: 0, sessions: 0, recordings: 0, bytes: 0, first_seen: null, last_seen: null }

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const counts = (id: number | string, options: { key?: string | null; query?: Record<string, string> } = {}) =>
  app.call('GET', `${API}/${id}/counts/`, options)
const statusOf = async (id: number | string, options: { key?: string | null } = {}) =>
  (await counts(id, options)).statusCode

/** Numbers below `count` that are the same in every run. */
function picking(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * count)
  }
}

interface OfId {
  distinct_id: string
  events: number
}

const BY_ID = { query: { by_distinct_id: 'true' } }
const sorted = (each: OfId[]) => each.toSorted((a, b) => (a.distinct_id < b.distinct_id ? -1 : 1))

interface Sent {
  id: string
  session: string | null
  at: number
}

async function sendAll(batch: object[]): Promise<void> {
  for (let start = 0; start < batch.length; start += 500) {
    const body = { api_key: PROJECT_TOKEN, batch: batch.slice(start, start + 500) }
    expect((await app.call('POST', '/batch/', { key: null, body })).statusCode).toBe(200)
  }
}

it('is what a plain count says, over thousands of events of people who were merged', async () => {
  const pick = picking(11)
  const now = app.clock.now()
  const sessions = Array.from({ length: 200 }, (_, i) => uuidV7(now - i * 60_000))
  const sent: Sent[] = Array.from({ length: 3_000 }, () => ({
    id: `id-${pick(40)}`,
    session: pick(4) === 0 ? null : (sessions[pick(200)] as string),
    at: now - pick(20 * 86_400) * 1_000,
  }))
  const eventOf = ({ id, session, at }: Sent) => ({
    event: 'seen',
    distinct_id: id,
    timestamp: new Date(at).toISOString(),
    properties: session === null ? {} : { $session_id: session },
  })
  // Every fifth anonymous id becomes one of five users; these events count as well.
  const merged: Sent[] = Array.from({ length: 8 }, (_, i) => ({ id: `user-${i % 5}`, session: null, at: now - i }))
  const merges = merged.map(({ id, at }, i) => ({
    event: '$identify',
    distinct_id: id,
    timestamp: new Date(at).toISOString(),
    properties: { $anon_distinct_id: `id-${i * 5}` },
  }))
  await sendAll([...sent.slice(0, 1_500).map(eventOf), ...merges, ...sent.slice(1_500).map(eventOf)])
  const { results } = (await app.call('GET', `${API}/?limit=100`)).json()
  expect(results.length).toBe(37)
  let all = 0
  for (const person of results as { id: number; uuid: string; distinct_ids: string[] }[]) {
    const own = [...sent, ...merged].filter(({ id }) => person.distinct_ids.includes(id))
    const times = own.map(({ at }) => at).sort((a, b) => a - b)
    const found = (await counts(person.id)).json()
    expect([found.events, found.sessions, found.recordings, found.bytes]).toEqual([
      own.length,
      new Set(own.flatMap(({ session }) => session ?? [])).size,
      0,
      0,
    ])
    expect([Date.parse(found.first_seen), Date.parse(found.last_seen)]).toEqual([times[0], times.at(-1)])
    expect((await counts(person.uuid)).json()).toEqual(found)
    const withEach = (await counts(person.id, BY_ID)).json()
    const each = person.distinct_ids.map((distinct_id) => ({
      distinct_id,
      events: own.filter(({ id }) => id === distinct_id).length,
    }))
    expect({ ...withEach, distinct_ids: sorted(withEach.distinct_ids) }).toEqual({
      ...found,
      distinct_ids: sorted(each),
    })
    all += found.events
  }
  expect(all).toBe(3_008)
})

it('has the recordings that are listed, and their bytes', async () => {
  const ann = await makePerson(app, { distinctIds: ['ann', 'ann-phone'] })
  const bob = await makePerson(app, { distinctIds: ['bob'] })
  const month = 30 * 86_400_000
  for (const [distinctId, stored, startAt] of [
    ['ann', 10, app.clock.now() - 1_000],
    ['ann-phone', 200, app.clock.now() - 1_000],
    ['bob', 3_000, app.clock.now() - 1_000],
    ['ann', 40_000, app.clock.now() - 2 * month],
  ] as const) {
    const { sessionId } = await makeRecording(app, { distinctId, startAt, bytes: 'x' })
    const progress = { activity: '', urls: [], storedBytes: stored }
    await app.stores.transaction((tx) => tx.recordings.saveProgress(1, sessionId, progress))
  }
  expect((await counts(ann.id)).json()).toEqual({ ...NONE, recordings: 2, bytes: 210 })
  expect((await counts(bob.id)).json()).toEqual({ ...NONE, recordings: 1, bytes: 3_000 })
  await app.call('POST', `${API}/${ann.id}/delete_recordings/`)
  expect((await counts(ann.id)).json()).toEqual(NONE)
})

it('changes with what is split off and deleted', async () => {
  const ann = await makePerson(app, { distinctIds: ['ann', 'phone'] })
  await makeEvents(app, [
    { distinctId: 'ann' },
    { distinctId: 'phone' },
    { distinctId: 'phone' },
    { distinctId: 'bob' },
  ])
  const events = async (id: number) => (await counts(id)).json().events
  expect(await events(ann.id)).toBe(3)
  const split = await app.call('POST', `${API}/${ann.id}/split/`, { body: { main_distinct_id: 'ann' } })
  expect([await events(ann.id), await events(split.json().split[0].id)]).toEqual([1, 2])
  await app.call('DELETE', `${API}/${ann.id}/`)
  expect([await statusOf(ann.id), await statusOf(ann.uuid)]).toEqual([404, 404])
})

it('tells the events of each id when asked to: all its ids, as they are shown, also those without any', async () => {
  const generated = '0190a0b0-1111-7222-8333-444455556666'
  const ann = await makePerson(app, { distinctIds: [generated, 'ann', 'Ann', 'silent'] })
  await makePerson(app, { distinctIds: ['bob'] })
  await makeEvents(app, [
    ...[generated, 'ann', 'ann', 'Ann', 'bob'].map((distinctId) => ({ distinctId })),
    { distinctId: 'silent', projectId: (await makeProject(app)).id },
  ])
  const each = [
    { distinct_id: 'ann', events: 2 },
    { distinct_id: 'Ann', events: 1 },
    { distinct_id: 'silent', events: 0 },
    { distinct_id: generated, events: 1 },
  ]
  expect((await counts(ann.id, BY_ID)).json()).toMatchObject({ events: 4, distinct_ids: each })
  expect((await app.call('GET', `${API}/${ann.id}/`)).json().distinct_ids).toEqual(each.map((one) => one.distinct_id))
  for (const query of [{ by_distinct_id: 'false' }, {}]) {
    const found = (await counts(ann.id, { query })).json()
    expect([found.events, 'distinct_ids' in found]).toEqual([4, false])
  }
  const csv = (query: Record<string, string>) =>
    app.call('GET', `${API}/${ann.id}/counts/`, { query: { format: 'csv', ...query } })
  expect((await csv(BY_ID.query)).body).toBe((await csv({})).body)
})

it('tells them of ten thousand ids', async () => {
  const distinctIds = Array.from({ length: 10_000 }, (_, i) => `device-${i}`)
  const ann = await makePerson(app, { distinctIds })
  await makeEvents(
    app,
    Array.from({ length: 300 }, (_, i) => ({ distinctId: `device-${i * 33}` })),
  )
  const found: OfId[] = (await counts(ann.id, BY_ID)).json().distinct_ids
  expect(found.map((one) => one.distinct_id)).toEqual(distinctIds)
  expect(found.flatMap(({ events }, i) => (events > 0 ? [[i, events]] : []))).toEqual(
    Array.from({ length: 300 }, (_, i) => [i * 33, 1]),
  )
})

it('is of a person of the project, for a key that may read persons', async () => {
  const other = await makeProject(app)
  const ann = await makePerson(app, { distinctIds: ['ann'] })
  const there = await makePerson(app, { projectId: other.id, distinctIds: ['ann'] })
  await makeEvents(app, [{ distinctId: 'ann', projectId: other.id }])
  expect((await counts(ann.id)).json()).toEqual(NONE)
  expect([await statusOf(there.id), await statusOf(there.uuid)]).toEqual([404, 404])
  expect([await statusOf(0), await statusOf('9'.repeat(40)), await statusOf(-1)]).toEqual([404, 404, 404])
  expect((await counts('ann')).json()).toMatchObject({ type: 'validation_error', code: 'invalid_input' })
  expect((await counts(ann.id, BY_ID)).json().distinct_ids).toEqual([{ distinct_id: 'ann', events: 0 }])
  for (const query of [{ by_distinct_id: 'perhaps' }, { by_distinct_id: '' }]) {
    const refused = await counts(ann.id, { query })
    expect([refused.statusCode, refused.json().attr]).toEqual([400, 'by_distinct_id'])
  }
  expect((await counts(there.id, BY_ID)).statusCode).toBe(404)
  expect((await counts(ann.id, { ...BY_ID, key: null })).statusCode).toBe(401)
  expect(await statusOf(ann.id, { key: null })).toBe(401)
  expect(await statusOf(ann.id, { key: await makeKey(app, { scopes: ['person:read'] }) })).toBe(200)
  expect(await statusOf(ann.id, { key: await makeKey(app, { scopes: ['event:read'] }) })).toBe(403)
  expect((await app.call('POST', `${API}/${ann.id}/counts/`)).statusCode).toBe(405)
  expect((await app.call('GET', `${API}/${ann.id}/counts/?format=csv`)).body).toContain('events')
})

it('is refused while the event store is behind, and ends with its caller', async () => {
  const ann = await makePerson(app, { distinctIds: ['ann'] })
  const project = await app.stores.projects.find(1)
  const personTotals = () => Promise.reject(unavailable('The event store is behind.', 5))
  const behind = createPersonsFeature({
    stores: { ...app.stores, events: { ...app.stores.events, personTotals } },
    clock: app.clock,
    deleteRecordings: async () => [],
  })
  if (!project) throw new Error('The project is gone.')
  const { signal } = new AbortController()
  await expect(behind.counts(project, String(ann.id), {}, signal)).rejects.toMatchObject({ kind: 'unavailable' })
  const { counts: now } = app.features.persons
  await expect(now(project, String(ann.id), {}, AbortSignal.abort())).rejects.toMatchObject({
    kind: 'timeout',
  })
})
