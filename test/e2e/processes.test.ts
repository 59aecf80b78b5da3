/**
 * Two programs on one PostgreSQL, ClickHouse and S3: started at once, one killed while it records, one stopped and started
 * again, and the other goes on.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSql } from '../../src/stores/open.ts'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../support/clickhouse/databases.ts'
import { newDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { type Running, run, start, tempFolder, useFolder } from '../support/program.ts'
import { click, makeSnapshot } from '../support/replay/replay.ts'
import { type S3Server, startS3 } from '../support/servers/s3.ts'

const KEY = 'phx_processes_key_0123456789'
const TOKEN = 'phc_processes_token_0123456789'

useFolder()

describe.skipIf(noClickhouse)('two programs', () => {
  let s3: S3Server
  let database: TestDatabase
  let clickhouse: TestClickhouse
  let env: Record<string, string>
  const folders = tempFolder()
  beforeAll(async () => {
    ;[s3, database, clickhouse] = await Promise.all([startS3(), newDatabase(), newClickhouse()])
    env = {
      HEDGEROW_API_KEY: KEY,
      HEDGEROW_PROJECT_TOKEN: TOKEN,
      HEDGEROW_SQL_URL: database.url,
      HEDGEROW_EVENTS_URL: clickhouse.url,
      HEDGEROW_BLOBS_URL: s3.url('processes'),
    }
  })
  afterAll(async () => {
    await Promise.all([s3.stop(), database.drop(), clickhouse.drop()])
    rmSync(folders, { recursive: true, force: true })
  })

  const open = (name: string): Promise<Running> => start(join(folders, name), { env })
  const post = async ({ url }: Running, path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const capture = (server: Running, name: string) =>
    post(server, '/batch/', { api_key: TOKEN, batch: [{ event: 'opened', distinct_id: name }] })
  const get = async ({ url }: Running, path: string) =>
    (
      await fetch(`${url}/api/environments/1/${path}`, { headers: { authorization: `Bearer ${KEY}` } })
    ).json() as Promise<Record<string, unknown>>
  const listed = async (server: Running) => {
    const { results } = (await get(server, 'events/?limit=1000')) as { results: { distinct_id: string }[] }
    return results.map(({ distinct_id }) => distinct_id).sort()
  }
  const record = (server: Running, at: number) =>
    post(server, '/s/', [makeSnapshot({ events: [click(at)], properties: { token: TOKEN } })])

  it('start at once on empty stores, and go on without each other', async () => {
    const [one, two] = await Promise.all([open('one'), open('two')])
    expect([await capture(one, 'a'), await capture(two, 'b')]).toEqual([200, 200])
    expect([await listed(one), await listed(two)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    const second = await run(['serve'], {
      env: { ...env, HEDGEROW_DATA_DIR: join(folders, 'one'), HEDGEROW_PORT: '0' },
    })
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('already uses the data folder')])

    const now = Date.now()
    expect([await record(one, now), await record(two, now + 1)]).toEqual([200, 200])
    // The first bytes of a new file are stored, and never answered for: the process is killed there.
    const stalled = new Promise<string>((resolve) =>
      s3.behave(({ method, name }) => {
        if (method !== 'PUT' || !name.includes('session-2')) return 'pass'
        resolve(name)
        return 'stall'
      }),
    )
    const lost = post(one, '/s/', [
      makeSnapshot({ session: 'session-2', events: [click(now)], properties: { token: TOKEN } }),
    ]).catch(() => 'cut off')
    await stalled
    await one.stop('SIGKILL')
    expect(await lost).toBe('cut off')
    s3.behave(() => 'pass')
    expect([await capture(two, 'c'), await record(two, now + 2)]).toEqual([200, 200])
    expect(await listed(two)).toEqual(['a', 'b', 'c'])

    const again = await open('one')
    const sql = await openSql({
      dataDir: join(folders, 'two'),
      sqlUrl: database.url,
      eventsUrl: clickhouse.url,
      blobsUrl: env.HEDGEROW_BLOBS_URL ?? '',
    })
    const drafts = () => sql.stores.recordings.drafts(Number.MAX_SAFE_INTEGER, 10)
    try {
      // A start leaves it alone: it might be another's. A job takes it when it is old.
      expect(await drafts()).toEqual([expect.objectContaining({ blobKey: expect.stringContaining('session-2') })])
      const [draft] = await drafts()
      if (!draft) throw new Error('There is no draft.')
      await sql.stores.transaction(async (tx) => {
        await tx.recordings.removeDraft(draft)
        await tx.recordings.addDraft({ ...draft, begunAt: now - 3_600_000 })
        const job = { kind: 'sweep-recording-drafts', key: 'now', projectId: null, payload: null, runAt: now }
        await tx.jobs.add(job)
      })
      await expect.poll(drafts).toEqual([])
    } finally {
      await sql.close()
    }
    const { sources } = (await get(again, 'session_recordings/session-1/snapshots/')) as { sources: unknown[] }
    expect(sources).toHaveLength(3)
    expect((await two.stop('SIGTERM')).code).toBe(0)
    expect([await capture(again, 'd'), await listed(again)]).toEqual([200, ['a', 'b', 'c', 'd']])
    const doctor = await run(['doctor'], { env: { ...env, HEDGEROW_DATA_DIR: join(folders, 'two') } })
    expect(doctor.stdout).toMatch(/ok +stores +PostgreSQL, ClickHouse/)
  })
})
