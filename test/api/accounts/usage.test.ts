/** What a project has taken and keeps, and whether it ever took an event. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/time.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeRecording } from '../../support/make.ts'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const usage = async (project = 1) => (await app.call('GET', `/api/environments/${project}/usage/`)).json()
const hasEvent = async (project = 1) => (await app.call('GET', `/api/projects/${project}/`)).json().ingested_event
const capture = (batch: object[]) => app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
const at = (agoMs: number) => new Date(app.clock.now() - agoMs).toISOString()

const NOTHING = {
  events: { count: 0, last_hour: 0, first_at: null, last_at: null },
  persons: { count: 0 },
  recordings: { count: 0, stored_bytes: 0 },
  warnings: { last_day: 0 },
}

it('is nothing at first, and then what has come', async () => {
  expect([await usage(), await hasEvent()]).toEqual([NOTHING, false])
  const other = await makeProject(app)
  await capture([
    { event: 'old', distinct_id: 'ann', timestamp: at(3 * DAY) },
    { event: 'new', distinct_id: 'ann', timestamp: at(MINUTE) },
    { event: 'new', distinct_id: 'bob', timestamp: at(2 * MINUTE) },
    { event: 'bad', distinct_id: '' },
  ])
  await makeRecording(app, { bytes: 'x' })
  app.clock.advance(1_000)
  const now = await usage()
  expect(now).toMatchObject({
    events: { count: 3, last_hour: 2 },
    persons: { count: 2 },
    recordings: { count: 1 },
    warnings: { last_day: 1 },
  })
  expect(now.recordings.stored_bytes).toBe(await app.stores.recordings.storedBytes(1))
  expect(Date.parse(now.events.last_at) - Date.parse(now.events.first_at)).toBe(3 * DAY - MINUTE)
  expect([await hasEvent(), await hasEvent(other.id)]).toEqual([true, false])
  expect(await usage(other.id)).toEqual(NOTHING)
  app.clock.advance(2 * HOUR)
  expect(await usage()).toMatchObject({ events: { count: 3, last_hour: 0 }, warnings: { last_day: 1 } })
})

it('of a project that drops everything has no event', async () => {
  await capture([{ event: 'bad', distinct_id: '' }])
  app.clock.advance(1_000)
  expect([await hasEvent(), (await usage()).warnings]).toEqual([false, { last_day: 1 }])
})

it('needs project:read', async () => {
  const key = await makeKey(app, { scopes: ['person:read'] })
  expect((await app.call('GET', '/api/environments/1/usage/', { key })).statusCode).toBe(403)
})
