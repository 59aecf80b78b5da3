/** The built program with events on ClickHouse: sent to, a server away, killed, started again, read, erased. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noClickhouse } from '../support/clickhouse/databases.ts'
import { type ClickhouseServers, clickhouseUrl, startClickhouse } from '../support/clickhouse/server.ts'
import { type Running, run, start, useFolder } from '../support/program.ts'

const KEY = 'phx_clickhouse_key_0123456789'
const TOKEN = 'phc_clickhouse_token_0123456789'

const folder = useFolder()

describe.skipIf(noClickhouse)('events on ClickHouse', () => {
  let servers: ClickhouseServers
  let env: Record<string, string>
  let server: Running
  beforeAll(async () => {
    // Its own, as one of them is killed.
    servers = await startClickhouse({ shards: 2 })
    const url = clickhouseUrl(servers, await servers.createDatabase())
    env = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN, HEDGEROW_EVENTS_URL: url }
  })
  afterAll(() => servers.close())

  async function send(names: string[]): Promise<number> {
    const batch = names.map((name) => ({ event: 'opened', distinct_id: name, properties: { $set: { name } } }))
    const answer = await fetch(`${server.url}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: TOKEN, batch }),
    })
    return answer.status
  }
  const api = (path: string, method = 'GET') =>
    fetch(`${server.url}/api/environments/1/${path}`, { method, headers: { authorization: `Bearer ${KEY}` } })
  async function listed(): Promise<string[]> {
    const { results } = (await (await api('events/?limit=1000')).json()) as { results: { distinct_id: string }[] }
    return results.map(({ distinct_id }) => distinct_id).sort()
  }

  it('keeps what was acknowledged over kills of either side, each event once', async () => {
    server = await start(folder(), { env })
    const names = Array.from({ length: 40 }, (_, i) => `id-${String(i).padStart(2, '0')}`)
    expect(await send(names.slice(0, 10))).toBe(200)
    expect(await listed()).toEqual(names.slice(0, 10))

    const [, second] = servers.nodes
    await second?.kill()
    expect(await send(names.slice(10, 20))).toBe(200)
    const refused = await api('events/')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await api('persons/')).status).toBe(200)
    await server.stop('SIGKILL')
    const early = await run(['serve'], { env: { ...env, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' } })
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('nobody answers there')])

    await second?.start()
    server = await start(folder(), { env })
    expect(await send(names.slice(20))).toBe(200)
    expect(await listed()).toEqual(names)
    const found = (await (await api('persons/?search=ID-07')).json()) as { count: number }
    expect(found.count).toBe(1)
    const doctor = await run(['doctor'], { env: { ...env, HEDGEROW_DATA_DIR: folder() } })
    expect(doctor.stdout).toMatch(/ok +stores +ClickHouse; SQLite and files in the data folder/)
    expect(doctor.stdout).toMatch(/ok +clickhouse +version 18\.16/)
    expect((await server.stop('SIGTERM')).code).toBe(0)
    const backup = await run(['backup', `${folder()}/backup`], { env: { ...env, HEDGEROW_DATA_DIR: folder() } })
    expect([backup.code, backup.stderr]).toEqual([1, expect.stringContaining('a backup of the database on ClickHouse')])
  })
})
