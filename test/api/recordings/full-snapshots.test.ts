/** The list of blocks says where the full snapshots are, whoever recorded them, and does not where nobody has looked. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeProject, makeRecording } from '../../support/make.ts'
import {
  click,
  expectedOf,
  FIXTURE_NOW,
  FIXTURE_TOKEN,
  linesOf,
  makeSnapshot,
  page,
  RECORDINGS,
  recordingPath,
  requestsOf,
  send,
  type WireEvent,
} from '../../support/replay/replay.ts'

const OK = '{"status":"Ok"}'

interface Source {
  full_snapshots: { window_id: string; timestamp: string }[] | null
}

let app: TestApp
let session: string
let made = 0
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())
beforeEach(() => {
  made += 1
  session = `session-${made}`
})

const t = () => app.clock.now()
const full = (timestamp: number): WireEvent => ({
  type: 2,
  data: { node: { type: 0, childNodes: [], id: 1 } },
  timestamp,
})
const add = async (events: WireEvent[], extra: object = {}) =>
  expect((await send(app, [makeSnapshot({ session, events, ...extra })])).body).toBe(OK)
const sourcesOf = async (of = session): Promise<Source[]> =>
  (await app.call('GET', recordingPath(of, 'snapshots/'))).json().sources
/** As `window time`, times from now on. */
const listed = async () =>
  (await sourcesOf()).map(
    ({ full_snapshots }) =>
      full_snapshots?.map(({ window_id, timestamp }) => `${window_id} ${Date.parse(timestamp) - t()}`) ?? null,
  )

describe('full snapshots in the list of blocks', () => {
  it('are those of each block, by window and time', async () => {
    await add([page(t(), 'https://shop.example/'), full(t() + 1), click(t() + 2)])
    await add([click(t() + 1_000)])
    await add([full(t() + 3_000), full(t() + 2_500)], { window: 'window-2' })
    expect(await listed()).toEqual([['window-1 1'], [], ['window-2 2500', 'window-2 3000']])
  })
  it('are those of all windows of one request', async () => {
    const of = (window: string, at: number) => makeSnapshot({ session, window, events: [full(t() + at)] })
    await send(app, [of('a', 5), of('b', 3), of('a', 9)])
    expect(await listed()).toEqual([['b 3', 'a 5', 'a 9']])
  })
  it('are those of the project, whatever its sessions are called', async () => {
    const { apiToken } = await makeProject(app)
    await add([full(t() + 1)])
    await add([full(t() + 7)], { properties: { token: apiToken } })
    expect(await listed()).toEqual([['window-1 1']])
  })

  it('are found when the SDK compressed them, also when nobody can undo it', async () => {
    const zipped = gzipSync(JSON.stringify({ node: {} })).toString('latin1')
    await add([{ type: 2, data: zipped, cv: '2024-10', timestamp: t() }])
    await add([{ type: 2, data: 'no gzip', cv: '2024-10', timestamp: t() + 5 }])
    expect(await listed()).toEqual([['window-1 0'], ['window-1 5']])
  })
  it('are found in what mobile apps record', async () => {
    const wireframes = { type: 2, data: { wireframes: [{ id: 1, type: 'text' }] }, timestamp: t() }
    await add([wireframes], { properties: { $snapshot_source: 'mobile', $lib: 'posthog-ios' } })
    expect(await listed()).toEqual([['window-1 0']])
  })
  it('of a repeated request are there once', async () => {
    const body = [makeSnapshot({ session, events: [full(t())] })]
    for (let i = 0; i < 3; i++) await send(app, body)
    expect(await listed()).toEqual([['window-1 0']])
  })
  it('are at most 20 of a block, and its row stays small', async () => {
    await add(Array.from({ length: 5_000 }, (_, i) => ({ ...full(t() + i), data: {} })))
    expect(await listed()).toEqual([Array.from({ length: 20 }, (_, i) => `window-1 ${i}`)])
    const [block] = await app.stores.recordings.blocks(1, session)
    expect(block?.fullSnapshots?.length).toBeLessThan(400)
  })
  it('are not known where nobody has looked', async () => {
    const { sessionId } = await makeRecording(app, { bytes: 'x', fullSnapshots: null })
    expect((await sourcesOf(sessionId)).map(({ full_snapshots }) => full_snapshots)).toEqual([null])
  })
  it.each(RECORDINGS)('are those of the lines of a real recording: %s', async (file) => {
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
    app.clock.set(Math.max(FIXTURE_NOW, app.clock.now()))
    for (const body of requestsOf(file)) expect((await send(app, body)).body).toBe(OK)
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: PROJECT_TOKEN }))
    for (const { session_id } of expectedOf(file)) {
      const lines = (await linesOf(app, session_id)).filter(([, event]) => event.type === 2)
      const found = (await sourcesOf(session_id)).flatMap(({ full_snapshots }) => full_snapshots ?? [])
      expect(found.map(({ window_id, timestamp }) => [window_id, Date.parse(timestamp)])).toEqual(
        lines.map(([window, event]) => [window, event.timestamp]),
      )
      expect(found.length).toBeGreaterThan(0)
    }
  })
})
