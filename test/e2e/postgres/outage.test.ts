/** The whole server on PostgreSQL that is killed and comes back: nothing hangs, nothing that was answered 200 is lost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, startServer } from '../../support/postgres/databases.ts'
import type { PostgresServer } from '../../support/postgres/server.ts'
import { type Running, start, useFolder } from '../../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const folder = useFolder()

describe.each(engines)('$name', (engine) => {
  let postgres: PostgresServer
  beforeEach(async () => {
    postgres = await startServer(engine)
  })
  afterEach(() => postgres.remove())

  const serve = () => {
    const env = { HEDGEROW_SQL_URL: postgres.url, HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
    return start(folder(), { env: { ...env, HEDGEROW_LOG_FORMAT: 'json' } })
  }
  const get = ({ url }: Running, path: string) => fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } })
  const capture = ({ url }: Running, id: string) =>
    fetch(`${url}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        api_key: TOKEN,
        batch: [{ event: 'seen', distinct_id: id, properties: { $set: { id } } }],
      }),
    })
  const idsOf = async (server: Running): Promise<string[]> => {
    const answer = await get(server, '/api/environments/1/persons/')
    const { results } = (await answer.json()) as { results: { distinct_ids: string[] }[] }
    return results.flatMap(({ distinct_ids }) => distinct_ids).sort()
  }
  const refused = async (answer: Response) => [answer.status, answer.headers.get('retry-after')]
  const linesOf = (server: Running, words: string) =>
    server
      .stderr()
      .split('\n')
      .filter((line) => line.includes(words))

  it('answers 503 while the database is away, and goes on by itself', async () => {
    const server = await serve()
    expect((await capture(server, 'before')).status).toBe(200)
    await postgres.kill()
    expect(await refused(await capture(server, 'meanwhile'))).toEqual([503, '5'])
    expect(await refused(await get(server, '/api/environments/1/persons/'))).toEqual([503, '5'])
    expect(await refused(await get(server, '/api/users/@me/'))).toEqual([503, '5'])
    expect((await get(server, '/_health')).status).toBe(200)
    const ready = await get(server, '/_ready')
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'not ready', checks: { sql: 'failing' } }])
    // Long enough for the jobs to be looked for a few times.
    const many = await Promise.all(Array.from({ length: 30 }, (_, n) => capture(server, `lost ${n}`)))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([503]))
    expect(linesOf(server, 'requests are answered 503')).toHaveLength(1)
    await postgres.start()
    await expect.poll(async () => (await get(server, '/_ready')).status).toBe(200)
    await expect.poll(async () => (await capture(server, 'after')).status).toBe(200)
    expect(await idsOf(server)).toEqual(['after', 'before'])
    const events = (await (await get(server, '/api/environments/1/events/')).json()) as { results: unknown[] }
    expect(events.results).toHaveLength(2)
    expect(linesOf(server, 'requests are answered 503')).toHaveLength(1)
    expect(linesOf(server, 'answers again')).toHaveLength(1)
    expect(linesOf(server, '"level":50')).toHaveLength(1)
    expect((await server.stop()).code).toBe(0)
  })

  it('keeps everything that it has acknowledged, however often the database is killed', async () => {
    const server = await serve()
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const sending = Array.from({ length: 40 }, async (_, n) => {
        const id = `round ${round}, ${n}`
        if ((await capture(server, id)).status === 200) acknowledged.push(id)
      })
      await Promise.race(sending)
      await postgres.kill()
      await Promise.all(sending)
      await postgres.start()
      await expect.poll(async () => (await get(server, '/_ready')).status).toBe(200)
    }
    expect(acknowledged.length).toBeGreaterThan(0)
    await expect.poll(async () => (await get(server, '/api/environments/1/persons/?limit=1')).status).toBe(200)
    for (const id of acknowledged) {
      const answer = await get(server, `/api/environments/1/persons/?distinct_id=${encodeURIComponent(id)}`)
      expect([id, ((await answer.json()) as { results: unknown[] }).results.length]).toEqual([id, 1])
    }
  })

  it('stops when it is told to, also while the database is away', async () => {
    const server = await serve()
    await postgres.kill()
    expect((await server.stop()).code).toBe(0)
  })
})
