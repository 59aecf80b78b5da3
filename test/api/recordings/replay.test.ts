/** Replay intake: the requests of the real SDKs byte for byte, repeats, refusals, limits. */

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../src/lib/errors.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'
import {
  click,
  expectedOf,
  FIXTURE_NOW,
  FIXTURE_TOKEN,
  linesOf,
  makeSnapshot,
  mutation,
  page,
  RECORDINGS,
  recordingPath,
  requestsOf,
  send,
} from '../../support/replay/replay.ts'

interface Fixture {
  name: string
  path: string
  headers: Record<string, string>
  body_base64: string
  events: { session_id: string; distinct_id: string }[]
}

const fixtures = readFileSync(new URL('../../fixtures/capture-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fixture)
  .filter((fixture) => fixture.path.startsWith('/s/'))

let app: TestApp

const OK = '{"status":"Ok"}'
const recording = async (session: string) => (await app.call('GET', recordingPath(session))).json()
const status = async (session: string) => (await app.call('GET', recordingPath(session))).statusCode
const drafts = () => app.stores.recordings.drafts(Number.MAX_SAFE_INTEGER, 10)
const standing = (session: string) => app.stores.recordings.standing(1, session)
const warnings = async () => {
  const { items } = await app.stores.intake.warnings(1, null, { limit: 100, offset: 0 })
  return items.map((item) => item.type)
}

describe('the recordings of the real SDKs', () => {
  beforeEach(async () => {
    app = await makeApp()
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
    app.clock.set(FIXTURE_NOW)
  })
  afterEach(() => app.end())

  it.each(RECORDINGS)('%s has every number that was counted from its raw events', async (file) => {
    for (const request of requestsOf(file)) {
      const body = gzipSync(Buffer.from(JSON.stringify(request)))
      const response = await send(app, body, '/s/', { 'content-type': 'text/plain' })
      expect([response.statusCode, response.body]).toEqual([200, OK])
    }
    for (const expected of expectedOf(file)) {
      const seconds = (ms: number) => Math.floor(ms / 1_000)
      expect(await recording(expected.session_id)).toMatchObject({
        id: expected.session_id,
        distinct_id: expected.distinct_ids[0],
        start_time: `${new Date(expected.first_ms).toISOString().slice(0, -1)}000Z`,
        end_time: `${new Date(expected.last_ms).toISOString().slice(0, -1)}000Z`,
        recording_duration: seconds(expected.duration_ms),
        active_seconds: seconds(expected.active_milliseconds),
        inactive_seconds: seconds(expected.duration_ms) - seconds(expected.active_milliseconds),
        click_count: expected.click_count,
        keypress_count: expected.keypress_count,
        mouse_activity_count: expected.mouse_activity_count,
        console_log_count: expected.console_log_count,
        console_warn_count: expected.console_warn_count,
        console_error_count: expected.console_error_count,
        start_url: expected.start_url,
        event_count: expected.rrweb_events,
        snapshot_source: 'web',
        ongoing: true,
        retention_period_days: 30,
      })
      const stored = await standing(expected.session_id)
      expect(stored?.recording.activeMs).toBe(expected.active_milliseconds)
      expect(stored?.progress?.urls.map(({ url }) => url)).toEqual(expected.urls)
      const windows = new Set((await linesOf(app, expected.session_id)).map(([window]) => window))
      expect([...windows]).toEqual(expected.window_ids)
    }
  })

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s is stored whole', async (_, fixture) => {
    const { path, headers, body_base64, events } = fixture
    const payload = Buffer.from(body_base64, 'base64')
    const response = await app.server.inject({ method: 'POST', url: path, headers, payload })
    const beacon = path.includes('beacon=1')
    expect([response.statusCode, response.body]).toEqual(beacon ? [204, ''] : [200, OK])
    const [first] = events
    expect(await recording(first?.session_id ?? '')).toMatchObject({ distinct_id: first?.distinct_id })
    expect((await linesOf(app, first?.session_id ?? '')).length).toBe(
      (await standing(first?.session_id ?? ''))?.recording.eventCount,
    )
  })

  it('adds neither bytes nor counts when they are sent again, also after a restart', async () => {
    const [file] = RECORDINGS
    const session = expectedOf(file)[0]?.session_id ?? ''
    const sendAll = async () => {
      for (const request of requestsOf(file)) expect((await send(app, request)).body).toBe(OK)
    }
    await sendAll()
    const before = await standing(session)
    await sendAll()
    await app.close()
    app = await makeApp({ dataDir: app.dataDir, clock: app.clock })
    await sendAll()
    expect(await standing(session)).toEqual(before)
    expect((await linesOf(app, session)).length).toBe(169)
  })

  it('recognizes a repeat of old SDKs, which send no uuid', async () => {
    const [file] = RECORDINGS
    const session = expectedOf(file)[0]?.session_id ?? ''
    for (const request of [...requestsOf(file), ...requestsOf(file)]) {
      await send(
        app,
        request.map(({ uuid: _, ...snapshot }) => snapshot),
      )
    }
    expect((await standing(session))?.recording.eventCount).toBe(169)
  })
})

describe('replay intake', () => {
  beforeEach(async () => {
    app = await makeApp()
  })
  afterEach(() => app.end())
  const t = () => app.clock.now()
  const one = (extra: object = {}) => makeSnapshot({ events: [page(t(), 'https://shop/'), click(t() + 1)], ...extra })

  it.each(['/s', '/s/', '/s/?compression=gzip-js'])('takes snapshots at %s', async (path) => {
    const response = await send(app, gzipSync(JSON.stringify([one()])), path, { 'content-type': 'text/plain' })
    expect([response.statusCode, response.body]).toEqual([200, OK])
    expect(await status('session-1')).toBe(200)
  })
  it('warns of a thousand bad snapshots of a request, and reports all of them', async () => {
    const response = await send(app, [one(), ...Array.from({ length: 25_000 }, () => ({}))])
    expect(response.statusCode).toBe(200)
    expect(response.json().dropped).toHaveLength(25_000)
    expect((await app.stores.intake.warnings(1, null, { limit: 1, offset: 0 })).count).toBe(1_000)
  })
  it('takes them from the query of a GET, and answers a preflight', async () => {
    const data = Buffer.from(JSON.stringify(one())).toString('base64')
    const got = await app.server.inject({ method: 'GET', url: `/s/?data=${encodeURIComponent(data)}` })
    expect([got.statusCode, got.body]).toEqual([200, OK])
    const headers = { origin: 'https://shop.example' }
    const preflight = await app.server.inject({ method: 'OPTIONS', url: '/s/', headers })
    expect(preflight.statusCode).toBe(200)
    expect(preflight.headers['access-control-allow-origin']).toBe('https://shop.example')
  })
  it('keeps what was sent: NUL, lone surrogates and all', async () => {
    const text = 'a\0b \ud800 \u2028 "\\ 😀'
    await send(app, [makeSnapshot({ events: [mutation(t(), text)] })])
    const [line] = await linesOf(app, 'session-1')
    expect(line).toEqual(['window-1', mutation(t(), text)])
  })
  it('keeps sessions, windows and distinct ids of one request apart', async () => {
    const body = [
      one({ session: 'a', window: 'w1', distinctId: 'anon' }),
      one({ session: 'b', window: 'w2', distinctId: 'jane' }),
      one({ session: 'a', window: 'w3', distinctId: 'jane' }),
    ]
    expect((await send(app, body)).body).toBe(OK)
    expect(await recording('a')).toMatchObject({ distinct_id: 'anon', click_count: 2 })
    expect(await recording('b')).toMatchObject({ distinct_id: 'jane', click_count: 1 })
    expect((await linesOf(app, 'a')).map(([window]) => window)).toEqual(['w1', 'w1', 'w3', 'w3'])
  })
  it('fills in what is missing: window, source, library; and writes UUIDs small', async () => {
    const session = '0195A0B0-7E1C-7A4E-9D26-3F0E5F6C1A2D'
    const small = session.toLowerCase()
    const snapshot = one({ session })
    const { $window_id: _, $lib: __, ...properties } = snapshot.properties
    await send(app, { ...snapshot, properties }, '/s/', { 'user-agent': 'posthog-ios/3.1.0' })
    expect(await recording(small)).toMatchObject({ snapshot_source: 'web', snapshot_library: 'posthog-ios' })
    expect((await linesOf(app, small))[0]?.[0]).toBe(small)
    await send(app, [one({ session: 'm', properties: { $snapshot_source: 'mobile', $lib: 'posthog-android' } })])
    expect(await recording('m')).toMatchObject({ snapshot_source: 'mobile', snapshot_library: 'posthog-android' })
  })
  it('takes a single rrweb event for a list of one', async () => {
    await send(app, [one({ properties: { $snapshot_data: click(t()) } })])
    expect(await recording('session-1')).toMatchObject({ click_count: 1, event_count: 1 })
  })
  it('leaves out rrweb events that do not say when they were', async () => {
    const events = [click(t()), { ...click(t()), timestamp: 0 }, { ...click(t()), timestamp: 'x' }, null, 7] as never
    expect((await send(app, [makeSnapshot({ events })])).body).toBe(OK)
    expect(await recording('session-1')).toMatchObject({ event_count: 1 })
  })
  it('counts no console where the project does not want it', async () => {
    await app.stores.transaction((tx) => tx.projects.update(1, { captureConsoleLogOptIn: false }))
    const log = { type: 6, data: { plugin: 'rrweb/console@1', payload: { level: 'error' } }, timestamp: t() }
    await send(app, [makeSnapshot({ events: [log, click(t())] })])
    expect(await recording('session-1')).toMatchObject({ console_error_count: 0, click_count: 1 })
  })
  it('links the recording to the person of its distinct id', async () => {
    await send(app, [one({ distinctId: 'jane' })])
    await send(app, { token: PROJECT_TOKEN, event: 'x', distinct_id: 'jane', $set: { email: 'jane@x.org' } }, '/e/')
    expect((await recording('session-1')).person).toMatchObject({ name: 'jane@x.org', distinct_ids: 'jane' })
  })
  it('fixes how long a recording is kept at its first block', async () => {
    await send(app, [one()])
    await app.call('PATCH', '/api/projects/1/', { body: { session_recording_retention_period: '5y' } })
    await send(app, [one(), one({ session: 'later' })])
    expect(await recording('session-1')).toMatchObject({ retention_period_days: 30 })
    expect(await recording('later')).toMatchObject({ retention_period_days: 1_825 })
  })

  it('stores the good snapshots of a request, reports the bad ones and keeps a warning', async () => {
    const body = [one(), 'nonsense', one({ session: 'a_b' }), one({ session: 'good' })]
    expect((await send(app, body)).json()).toEqual({
      status: 'Ok',
      dropped: [
        { index: 1, reason: 'invalid_event' },
        { index: 2, reason: 'invalid_session_id' },
      ],
    })
    expect([await status('session-1'), await status('good')]).toEqual([200, 200])
    expect((await warnings()).sort()).toEqual(['invalid_event', 'invalid_session_id'])
  })
  it('drops what is more than seven days away, with a warning', async () => {
    const week = 7 * 24 * 3_600_000
    const at = (from: number, to: number, session: string) =>
      makeSnapshot({ session, events: [click(t() + from), click(t() + to)] })
    const body = [at(-week, week, 'near'), at(-week - 1, 0, 'past'), at(0, week + 1, 'future')]
    expect((await send(app, body)).json().dropped).toEqual([
      { index: 1, reason: 'snapshot_outside_time_window' },
      { index: 2, reason: 'snapshot_outside_time_window' },
    ])
    expect([await status('near'), await status('past'), await status('future')]).toEqual([200, 404, 404])
    expect(await warnings()).toEqual(['snapshot_outside_time_window', 'snapshot_outside_time_window'])
    const { body: metrics } = await app.call('GET', '/metrics', { key: null })
    expect(metrics).toContain('hedgerow_capture_dropped_events_total{reason="snapshot_outside_time_window"} 2')
  })
  it('answers 200 to a snapshot without anything to play, and stores nothing', async () => {
    const response = await send(app, [makeSnapshot({ events: [{ ...click(1), timestamp: -1 }] })])
    expect(response.statusCode).toBe(200)
    expect(response.json().dropped).toEqual([{ index: 0, reason: 'snapshot_without_events' }])
    expect(await status('session-1')).toBe(404)
  })
  it('ignores performance events of old SDKs', async () => {
    const body = [{ event: '$performance_event', properties: { token: PROJECT_TOKEN } }]
    expect((await send(app, body)).body).toBe(OK)
  })
  it('tells the SDK to pause once the quota is used up, until it is raised', async () => {
    const quota = (bytes: number | null) =>
      app.call('PATCH', '/api/projects/1/', { body: { session_recording_quota_bytes: bytes } })
    await send(app, [one()])
    const used = await app.stores.recordings.storedBytes(1)
    expect(used).toBeGreaterThan(0)
    await quota(used + 1)
    expect((await send(app, [one()])).body).toBe(OK)
    const limited = await send(app, [one()])
    expect([limited.statusCode, limited.json()]).toEqual([200, { status: 'Ok', quota_limited: ['recordings'] }])
    expect(await recording('session-1')).toMatchObject({ click_count: 2 })
    await quota(null)
    expect((await send(app, [one()])).body).toBe(OK)
    expect(await recording('session-1')).toMatchObject({ click_count: 3 })
  })
  it('takes recordings again when a deletion has made room', async () => {
    await send(app, [one({ session: 'old' })])
    const body = { session_recording_quota_bytes: await app.stores.recordings.storedBytes(1) }
    await app.call('PATCH', '/api/projects/1/', { body })
    expect((await send(app, [one()])).json()).toHaveProperty('quota_limited')
    await app.call('DELETE', recordingPath('old'))
    app.clock.advance(5_000)
    expect((await send(app, [one()])).body).toBe(OK)
  })
  it('tells the SDK to pause when the disk is nearly full', async () => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_MIN_FREE_FOR_RECORDINGS: String(10 ** 15 - 1) } })
    expect((await send(app, [one()])).json()).toEqual({ status: 'Ok', quota_limited: ['recordings'] })
    expect(await app.stores.blobs.list('')).toEqual([])
  })
  it('refuses late data of a deleted recording quietly, and says so once', async () => {
    await send(app, [one()])
    expect((await app.call('DELETE', recordingPath('session-1'))).statusCode).toBe(204)
    const mixed = await send(app, [one({ session: 'other' }), one(), one()])
    const reason = 'recording_deleted'
    const dropped = [1, 2].map((index) => ({ index, reason }))
    expect([mixed.statusCode, mixed.json()]).toEqual([200, { status: 'Ok', dropped }])
    expect((await send(app, [one()])).json()).toEqual({ status: 'Ok', dropped: [{ index: 0, reason }] })
    await app.call('DELETE', recordingPath('other'))
    expect(await status('session-1')).toBe(404)
    expect(await app.stores.blobs.list('')).toEqual([])
    expect(await warnings()).toEqual(['recording_deleted'])
  })
  it('stores nothing of a project that does not record, and says so once', async () => {
    await app.call('PATCH', '/api/projects/1/', { body: { session_recording_opt_in: false } })
    app.clock.advance(1_000)
    const dropped = [{ index: 0, reason: 'recording_off' }]
    for (const snapshot of [one(), one()]) {
      expect((await send(app, [snapshot])).json()).toEqual({ status: 'Ok', dropped })
    }
    expect(await app.stores.blobs.list('')).toEqual([])
    expect(await warnings()).toEqual(['recording_off'])
  })
  it('refuses data of an expired recording', async () => {
    await send(app, [one()])
    app.clock.advance(31 * 24 * 3_600_000)
    const dropped = [{ index: 0, reason: 'recording_expired' }]
    expect((await send(app, [one()])).json()).toEqual({ status: 'Ok', dropped })
    expect((await standing('session-1'))?.recording.eventCount).toBe(2)
    expect(await warnings()).toEqual(['recording_expired'])
  })
  it('keeps the recordings of two projects apart, whatever their sessions are called', async () => {
    const other = await makeProject(app)
    await send(app, [one()])
    await send(app, [one({ properties: { token: other.apiToken } }), one({ properties: { token: other.apiToken } })])
    expect(await recording('session-1')).toMatchObject({ click_count: 1 })
    const theirs = await app.call('GET', recordingPath('session-1', '', other.id))
    expect(theirs.json()).toMatchObject({ click_count: 2 })
    const mixed = await send(app, [one(), one({ properties: { token: other.apiToken } })])
    expect([mixed.statusCode, mixed.body]).toEqual([401, 'batch submitted with inconsistent api_key values'])
  })
  it('takes many requests of one recording at once, each snapshot once', async () => {
    const snapshots = Array.from({ length: 40 }, (_, i) => makeSnapshot({ events: [click(t() + i)] }))
    const answers = await Promise.all([...snapshots, ...snapshots].map((snapshot) => send(app, [snapshot])))
    expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set([OK]))
    expect(await recording('session-1')).toMatchObject({ click_count: 40, event_count: 40 })
    const lines = await linesOf(app, 'session-1')
    expect(lines.map(([, event]) => event.timestamp).sort()).toEqual(snapshots.map((_, i) => t() + i))
  })
  it('takes many recordings at once', async () => {
    const sessions = Array.from({ length: 30 }, (_, i) => `s-${i}`)
    const all = sessions.flatMap((session) => [one({ session }), one({ session })])
    await Promise.all(all.map((snapshot) => send(app, [snapshot])))
    for (const session of sessions) expect(await recording(session)).toMatchObject({ click_count: 2 })
    expect(await drafts()).toEqual([])
  })
  it('leaves no bytes behind when a deletion and late data overlap', async () => {
    const rounds = Array.from({ length: 25 }, (_, i) => `s-${i}`)
    await Promise.all(
      rounds.map(async (session) => {
        await send(app, [one({ session })])
        const sent = [1, 2, 3].map(() => send(app, [one({ session })]))
        const gone = app.call('DELETE', recordingPath(session))
        const late = JSON.stringify({ status: 'Ok', dropped: [{ index: 0, reason: 'recording_deleted' }] })
        for (const { body } of await Promise.all(sent)) expect([OK, late]).toContain(body)
        expect((await gone).statusCode).toBe(204)
        expect(await status(session)).toBe(404)
      }),
    )
    expect(await app.stores.blobs.list('')).toEqual([])
    expect(await drafts()).toEqual([])
  })
  it('leaves no bytes behind that were added after the deletion had begun', async () => {
    await send(app, [one()])
    const by = { userId: 1, at: app.clock.now() }
    await app.stores.transaction((tx) => tx.recordings.replaceByTombstone(1, ['session-1'], by))
    const { body } = await send(app, [one()])
    expect(JSON.parse(body).dropped).toEqual([{ index: 0, reason: 'recording_deleted' }])
    expect(await app.stores.blobs.list('')).toEqual([])
  })
  it('removes files that were begun and never recorded, once they are old, and no other', async () => {
    await send(app, [one()])
    const left = ['1/recordings/cut-off/0', '1/recordings/session-1/1']
    for (const blobKey of left) {
      const draft = { projectId: 1, blobKey, begunAt: app.clock.now() }
      await app.stores.transaction((tx) => tx.recordings.addDraft(draft))
      await app.stores.blobs.append(blobKey, Buffer.from('half'), 0)
    }
    await app.close()
    app = await makeApp({ dataDir: app.dataDir, clock: app.clock })
    await app.features.replay.sweepDrafts(app.clock.now(), new AbortController().signal)
    expect([(await drafts()).length, (await app.stores.blobs.list('')).length]).toEqual([2, 3])
    await app.features.replay.sweepDrafts(app.clock.now() + 11 * 60_000, new AbortController().signal)
    expect(await app.stores.blobs.list('')).toEqual([(await standing('session-1'))?.lastBlock?.blobKey])
    expect(await drafts()).toEqual([])
    expect((await linesOf(app, 'session-1')).length).toBe(2)
  })
  it('begins another file when the one it was writing was taken for given up', async () => {
    const { transaction } = app.stores
    let swept = 0
    let isSweeping = false
    app.stores.transaction = async (work) => {
      // Once its bytes are there, before they are recorded; twice.
      if (!isSweeping && swept < 2 && (await drafts()).length > 0) {
        isSweeping = true
        swept += 1
        await app.features.replay.sweepDrafts(app.clock.now() + 11 * 60_000, new AbortController().signal)
        isSweeping = false
      }
      return transaction(work)
    }
    expect((await send(app, [one()])).body).toBe(OK)
    app.stores.transaction = transaction
    expect(swept).toBe(2)
    expect(await app.stores.blobs.list('')).toEqual([(await standing('session-1'))?.lastBlock?.blobKey])
    expect((await linesOf(app, 'session-1')).length).toBe(2)
  })
  it('continues after a restart in a new file that nobody else writes to', async () => {
    for (let starts = 1; starts <= 3; starts++) {
      for (let block = 0; block < 2; block++) await send(app, [one()])
      const keys = await app.stores.blobs.list('1/recordings/session-1/')
      expect(keys.length).toBe(starts)
      expect(keys).toContain((await standing('session-1'))?.lastBlock?.blobKey)
      expect((await linesOf(app, 'session-1')).length).toBe(4 * starts)
      await app.close()
      app = await makeApp({ dataDir: app.dataDir, clock: app.clock })
    }
  })
  it('continues over a tail that was never recorded, and overwrites it', async () => {
    await send(app, [one()])
    const last = (await standing('session-1'))?.lastBlock
    await app.stores.blobs.append(last?.blobKey ?? '', Buffer.from('torn'), last?.length ?? 0)
    expect((await linesOf(app, 'session-1')).length).toBe(2)
    await send(app, [one()])
    expect((await linesOf(app, 'session-1')).length).toBe(4)
  })
  it('keeps the bytes of a block whose transaction is committed after it was given up', async () => {
    for (const before of [0, 1]) {
      const session = `late-${before}`
      const known = Array.from({ length: before }, () => one({ session }))
      for (const snapshot of known) await send(app, [snapshot])
      const { transaction } = app.stores
      let commit = async () => {}
      let isRecorded = false
      app.stores.transaction = async (work) => {
        // The one before it notes a draft.
        if (before === 0 && !isRecorded) {
          isRecorded = true
          return transaction(work)
        }
        commit = async () => void (await transaction(work))
        throw new StoreUnavailable('sql_away')
      }
      expect((await send(app, [one({ session })])).statusCode).toBe(503)
      app.stores.transaction = transaction
      for (const snapshot of known) expect((await send(app, [snapshot])).body).toBe(OK)
      app.stores.transaction = async (work) => {
        await commit()
        commit = async () => {}
        return transaction(work)
      }
      expect((await send(app, [one({ session })])).body).toBe(OK)
      app.stores.transaction = transaction
      expect((await linesOf(app, session)).length).toBe(2 * (before + 2))
      await send(app, [one({ session })])
      expect((await linesOf(app, session)).length).toBe(2 * (before + 3))
    }
    expect(app.logs.join('')).not.toContain('missing')
  })
  it('continues in a new file when bytes were lost, and reports it', async () => {
    await send(app, [one()])
    await app.stores.blobs.removeAll('1/recordings/session-1/')
    expect((await send(app, [one()])).body).toBe(OK)
    expect(await app.stores.blobs.list('')).toEqual([expect.stringMatching(/^1\/recordings\/session-1\/1-/)])
    expect(app.logs.join('')).toContain('bytes of a recording are missing')
    expect((await linesOf(app, 'session-1')).length).toBe(2)
    const query = { source: 'blob_v2', blob_key: '0' }
    expect((await app.call('GET', recordingPath('session-1', 'snapshots/'), { query })).statusCode).toBe(404)
    expect((await app.call('GET', recordingPath('session-1', 'snapshots/export/'))).json().length).toBe(2)
    await send(app, [one()])
    expect((await linesOf(app, 'session-1')).length).toBe(4)
  })
  it('answers 503 with Retry-After when too much waits, and stores it when it is sent again', async () => {
    await app.end()
    app = await makeApp({ env: { HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: '1500' } })
    const snapshots = Array.from({ length: 12 }, (_, i) => one({ session: `s-${i}` }))
    const answers = await Promise.all(snapshots.map((snapshot) => send(app, [snapshot])))
    const refused = snapshots.filter((_, i) => answers[i]?.statusCode === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.find((answer) => answer.statusCode === 503)?.headers['retry-after']).toBe('5')
    for (const snapshot of refused) expect((await send(app, [snapshot])).body).toBe(OK)
    for (const snapshot of snapshots) expect(await status(snapshot.properties.$session_id)).toBe(200)
  })
  it('writes nothing of a recording to the log', async () => {
    await send(app, [makeSnapshot({ events: [mutation(t(), 'very private words')] })])
    expect(app.logs.join('')).not.toContain('very private words')
  })
})

describe('replay intake, with bad input,', () => {
  beforeAll(async () => {
    app = await makeApp()
  })
  afterAll(() => app.end())

  it.each([
    ['no token', [{ ...makeSnapshot({ events: [] }), properties: {} }], 401, 'event submitted without an api_key'],
    [
      'an unknown token',
      [makeSnapshot({ events: [], properties: { token: 'phc_nobody' } })],
      401,
      'API key is not valid: no project has it',
    ],
    ['an empty list', [], 400, 'request holds no event'],
    [
      'no session id',
      [makeSnapshot({ events: [], properties: { $session_id: undefined } })],
      400,
      'replay event submitted without session id',
    ],
    [
      'a session id with an underscore',
      [makeSnapshot({ events: [], session: 'a_b' })],
      400,
      'replay event has invalid session id',
    ],
    [
      'a session id that is too long',
      [makeSnapshot({ events: [], session: 'a'.repeat(71) })],
      400,
      'replay event has invalid session id',
    ],
    [
      'a session id that leads elsewhere',
      [makeSnapshot({ events: [], session: '../../x' })],
      400,
      'replay event has invalid session id',
    ],
    [
      'a session id that is a number',
      [makeSnapshot({ events: [], properties: { $session_id: 7 } })],
      400,
      'replay event has invalid session id',
    ],
    [
      'no snapshot data',
      [makeSnapshot({ events: [], properties: { $snapshot_data: 'x' } })],
      400,
      'replay event submitted without snapshot data',
    ],
    [
      'no distinct id',
      [makeSnapshot({ events: [], properties: { distinct_id: undefined } })],
      400,
      'event submitted without a distinct_id',
    ],
    ['a number', 5, 400, 'failed to parse request: expected an event or a list of events'],
  ])('refuses %s in plain text', async (_, body, code, text) => {
    const response = await send(app, body)
    expect([response.statusCode, response.body]).toEqual([code, text])
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(await app.stores.blobs.list('')).toEqual([])
  })
  it.each([
    ['broken JSON', '[{"a":', 400, /^failed to parse request: /],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 400, /^failed to decode request: /],
    ['a gzip bomb', gzipSync(Buffer.alloc(80_000_000)), 413, /^maximum event size exceeded: /],
    ['more than 25 MB', Buffer.alloc(25_000_001), 413, /./],
    ['nesting beyond all pages', `${'['.repeat(1_001)}${']'.repeat(1_001)}`, 400, /nested deeper/],
  ])('refuses %s', async (_, body, code, text) => {
    const response = await send(app, body, '/s/', { 'content-type': 'text/plain' })
    expect(response.statusCode).toBe(code)
    expect(response.body).toMatch(text)
  })
})
