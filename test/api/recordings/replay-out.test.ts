/** Reading recordings: the list of blocks, their lines, the whole as one file; by key and by sharing token. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'
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
  type WireEvent,
} from '../../support/replay/replay.ts'

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
const add = (events: WireEvent[], extra: object = {}) => send(app, [makeSnapshot({ session, events, ...extra })])
const snapshots = (query: Record<string, string> = {}, key?: string) =>
  app.call('GET', recordingPath(session, 'snapshots/'), { query, ...(key === undefined ? {} : { key }) })
const block = (key: string) => snapshots({ source: 'blob_v2', blob_key: key })
const range = (start: string, end: string) => snapshots({ source: 'blob_v2', start_blob_key: start, end_blob_key: end })
const exported = async () => (await app.call('GET', recordingPath(session, 'snapshots/export/'))).json()
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

describe('GET session_recordings/{id}/snapshots/', () => {
  it('lists the blocks by the time of their first event', async () => {
    await add([click(t() + 20_000), click(t() + 29_000)])
    await add([click(t()), click(t() + 9_000)])
    await add([click(t() + 10_000)])
    const response = await snapshots()
    const source = { source: 'blob_v2', full_snapshots: [] }
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      sources: [
        { ...source, start_timestamp: iso(t()), end_timestamp: iso(t() + 9_000), blob_key: '0' },
        { ...source, start_timestamp: iso(t() + 10_000), end_timestamp: iso(t() + 10_000), blob_key: '1' },
        { ...source, start_timestamp: iso(t() + 20_000), end_timestamp: iso(t() + 29_000), blob_key: '2' },
      ],
    })
    expect(JSON.parse((await block('2')).body.split('\n')[0] ?? '')).toEqual(['window-1', click(t() + 20_000)])
    expect((await range('0', '2')).body.split('\n').length).toBe(5)
  })
  it('gives the lines of one block and of a range, as JSON lines that may be cached', async () => {
    for (let i = 0; i < 5; i++) await add([mutation(t() + i, `text ${i}`), click(t() + i)])
    const one = await block('3')
    expect(one.headers).toMatchObject({
      'content-type': 'application/jsonl',
      'cache-control': 'max-age=3600',
      'content-disposition': 'inline',
    })
    const line = (event: WireEvent) => JSON.stringify(['window-1', event])
    expect(one.body).toBe(`${line(mutation(t() + 3, 'text 3'))}\n${line(click(t() + 3))}`)
    const three = await range('1', '3')
    expect(three.body.split('\n').map((text) => JSON.parse(text)[1].timestamp - t())).toEqual([1, 1, 2, 2, 3, 3])
    expect(three.body.endsWith('\n')).toBe(false)
  })
  it('does not know a key past the last block, at either end of a range', async () => {
    for (let i = 0; i < 3; i++) await add([click(t() + i)])
    expect((await range('0', '2')).statusCode).toBe(200)
    for (const answer of [await block('3'), await range('2', '3'), await range('0', '99'), await range('3', '3')]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({
        type: 'invalid_request',
        code: 'not_found',
        detail: 'Block not found',
        attr: null,
      })
    }
  })
  it('must not be cached while blocks come late', async () => {
    await add([click(t() + 10)])
    await add([click(t())])
    expect((await block('0')).headers['cache-control']).toBe('no-cache')
    app.clock.advance(3_600_001)
    expect((await block('0')).headers['cache-control']).toBe('max-age=3600')
  })
  it('reads any block by itself, also far into a chain of blocks that build on one another', async () => {
    for (let i = 0; i < 130; i++) await add([mutation(t() + i, `the same words again and again, ${i}`)])
    const blocks = await app.stores.recordings.blocks(1, session)
    expect(blocks.filter(({ follows }) => follows === null).length).toBe(2)
    for (const key of [129, 64, 0, 99, 100, 101]) {
      expect(JSON.parse((await block(String(key))).body)[1]).toEqual(
        mutation(t() + key, `the same words again and again, ${key}`),
      )
    }
    expect((await range('30', '129')).body.split('\n').length).toBe(100)
  })
  it.each([
    ['an empty source', { source: '' }, '"" is not a valid choice.', 'source', 'invalid_choice'],
    [
      'another source',
      { source: 'realtime', blob_key: '0' },
      '"realtime" is not a valid choice.',
      'source',
      'invalid_choice',
    ],
    [
      'other letters',
      { source: 'BLOB_V2', blob_key: '0' },
      '"BLOB_V2" is not a valid choice.',
      'source',
      'invalid_choice',
    ],
    ['no key', { source: 'blob_v2' }, 'Must provide both start blob key and end blob key', null, 'invalid_input'],
    [
      'only a start',
      { source: 'blob_v2', start_blob_key: '0' },
      'Must provide both start blob key and end blob key',
      null,
      'invalid_input',
    ],
    [
      'a key that is no number',
      { source: 'blob_v2', start_blob_key: '0', end_blob_key: 'x' },
      'Blob keys must be integers',
      'end_blob_key',
      'invalid_input',
    ],
    [
      'a negative key',
      { source: 'blob_v2', blob_key: '-1' },
      'Blob keys must be integers',
      'blob_key',
      'invalid_input',
    ],
    [
      'more than 100 keys',
      { source: 'blob_v2', start_blob_key: '0', end_blob_key: '100' },
      'Cannot request more than 100 blob keys at once',
      null,
      'invalid_input',
    ],
    [
      'an end before the start',
      { source: 'blob_v2', start_blob_key: '2', end_blob_key: '1' },
      'The end blob key must not be below the start blob key',
      'end_blob_key',
      'invalid_input',
    ],
  ])('refuses %s', async (_, query, detail, attr, code) => {
    await add([click(t())])
    const response = await snapshots(query as Record<string, string>)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code, detail, attr })
  })
  it('knows no block beyond the last, no unknown recording, and no expired one', async () => {
    const missing = async () => [(await snapshots()).statusCode, (await block('0')).statusCode]
    expect(await missing()).toEqual([404, 404])
    await add([click(t())])
    expect((await block('1')).statusCode).toBe(404)
    app.clock.advance(31 * 24 * 3_600_000)
    expect(await missing()).toEqual([404, 404])
    expect((await app.call('GET', recordingPath('a%00b', 'snapshots/'))).statusCode).toBe(404)
  })
  it('says that a deleted recording is gone', async () => {
    await add([click(t())])
    await app.call('DELETE', recordingPath(session))
    for (const path of ['snapshots/', 'snapshots/?source=blob_v2&blob_key=0', 'snapshots/export/']) {
      const response = await app.call('GET', recordingPath(session, path))
      expect(response.statusCode).toBe(410)
      expect(response.json()).toMatchObject({ type: 'invalid_request', detail: 'Recording has been deleted' })
    }
  })
  it('answers only a key with the scope, of the project', async () => {
    await add([click(t())])
    const stranger = await makeStranger(app)
    expect((await snapshots({}, await makeKey(app, { scopes: ['session_recording:read'] }))).statusCode).toBe(200)
    expect((await snapshots({}, await makeKey(app, { scopes: ['person:read'] }))).statusCode).toBe(403)
    expect((await snapshots({}, stranger.key)).statusCode).toBe(403)
    const path = recordingPath(session, 'snapshots/', stranger.project.id)
    expect((await app.call('GET', path, { key: stranger.key })).statusCode).toBe(404)
    expect((await app.call('GET', recordingPath(session, 'snapshots/'), { key: null })).statusCode).toBe(401)
  })
})

describe('a sharing token', () => {
  const shared = (query: Record<string, string>, path = recordingPath(session, 'snapshots/')) =>
    app.call('GET', path, { key: null, query })
  const share = async () => {
    const body = { enabled: true }
    return (await app.call('PATCH', recordingPath(session, 'sharing/'), { body })).json().access_token as string
  }
  it('opens both steps of its recording, and the answers are not cached', async () => {
    await add([click(t())])
    const sharing_access_token = await share()
    const list = await shared({ sharing_access_token })
    expect(list.json()).toEqual((await snapshots()).json())
    const lines = await shared({ sharing_access_token, source: 'blob_v2', blob_key: '0' })
    expect(lines.body).toBe((await block('0')).body)
    for (const { headers } of [list, lines]) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    expect(lines.headers['content-type']).toBe('application/jsonl')
  })
  it('opens no other recording, not the export, and nothing once it is dead', async () => {
    await add([click(t())])
    const sharing_access_token = await share()
    await send(app, [makeSnapshot({ session: 'sibling', events: [click(t())] })])
    expect((await shared({ sharing_access_token }, recordingPath('sibling', 'snapshots/'))).statusCode).toBe(403)
    expect((await shared({ sharing_access_token }, recordingPath(session, 'snapshots/export/'))).statusCode).toBe(403)
    expect((await shared({ sharing_access_token: 'wrong' })).statusCode).toBe(401)
    await app.call('DELETE', recordingPath(session))
    expect((await shared({ sharing_access_token })).statusCode).toBe(401)
  })
})

describe('GET session_recordings/{id}/snapshots/export/', () => {
  it('is one JSON array by time, without repeats, each event with its window', async () => {
    await add([click(t() + 5), page(t(), 'https://shop/')], { window: 'w1' })
    await add([{ ...click(t() + 3), delay: 7 }, click(t() + 5)], { window: 'w2' })
    await add([click(t() + 5), { ...click(t() + 3), delay: 9 }, mutation(t() + 4)], { window: 'w1' })
    await add([{ ...click(t() + 3), delay: 11 }], { window: 'w1' })
    const response = await app.call('GET', recordingPath(session, 'snapshots/export/'))
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="recording-${session}.json"`,
    })
    expect(response.json()).toEqual([
      { ...page(t(), 'https://shop/'), windowId: 'w1' },
      { ...click(t() + 3), delay: 7, windowId: 'w2' },
      { ...click(t() + 3), delay: 9, windowId: 'w1' },
      { ...mutation(t() + 4), windowId: 'w1' },
      { ...click(t() + 5), windowId: 'w1' },
      { ...click(t() + 5), windowId: 'w2' },
    ])
  })
  it('undoes the compression of the SDK, also what was too much on the way in', async () => {
    const text = 'x'.repeat(200_000)
    const data = { node: { type: 0, childNodes: [], id: 1 }, text }
    const zip = (value: unknown) => gzipSync(Buffer.from(JSON.stringify(value))).toString('latin1')
    const full = { type: 2, data: zip(data), timestamp: t(), cv: '2024-10' }
    const many = Array.from({ length: 400 }, (_, i) => ({ ...full, data: zip({ ...data, i }), timestamp: t() + i }))
    await add(many)
    const kept = (await linesOf(app, session)).filter(([, event]) => event.cv === '2024-10')
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(400)
    const events = await exported()
    expect(events.length).toBe(400)
    expect(events[399]).toEqual({ type: 2, data: { ...data, i: 399 }, timestamp: t() + 399, windowId: 'window-1' })
    expect(events.every((event: WireEvent) => event.cv === undefined)).toBe(true)
  })
  it('keeps a windowId that an event brought itself out of the way', async () => {
    await add([{ ...click(t()), windowId: 'mine' }])
    expect(await exported()).toEqual([{ ...click(t()), windowId: 'window-1' }])
  })
  it('plays a recording whose beginning is missing', async () => {
    const [file] = RECORDINGS
    const apart = await makeApp()
    try {
      await apart.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
      apart.clock.set(FIXTURE_NOW)
      for (const request of requestsOf(file).slice(1)) expect((await send(apart, request)).statusCode).toBe(200)
      const path = recordingPath(expectedOf(file)[0]?.session_id ?? '', 'snapshots/')
      expect((await apart.call('GET', path)).json().sources.length).toBe(6)
      const events = (await apart.call('GET', `${path}export/`)).json() as WireEvent[]
      const first = events.findIndex((event) => event.type === 2)
      expect(events[first]?.data).toMatchObject({ node: { type: 0 }, initialOffset: { top: 0 } })
      expect(events.slice(0, first).some((event) => event.type === 4)).toBe(true)
    } finally {
      await apart.end()
    }
  })
})
