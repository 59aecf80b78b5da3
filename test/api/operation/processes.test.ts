/** Two processes on one PostgreSQL, one ClickHouse of two shards and one S3: each sees, and is bound by, what the other does. */
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../support/clickhouse/databases.ts'
import { type TestClock, testClock } from '../../support/clock.ts'
import { newDatabase, type TestDatabase } from '../../support/postgres/databases.ts'
import { tempFolder } from '../../support/program.ts'
import { click, linesOf, makeSnapshot, recordingPath, send } from '../../support/replay/replay.ts'
import { openEventSource } from '../../support/servers/event-source.ts'
import { type S3Server, startS3 } from '../../support/servers/s3.ts'
import { listen } from '../../support/servers/socket.ts'

const API = '/api/environments/1'

/** Numbers that a transaction took which is rolled back are gone there: the first project has another then. */
const isRerun = process.env.RERUN !== undefined

describe.skipIf(noClickhouse || isRerun)('two processes', () => {
  let s3: S3Server
  let database: TestDatabase
  let clickhouse: TestClickhouse
  let clock: TestClock
  let folders: string[]
  let apps: TestApp[]
  let [one, two]: TestApp[] = []
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.stop())

  const open = async (env: Record<string, string | undefined> = {}): Promise<TestApp> => {
    const dataDir = tempFolder()
    folders.push(dataDir)
    const urls = {
      HEDGEROW_SQL_URL: database.url,
      HEDGEROW_EVENTS_URL: clickhouse.url,
      HEDGEROW_BLOBS_URL: s3.url(clickhouse.database),
    }
    const app = await makeApp({ dataDir, clock, env: { HEDGEROW_RATE_LIMITS: 'true', ...urls, ...env } })
    apps.push(app)
    return app
  }
  beforeEach(async () => {
    ;[database, clickhouse] = await Promise.all([newDatabase(), newClickhouse()])
    clock = testClock()
    folders = []
    apps = []
    // At once, on stores that are empty.
    ;[one, two] = await Promise.all([open(), open()])
  })
  afterEach(async () => {
    for (const app of apps) await app.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    await Promise.all([database.drop(), clickhouse.drop()])
  })

  const capture = async (app: TestApp, names: string[]) => {
    const batch = names.map((name) => ({ event: 'opened', distinct_id: name, properties: { $set: { name } } }))
    const answer = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
    expect(answer.statusCode).toBe(200)
  }
  const listed = async (app: TestApp): Promise<string[]> => {
    const { results } = (await app.call('GET', `${API}/events/?limit=1000`)).json()
    return results.map(({ distinct_id }: { distinct_id: string }) => distinct_id).sort()
  }
  const both = (): [TestApp, TestApp] => [one as TestApp, two as TestApp]

  it('make what empty stores need once, and what one captures the other reads at once', async () => {
    const [a, b] = both()
    expect([a.first, b.first].filter((first) => first !== null)).toHaveLength(1)
    const names: string[] = []
    for (let round = 0; round < 6; round++) {
      const [from, to] = round % 2 === 0 ? [a, b] : [b, a]
      names.push(`id-${round}`)
      await capture(from, [`id-${round}`])
      expect(await listed(to)).toEqual(names)
    }
    const trend = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'opened' }] }
    const count = async (app: TestApp) =>
      (await app.call('POST', `${API}/query/`, { body: { query: trend } })).json().results[0].count
    expect([await count(a), await count(b)]).toEqual([6, 6])
    await capture(b, ['id-6'])
    expect([await count(a), await count(b)]).toEqual([7, 7])
  })

  it('show to those who follow events what the other captures, also while it hands that on, and each event once', async () => {
    const [a, b] = both()
    const headers = { authorization: `Bearer ${ROOT_KEY}` }
    const open = async (app: TestApp) => openEventSource(await listen(app.server), `${API}/events/live/`, headers)
    const readers = await Promise.all([open(a), open(b)])
    const shown = () =>
      readers.map((reader) =>
        reader
          .events()
          .map(({ data }) => JSON.parse(data).distinct_id)
          .sort(),
      )
    const names: string[] = []
    for (let round = 0; round < 5; round++) {
      const [first, second] = [`a-${round}`, `b-${round}`]
      names.push(first, second)
      await Promise.all([capture(a, [first]), capture(b, [second])])
      // A read has the outbox emptied, by either of them.
      expect(await listed(round % 2 === 0 ? a : b)).toEqual([...names].sort())
      await expect.poll(shown).toEqual([[...names].sort(), [...names].sort()])
    }
    for (const reader of readers) reader.leave()
  })

  it('are refused where a data folder is shared, or a store is not', async () => {
    const [a] = both()
    await expect(open({ HEDGEROW_DATA_DIR: a.dataDir })).rejects.toThrow('already uses the data folder')
    await expect(open({ HEDGEROW_EVENTS_URL: undefined })).rejects.toThrow('several servers share one only if')
    await expect(open({ HEDGEROW_BLOBS_URL: undefined })).rejects.toThrow('several servers share one only if')
  })

  it('let through together what one would, also one that has just been started', async () => {
    const [a, b] = both()
    const ask = async (app: TestApp) => {
      const { statusCode, headers } = await app.call('GET', `${API}/persons/?limit=1`)
      return { statusCode, left: Number(headers['ratelimit-remaining']) }
    }
    let asked = 0
    for (; asked < 100; asked++) expect((await ask(a)).statusCode).toBe(200)
    // Each look counts, too.
    const look = async () => {
      asked += 1
      return (await ask(b)).left
    }
    const isTold = () => expect.poll(async () => (await look()) === 240 - asked, { interval: 300 }).toBe(true)
    await isTold()
    const third = await open()
    asked += 1
    expect((await ask(third)).left).toBeLessThanOrEqual(240 - 100)
    await isTold()
    for (let left = 240 - asked; left > 0; left--) expect((await ask(b)).statusCode).toBe(200)
    expect((await ask(b)).statusCode).toBe(429)
    await expect.poll(async () => (await ask(a)).statusCode, { interval: 300 }).toBe(429)
    clock.advance(61_000)
    expect([(await ask(a)).statusCode, (await ask(b)).statusCode]).toEqual([200, 200])
  })

  it('give ten tries of a password of a share, however many ask which at once', async () => {
    const [a, b] = both()
    await send(a, [makeSnapshot({ events: [click(clock.now())] })])
    const path = recordingPath('session-1')
    const body = { enabled: true, password_required: true }
    const { access_token: token } = (await a.call('PATCH', `${path}sharing/`, { body })).json()
    await a.call('POST', `${path}sharing/passwords/`, { body: { raw_password: 'correct horse' } })
    const enter = async (app: TestApp) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      return (await app.call('POST', `/shared/${token}`, { key: null, headers, body: { password: 'wrong' } }))
        .statusCode
    }
    const answers: number[] = []
    // A few at once: more would be told that the database is busy.
    for (let round = 0; round < 8; round++)
      answers.push(...(await Promise.all([enter(a), enter(b), enter(a), enter(b)])))
    expect(answers.filter((status) => status !== 429 && status !== 503)).toEqual(Array(10).fill(401))
    expect(answers).toContain(429)
  })

  it('record one session in turn and at once, and it plays whole from either', async () => {
    const [a, b] = both()
    const at = (i: number) => clock.now() + i
    let sent = 0
    for (let round = 0; round < 6; round++) {
      const snapshot = makeSnapshot({ events: [click(at(sent++))] })
      expect((await send(round % 2 === 0 ? a : b, [snapshot])).body).toBe('{"status":"Ok"}')
    }
    const overlapping = Array.from({ length: 12 }, () => makeSnapshot({ events: [click(at(sent++))] }))
    const answers = await Promise.all(overlapping.map((snapshot, i) => send(i % 2 === 0 ? a : b, [snapshot])))
    // What met another each time is sent again, as an SDK does.
    for (const [i, { statusCode }] of answers.entries())
      if (statusCode !== 200) expect((await send(a, [overlapping[i]])).statusCode).toBe(200)
    const expected = Array.from({ length: sent }, (_, i) => at(i))
    for (const app of [a, b]) {
      const lines = await linesOf(app, 'session-1')
      expect(lines.map(([, event]) => event.timestamp).sort()).toEqual(expected)
      expect((await app.call('GET', recordingPath('session-1'))).json()).toMatchObject({ click_count: sent })
    }
    expect(await a.stores.recordings.drafts(Number.MAX_SAFE_INTEGER, 10)).toEqual([])
  })

  it('carry out deletions once, when both are asked at the same time', async () => {
    const [a, b] = both()
    const names = Array.from({ length: 12 }, (_, i) => `gone-${i}`)
    await capture(a, [...names, 'stays'])
    await capture(b, names)
    const { results } = (await a.call('GET', `${API}/persons/?limit=100`)).json()
    const leaving = results.filter(({ distinct_ids: [id] }: { distinct_ids: string[] }) => id?.startsWith('gone'))
    for (const { id } of leaving) await b.call('DELETE', `${API}/persons/${id}/?delete_events=true`)
    const counts = await Promise.all([a, b].map((app) => app.features.deletions.run({ projectId: 1 })))
    const sum = (of: (one: (typeof counts)[number]) => number) => counts.reduce((all, one) => all + of(one), 0)
    expect([sum((one) => one.requests), sum((one) => one.events)]).toEqual([12, 24])
    const done = (await b.call('GET', `${API}/persons/deletion_status/?limit=100`)).json().results
    expect(done.map((one: { events_deleted: number }) => one.events_deleted)).toEqual(Array(12).fill(2))
    expect([await listed(a), await listed(b)]).toEqual([['stays'], ['stays']])
  })
})
