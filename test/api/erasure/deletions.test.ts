/** Event deletion: at its time, up to the cut-off, counted, once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeletions } from '../../../src/features/deletions/deletions.ts'
import { unavailable } from '../../../src/lib/errors.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject, makeRecording } from '../../support/make.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const API = '/api/environments/1'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const remove = (id: number, query: Record<string, string> = {}) =>
  app.call('DELETE', `${API}/persons/${id}/`, { query: { delete_events: 'true', ...query } })
const statusOf = async (uuid: string, project = 1) =>
  (
    await app.call('GET', `/api/environments/${project}/persons/deletion_status/`, { query: { person_uuid: uuid } })
  ).json().results
const eventsOf = async (distinctId: string) =>
  (await app.call('GET', `${API}/events/`, { query: { distinct_id: distinctId, limit: '1000' } })).json().results
const countOf = async (distinctId: string) => (await eventsOf(distinctId)).length
const untilSunday = () => app.clock.set(nextDeletionRun(app.clock.now()))
const run = () => app.runner.runDue()

describe('the batch of Sunday 05:00 UTC', () => {
  it('deletes what was accepted before the request, keeps the rest, and reports how much', async () => {
    const person = await makePerson(app, { distinctIds: ['ann', 'ann-phone'] })
    const session = uuidV7(app.clock.now())
    await makeEvents(app, [
      { distinctId: 'ann', sessionId: session },
      { distinctId: 'ann-phone', sessionId: session },
      { distinctId: 'ann' },
      { distinctId: 'bob' },
    ])
    await remove(person.id)
    await makeEvents(app, [{ distinctId: 'ann', event: 'came back' }])
    untilSunday()
    app.clock.advance(-1)
    await run()
    expect([await countOf('ann'), await countOf('ann-phone'), await countOf('bob')]).toEqual([3, 1, 1])
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'pending', events_deleted: null }])
    app.clock.advance(1)
    await run()
    expect((await eventsOf('ann')).map((row: { event: string }) => row.event)).toEqual(['came back'])
    expect([await countOf('ann-phone'), await countOf('bob')]).toEqual([0, 1])
    expect(await statusOf(person.uuid)).toMatchObject([
      {
        status: 'completed',
        scheduled_for: '2026-03-08T05:00:00Z',
        delete_verified_at: '2026-03-08T05:00:00Z',
        events_deleted: 3,
        sessions_deleted: 1,
        recordings_deleted: 0,
      },
    ])
    const { results } = (await app.call('GET', `${API}/activity_log/`, { query: { scope: 'Deletion' } })).json()
    expect(results).toMatchObject([
      { activity: 'completed', user: { is_system: true }, detail: { name: '1 requests: 3 events, 1 sessions' } },
    ])
  })

  it('handles all due requests of all projects together, and leaves other projects’ events', async () => {
    const other = await makeProject(app)
    const here = await makePerson(app, { distinctIds: ['ann'] })
    const there = await makePerson(app, { projectId: other.id, distinctIds: ['ann'] })
    const untouched = await makeProject(app, 'Third')
    await makeEvents(app, [
      { distinctId: 'ann' },
      { distinctId: 'ann', projectId: other.id },
      { distinctId: 'ann', projectId: other.id },
      { distinctId: 'ann', projectId: untouched.id },
    ])
    await remove(here.id)
    await app.call('DELETE', `/api/projects/${other.id}/persons/${there.id}/`, { query: { delete_events: 'true' } })
    untilSunday()
    await run()
    expect(await statusOf(here.uuid)).toMatchObject([{ events_deleted: 1 }])
    expect(await statusOf(there.uuid, other.id)).toMatchObject([{ events_deleted: 2 }])
    expect(await countEvents(app.stores.events, untouched.id)).toBe(1)
  })

  it('runs later after downtime, and reports that it was late', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(person.id)
    await run()
    untilSunday()
    app.clock.advance(2 * DAY)
    await run()
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'completed', events_deleted: 1 }])
    expect(app.logs.filter((line) => line.includes('late by more than an hour')).length).toBe(1)
  })

  it('deletes nothing more when it runs again', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(person.id)
    untilSunday()
    await run()
    const done = await statusOf(person.uuid)
    await makeEvents(app, [{ distinctId: 'ann' }])
    app.clock.advance(7 * DAY)
    await run()
    expect(await statusOf(person.uuid)).toEqual(done)
    expect(await countOf('ann')).toBe(1)
  })

  it('carries out a request that was extended, up to its new cut-off', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    const keep = { keep_person: 'true' }
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(person.id, keep)
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(person.id, keep)
    await makeEvents(app, [{ distinctId: 'ann' }])
    untilSunday()
    await run()
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'completed', events_deleted: 2 }])
    expect(await countOf('ann')).toBe(1)
  })

  it('leaves what an id sent after it had left the person, though the person’s request was extended', async () => {
    const person = await makePerson(app, { distinctIds: ['ann', 'bob'] })
    await makeEvents(app, [{ distinctId: 'ann' }, { distinctId: 'bob' }])
    await remove(person.id, { keep_person: 'true' })
    await app.call('POST', `${API}/persons/${person.id}/split/`, { body: { distinct_ids_to_split: ['bob'] } })
    await makeEvents(app, [{ distinctId: 'ann' }, { distinctId: 'bob', event: 'on my own' }])
    await remove(person.id)
    untilSunday()
    await run()
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'completed', events_deleted: 3 }])
    expect((await eventsOf('bob')).map((row: { event: string }) => row.event)).toEqual(['on my own'])
  })

  it('counts the recordings that were deleted with the request', async () => {
    const [ann, bob] = [
      await makePerson(app, { distinctIds: ['ann'] }),
      await makePerson(app, { distinctIds: ['bob'] }),
    ]
    for (const distinctId of ['ann', 'ann', 'bob']) await makeRecording(app, { distinctId, bytes: 'x' })
    const body = { ids: [ann.id, bob.id], delete_events: true, delete_recordings: true }
    await app.call('POST', `${API}/persons/bulk_delete/`, { body })
    expect(await statusOf(ann.uuid)).toMatchObject([{ status: 'pending', recordings_deleted: 2 }])
    untilSunday()
    await run()
    expect(await statusOf(ann.uuid)).toMatchObject([{ status: 'completed', recordings_deleted: 2 }])
    expect(await statusOf(bob.uuid)).toMatchObject([{ status: 'completed', recordings_deleted: 1 }])
  })
})

describe('a person that stays', () => {
  const send = (properties: Record<string, unknown>) =>
    app.call('POST', '/batch/', {
      key: null,
      body: { api_key: PROJECT_TOKEN, batch: [{ event: 'set', distinct_id: 'ann', ...properties }] },
    })
  it('keeps its properties, and its history is removed', async () => {
    await send({ $set: { plan: 'free', city: 'Kiel' }, $set_once: { source: 'ad' } })
    app.clock.advance(HOUR)
    await send({ $set: { plan: 'pro' } })
    const middle = app.clock.now()
    app.clock.advance(HOUR)
    await send({ $set: { plan: 'team' } })
    const [person] = (await app.call('GET', `${API}/persons/?distinct_id=ann`)).json().results
    await remove(person.id, { keep_person: 'true' })
    app.clock.advance(HOUR)
    await send({ $set: { plan: 'late' } })
    untilSunday()
    await run()
    const at = async (instant: number) => {
      const query = { distinct_id: 'ann', timestamp: new Date(instant).toISOString(), include_set_once: 'true' }
      const answer = await app.call('GET', `${API}/persons/properties_at_time/`, { query })
      const { $creator_event_uuid: _, ...properties } = answer.json().properties
      return properties
    }
    expect(await at(middle)).toEqual({ city: 'Kiel', source: 'ad' })
    expect(await at(middle + HOUR)).toEqual({ city: 'Kiel', source: 'ad', plan: 'team' })
    expect(await at(app.clock.now())).toEqual({ city: 'Kiel', source: 'ad', plan: 'late' })
    expect((await app.call('GET', `${API}/persons/${person.id}/`)).json().properties).toMatchObject(
      await at(app.clock.now()),
    )
    expect(await countOf('ann')).toBe(1)
  })
})

describe('what cannot be done in time', () => {
  it('is shown in the log, the metrics and on /_ready, which stays ready', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await remove(person.id)
    const shown = async () => {
      const ready = await app.call('GET', '/_ready', { key: null })
      const { body } = await app.call('GET', '/metrics', { key: null })
      return [ready.statusCode, ready.json().checks.deletions, /^hedgerow_deletions_overdue (\d)$/m.exec(body)?.[1]]
    }
    untilSunday()
    app.clock.advance(HOUR)
    expect(await shown()).toEqual([200, 'ok', '0'])
    app.clock.advance(1)
    expect(await shown()).toEqual([200, '1 late by more than an hour: the log says why', '1'])
    await run()
    expect(await shown()).toEqual([200, 'ok', '0'])
  })

  it('deletes nothing when the outbox cannot be drained, and says so', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(person.id)
    expect(await countOf('ann')).toBe(1)
    const { clock } = app
    const nothing = () => {}
    const callbacks = { done: nothing, late: nothing, compacted: nothing, logHeld: nothing }
    const behind = () => Promise.reject(unavailable('The event store is behind.', 5))
    const stores = { ...app.stores, events: { ...app.stores.events, erase: behind } }
    const impatient = createDeletions({ stores, clock, ...callbacks, maxTries: 2 })
    untilSunday()
    await expect(impatient.run({ dueAt: clock.now() })).rejects.toThrow(
      'Nothing was deleted: the outbox could not be drained.',
    )
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'pending', events_deleted: null }])
    await createDeletions({ stores: app.stores, clock, ...callbacks }).run({ dueAt: clock.now() })
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'completed', events_deleted: 1 }])
  })

  it('continues without what the event store refuses', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await makeEvents(app, [{ distinctId: 'ann', uuid: 'no uuid' }])
    await remove(person.id)
    untilSunday()
    // Servers are asked again a second after they have refused.
    const time = setInterval(() => app.clock.advance(1_000), 20)
    await run().finally(() => clearInterval(time))
    expect(await statusOf(person.uuid)).toMatchObject([{ status: 'completed', events_deleted: 1 }])
    expect([await app.stores.outbox.pending(), await app.stores.outbox.parkedCount()]).toEqual([[], 0])
  })
})

describe('a run for one project', () => {
  it('does not wait for Sunday, and leaves other projects’ requests', async () => {
    const other = await makeProject(app)
    const here = await makePerson(app, { distinctIds: ['ann'] })
    const there = await makePerson(app, { projectId: other.id, distinctIds: ['ann'] })
    await makeEvents(app, [{ distinctId: 'ann' }])
    await remove(here.id)
    await app.call('DELETE', `/api/projects/${other.id}/persons/${there.id}/`, { query: { delete_events: 'true' } })
    await app.stores.transaction((tx) =>
      tx.jobs.add({ kind: 'run-deletions', key: 'now', projectId: 1, payload: { projectId: 1 }, runAt: 0 }),
    )
    await run()
    expect(await statusOf(here.uuid)).toMatchObject([{ status: 'completed', events_deleted: 1 }])
    expect(await statusOf(there.uuid, other.id)).toMatchObject([{ status: 'pending' }])
    expect((await app.stores.jobs.parked({ limit: 1, offset: 0 })).count).toBe(0)
  })
})
