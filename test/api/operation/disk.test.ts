/** A disk that runs short, and one without any space left: what is answered, logged, shown and counted. */
import { afterEach, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { FIXTURE_NOW, FIXTURE_TOKEN, requestsOf, send } from '../../support/replay/replay.ts'
import { needsSqlite } from '../../support/stores/stores.ts'
import { makeTinyDisk, noTinyDisk } from '../../support/tiny-disk.ts'

const MINUTE = 60_000

let app: TestApp
afterEach(() => app.end())

const capture = async (text = 'x') => {
  const batch = [{ event: 'x', distinct_id: 'u', properties: { text } }]
  return (await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })).statusCode
}
const logged = (words: string) => app.logs.filter((line) => line.includes(words))
const ready = async () => {
  const answer = await app.call('GET', '/_ready', { key: null })
  return [answer.statusCode, answer.json().checks.disk]
}

describe('a disk below the thresholds', () => {
  it('is in the log once a minute, with what is free and what is wanted', async () => {
    app = await makeApp({ env: { HEDGEROW_MIN_FREE_FOR_EVENTS: '900TB' } })
    const lines = () => logged('not enough room on the disk: events are refused')
    for (let i = 0; i < 20; i++) expect(await capture()).toBe(503)
    expect(lines()).toHaveLength(1)
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
      level: 50,
      needed: 900e12,
      setting: 'HEDGEROW_MIN_FREE_FOR_EVENTS',
      free: expect.any(Number),
    })
    app.clock.advance(MINUTE - 1)
    await capture()
    expect(lines()).toHaveLength(1)
    app.clock.advance(1)
    await capture()
    expect(lines()).toHaveLength(2)
  })
  it('is so for recordings too, apart from events', async () => {
    app = await makeApp({ env: { HEDGEROW_MIN_FREE_FOR_RECORDINGS: '900TB' } })
    expect(await capture()).toBe(200)
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
    app.clock.set(FIXTURE_NOW)
    for (const request of requestsOf('recording-posthog-js.jsonl')) await send(app, request)
    expect(logged('recordings are refused')).toHaveLength(1)
    expect(logged('events are refused')).toHaveLength(0)
  })
})

describe('a full disk', () => {
  it.skipIf(noTinyDisk || needsSqlite('the SQL store is on the full disk'))(
    `is named in the log and on /_ready${noTinyDisk ? ` (${noTinyDisk})` : ''}`,
    async () => {
      const disk = makeTinyDisk(64)
      const env = { HEDGEROW_MIN_FREE_FOR_EVENTS: '0', HEDGEROW_MIN_FREE_FOR_RECORDINGS: '0' }
      try {
        app = await makeApp({ dataDir: disk.folder, env })
        expect(await capture()).toBe(200)
        expect(await ready()).toEqual([200, 'ok'])
        disk.fill()
        const large = Array.from({ length: 20_000 }, (_, i) => i * 7919).join(' ')
        for (let i = 0; i < 5; i++) expect(await capture(large)).toBe(503)
        const body = { name: large.slice(0, 300), filters: { note: large } }
        expect((await app.call('POST', '/api/environments/1/insights/', { body })).statusCode).toBeGreaterThanOrEqual(
          400,
        )
        expect(logged('the disk is full')).toHaveLength(1)
        expect(JSON.parse(logged('the disk is full')[0] ?? '')).toMatchObject({ level: 50, folder: disk.folder })
        // Not a line for each request that fails.
        expect(logged('capture failed')).toHaveLength(0)
        expect(await ready()).toEqual([503, 'full: nothing can be stored'])
        const { body: metrics } = await app.call('GET', '/metrics', { key: null })
        expect(metrics).toMatch(/^hedgerow_requests_refused_total\{reason="disk_full"\} [5-9]$/m)

        disk.free()
        expect(await capture(large)).toBe(200)
        app.clock.advance(2 * MINUTE)
        expect(await ready()).toEqual([200, 'ok'])
        const events = await app.call('GET', '/api/environments/1/events/')
        expect(events.json().results).toHaveLength(2)
      } finally {
        await app.end()
        disk.end()
      }
    },
  )
})
