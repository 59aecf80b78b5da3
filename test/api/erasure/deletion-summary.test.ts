/** Where event deletions stand: what waits, what the run does, and what the last one did. */
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeletionsFeature } from '../../../src/features/deletions/deletions.feature.ts'
import { unavailable } from '../../../src/lib/errors.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makePerson, makeProject, makeRecording } from '../../support/make.ts'

const PATH = '/api/environments/1/persons/deletion_summary/'
const NEVER = { phase: 'idle', since: null, last_run: null }

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const summary = async (project = 1) =>
  (await app.call('GET', `/api/environments/${project}/persons/deletion_summary/`)).json()
const shown = async (project = 1) => {
  const { phase, since } = await summary(project)
  return [phase, since]
}
const now = () => new Date(app.clock.now()).toISOString().replace('.000Z', 'Z')

/** Somebody with two events in one session, and asked to be forgotten. */
async function makeLeaving(name: string, query: Record<string, string> = {}, projectId = 1): Promise<void> {
  const { id } = await makePerson(app, { projectId, distinctIds: [name] })
  const sessionId = uuidV7(app.clock.now())
  await makeEvents(app, [
    { projectId, distinctId: name, sessionId },
    { projectId, distinctId: name, sessionId },
  ])
  await app.call('DELETE', `/api/environments/${projectId}/persons/${id}/`, {
    query: { delete_events: 'true', ...query },
  })
}

/** Runs as another process on the same stores does, with some methods of the event store replaced. */
const elsewhere = (events: Partial<EventStore>) =>
  createDeletionsFeature({
    stores: { ...app.stores, events: { ...app.stores.events, ...events } },
    clock: app.clock,
    logger: pino({ level: 'silent' }),
  })

it('counts what waits, and says until when', async () => {
  const sunday = nextDeletionRun(app.clock.now())
  const date = new Date(sunday).toISOString().replace('.000Z', 'Z')
  expect(await summary()).toEqual({ pending: 0, scheduled_for: date, ...NEVER })
  const other = await makeProject(app)
  await makeLeaving('ann')
  await makeLeaving('bob')
  await makeLeaving('eve', {}, other.id)
  expect(await summary()).toEqual({ pending: 2, scheduled_for: date, ...NEVER })
  app.clock.set(sunday + 60_000)
  // Late, and says so.
  expect(await summary(other.id)).toEqual({ pending: 1, scheduled_for: date, ...NEVER })
})

it('tells what the last run did in the project, and since when nothing is done', async () => {
  const other = await makeProject(app)
  await makeRecording(app, { distinctId: 'ann', bytes: 'x' })
  await makeLeaving('ann', { delete_recordings: 'true' })
  await makeLeaving('bob')
  await makeLeaving('eve', {}, other.id)
  app.clock.set(nextDeletionRun(app.clock.now()))
  await app.runner.runDue()
  const at = now()
  const { last_run: run, ...rest } = await summary()
  const next = new Date(nextDeletionRun(app.clock.now())).toISOString().replace('.000Z', 'Z')
  expect(rest).toEqual({ pending: 0, scheduled_for: next, phase: 'idle', since: at })
  const times = { started_at: at, finished_at: at, bytes_given_back: run.bytes_given_back }
  expect(run).toEqual({ ...times, persons: 2, events: 4, sessions: 2, recordings: 1 })
  expect(run.bytes_given_back).toBeGreaterThanOrEqual(0)
  expect((await summary(other.id)).last_run).toEqual({ ...times, persons: 1, events: 2, sessions: 1, recordings: 0 })
  expect((await summary((await makeProject(app)).id)).last_run).toEqual({
    ...times,
    persons: 0,
    events: 0,
    sessions: 0,
    recordings: 0,
  })
})

describe('a run under way', () => {
  it('is seen in each phase, with its beginning, whichever process runs it', async () => {
    await makeLeaving('ann')
    const { caughtUp, erase, compact } = app.stores.events
    const seen: unknown[] = []
    const look = async () => {
      seen.push([...(await shown()), now()])
      app.clock.advance(1_000)
    }
    let isBehind = true
    const deletions = elsewhere({
      async caughtUp() {
        await look()
        await caughtUp()
      },
      async erase(requests) {
        await look()
        if (!isBehind) return erase(requests)
        isBehind = false
        throw unavailable('Rows are being applied again.', 1)
      },
      async compact(signal) {
        await look()
        await compact(signal)
        return { before: 1_000, after: 400 }
      },
    })
    const startedAt = now()
    await deletions.run({ projectId: 1 })
    const phases = ['draining', 'deleting', 'draining', 'deleting', 'compacting']
    expect(seen.map((one) => (one as string[])[0])).toEqual(phases)
    expect(seen.map((one) => (one as string[])[1])).toEqual(seen.map((one) => (one as string[])[2]))
    expect(await summary()).toMatchObject({
      pending: 0,
      phase: 'idle',
      since: now(),
      last_run: { started_at: startedAt, finished_at: now(), persons: 1, events: 2, bytes_given_back: 600 },
    })
  })

  it('of another project is not seen', async () => {
    const other = await makeProject(app)
    await makeLeaving('eve', {}, other.id)
    const seen: unknown[] = []
    const deletions = elsewhere({
      async compact() {
        seen.push((await shown())[0], (await shown(other.id))[0])
        return null
      },
    })
    await deletions.run({ projectId: other.id })
    expect(seen).toEqual(['idle', 'compacting'])
    expect(await summary()).toMatchObject({ ...NEVER })
    expect((await summary(other.id)).last_run).toMatchObject({ persons: 1, bytes_given_back: 0 })
  })

  it('that fails is not taken for one that goes on, nor for the last; the next one goes on with it', async () => {
    await makeLeaving('ann')
    const startedAt = now()
    const failing = elsewhere({ compact: () => Promise.reject(new Error('rows keep being removed')) })
    await expect(failing.run({ projectId: 1 })).rejects.toThrow('rows keep being removed')
    expect(await summary()).toMatchObject({ pending: 0, phase: 'idle', since: startedAt, last_run: null })
    app.clock.advance(60_000)
    await makeLeaving('bob')
    await elsewhere({ compact: async () => null }).run({ projectId: 1 })
    // What the first one gave back before it failed, nobody knows.
    expect((await summary()).last_run).toEqual({
      started_at: startedAt,
      finished_at: now(),
      persons: 2,
      events: 4,
      sessions: 2,
      recordings: 0,
      bytes_given_back: null,
    })
  })

  it('whose process was killed is seen for half a minute', async () => {
    const begun = now()
    await app.stores.transaction((tx) => tx.deletionRuns.begin(null, app.clock.now()))
    app.clock.advance(29_999)
    expect(await shown()).toEqual(['draining', begun])
    app.clock.advance(1)
    expect(await shown()).toEqual(['idle', begun])
    // Its process wrote a date ahead, and then the clock went back.
    app.clock.advance(-3_600_000)
    expect((await shown())[0]).toBe('idle')
  })
})

it('needs person:read, in its project', async () => {
  const status = async (path: string, key?: string | null) =>
    (await app.call('GET', path, key === undefined ? {} : { key })).statusCode
  expect(await status(PATH, null)).toBe(401)
  expect(await status(PATH, await makeKey(app, { scopes: ['person:read'] }))).toBe(200)
  expect(await status(PATH, await makeKey(app, { scopes: ['event:read'] }))).toBe(403)
  expect(await status(PATH.replace('/1/', '/99/'))).toBe(404)
  expect((await app.call('POST', PATH)).statusCode).toBe(405)
})
