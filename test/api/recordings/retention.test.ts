/** Recordings are removed when they expire or the project has no more room, and no others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeProject, makeRecording, type RecordingInput } from '../../support/make.ts'
import { hasBytes } from '../../support/replay/replay.ts'
import { buriedAtOnce } from '../../support/replay/tombstones.ts'

const DAY = 24 * 3_600_000

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const make = async (input: RecordingInput & { bytes: string }) => {
  const recording = await makeRecording(app, input)
  // As intake leaves it.
  await app.stores.transaction((tx) =>
    tx.recordings.saveProgress(recording.projectId, recording.sessionId, {
      activity: '',
      urls: [],
      storedBytes: input.bytes.length,
    }),
  )
  return recording.sessionId
}
const left = async (projectId = 1) =>
  (await app.stores.recordings.oldest(projectId, 1_000)).map((recording) => recording.sessionId)
const entries = async (projectId = 1) =>
  (await app.call('GET', `/api/projects/${projectId}/activity_log/`, { query: { scope: 'Replay' } })).json().results
const metric = async (name: string) =>
  new RegExp(`^${name} (\\d+)$`, 'm').exec((await app.call('GET', '/metrics', { key: null })).body)?.[1]
const night = async () => {
  app.clock.advance(DAY)
  await app.runner.runDue()
}

describe('the nightly run', () => {
  it('removes what has expired, with its bytes, and says how much', async () => {
    const other = await makeProject(app)
    const start = app.clock.now()
    const old = [
      await make({ startAt: start - 31 * DAY, bytes: 'x'.repeat(100) }),
      await make({ startAt: start - 40 * DAY, bytes: 'x'.repeat(23) }),
    ]
    const kept = await make({ startAt: start - 31 * DAY, retentionDays: 90, bytes: 'x' })
    const fresh = await make({ startAt: start - DAY, bytes: 'x' })
    await make({ projectId: other.id, startAt: start - 50 * DAY, bytes: 'xyz' })
    const stored = () => Promise.all(old.map((id) => hasBytes(app, id)))
    expect(await stored()).toEqual([true, true])
    await night()
    expect(await left()).toEqual([kept, fresh])
    expect(await left(other.id)).toEqual([])
    expect(await stored()).toEqual([false, false])
    expect(await app.stores.recordings.findTombstone(1, old[0] ?? '')).toMatchObject({
      deletedBy: null,
      freedAt: app.clock.now(),
    })
    expect(await entries()).toMatchObject([
      { activity: 'expired', user: { is_system: true }, detail: { name: '2 session recordings, 123 bytes' } },
    ])
    expect(await entries(other.id)).toMatchObject([{ detail: { name: '1 session recordings, 3 bytes' } }])
    expect([
      await metric('hedgerow_retention_recordings_total'),
      await metric('hedgerow_retention_bytes_total'),
    ]).toEqual(['3', '126'])
    await night()
    expect((await entries()).length).toBe(1)
  })

  it('removes the oldest of a project that has no more room, until there is some', async () => {
    const start = app.clock.now()
    const ids: string[] = []
    for (let day = 5; day > 0; day--) ids.push(await make({ startAt: start - day * DAY, bytes: 'x'.repeat(10) }))
    const other = await makeProject(app)
    await make({ projectId: other.id, startAt: start - 20 * DAY, bytes: 'x'.repeat(1_000) })
    const quota = (session_recording_quota_bytes: number | null) =>
      app.call('PATCH', '/api/projects/1/', { body: { session_recording_quota_bytes } })
    await quota(51)
    await night()
    expect(await left()).toEqual(ids)
    await quota(30)
    await night()
    expect(await left()).toEqual(ids.slice(3))
    expect(await entries()).toMatchObject([{ detail: { name: '3 session recordings, 30 bytes' } }])
    await quota(0)
    await night()
    expect(await left()).toEqual([])
    expect((await left(other.id)).length).toBe(1)
  })

  it('goes through more than one step, each a transaction of its own: others write in between', async () => {
    const start = app.clock.now()
    for (let i = 0; i < 230; i++) await make({ startAt: start - 60 * DAY - i, bytes: 'x' })
    expect(await buriedAtOnce(app, night)).toEqual([100, 100, 30])
    expect(await left()).toEqual([])
    expect(await entries()).toMatchObject([{ detail: { name: '230 session recordings, 230 bytes' } }])
  })
})

describe('events', () => {
  const send = (days: number) => ({
    event: 'seen',
    distinct_id: 'jane',
    timestamp: new Date(app.clock.now() - days * DAY).toISOString(),
  })
  const store = (token: string) =>
    app.server.inject({
      method: 'POST',
      url: '/batch/',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ api_key: token, batch: [1, 8, 9, 40].map(send) }),
    })

  it('are removed when a project has a retention for them, and stay in every other', async () => {
    const other = await makeProject(app)
    await store(PROJECT_TOKEN)
    await store(other.apiToken)
    await night()
    expect(await countEvents(app.stores.events, 1)).toBe(4)
    await app.call('PATCH', '/api/projects/1/', { body: { events_retention_days: 7 } })
    await night()
    expect([await countEvents(app.stores.events, 1), await countEvents(app.stores.events, other.id)]).toEqual([1, 4])
    const { results } = (await app.call('GET', '/api/projects/1/activity_log/', { query: { scope: 'Event' } })).json()
    expect(results).toMatchObject([{ activity: 'expired', detail: { name: '3 events' } }])
    await night()
    expect(await countEvents(app.stores.events, 1)).toBe(1)
  })
})
