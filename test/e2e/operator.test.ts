/** What an operator does on the command line, while the server runs and while it does not. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSql } from '../../src/stores/open.ts'
import { type Running, run, start, useFolder } from '../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'

const folder = useFolder()
let server: Running | undefined

const hedgerow = (...args: string[]) => run(args, { env: { HEDGEROW_DATA_DIR: folder() } })

async function park(kind: string): Promise<void> {
  const sql = await openSql({ dataDir: folder(), sqlUrl: null, eventsUrl: null, blobsUrl: null })
  await sql.stores.transaction(async (tx) => {
    const now = Date.now()
    await tx.jobs.add({ kind, key: 'one', projectId: 1, payload: null, runAt: now })
    const [job] = await tx.jobs.claim({ kinds: [kind], now, owner: 'o', leaseMs: 1_000, limit: 1 })
    await tx.jobs.park(job?.id ?? 0, 'o', { now, error: 'the door\nis shut' })
  })
  await sql.close()
}

describe('hedgerow deletions run', () => {
  const serve = async () => {
    server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
    return server.url
  }
  const call = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' } })
  const send = async (url: string, id: string, count: number) => {
    const batch = Array.from({ length: count }, () => ({ event: 'x', distinct_id: id, $set: { a: 1 } }))
    await call(`${url}/batch/`, { method: 'POST', body: JSON.stringify({ api_key: TOKEN, batch }) })
  }
  const remove = async (url: string, id: string) => {
    const body = JSON.stringify({ distinct_ids: [id], delete_events: true })
    expect((await call(`${url}/api/environments/1/persons/bulk_delete/`, { method: 'POST', body })).status).toBe(202)
  }
  const run = () => hedgerow('deletions', 'run', '--project', '1')

  it('lets the running server do it, and does it itself when none runs', async () => {
    const url = await serve()
    expect((await run()).stdout).toBe('No deletion is pending in project 1.\n')
    await send(url, 'ann', 3)
    await send(url, 'bob', 4)
    await send(url, 'cy', 5)
    await remove(url, 'ann')
    const asked = await run()
    expect([asked.code, asked.stderr]).toEqual([0, ''])
    expect(asked.stdout).toBe(
      'The running server has been asked.\nCarried out 1 requests: 3 events and 0 sessions deleted.\n',
    )
    await remove(url, 'bob')
    await server?.stop()
    const alone = await run()
    expect([alone.code, alone.stdout]).toEqual([0, 'Carried out 1 requests: 4 events and 0 sessions deleted.\n'])
    const again = await serve()
    const read = async (path: string) =>
      ((await (await call(`${again}/api/environments/1/${path}`)).json()) as { results: Record<string, string>[] })
        .results
    expect((await read('events/')).map((row) => row.distinct_id)).toEqual(Array(5).fill('cy'))
    const log = await read('activity_log/?scope=Deletion')
    expect(log.map((row) => row.activity)).toEqual(['completed', 'run', 'completed', 'run'])
  })
  it('refuses what it does not know with a message', async () => {
    const server = await serve()
    expect(server).toMatch(/^http/)
    for (const args of [['run'], ['run', '--project', 'x'], ['run', '--project', '99'], [], ['walk']]) {
      const result = await hedgerow('deletions', ...args)
      expect([result.code, result.stderr.split('\n').length]).toEqual([1, 2])
    }
  })
})

describe('hedgerow doctor', () => {
  const NAMES = 'stores server disk events recordings clock outbox jobs deletions accounts mail'.split(' ')
  interface Report {
    ok: boolean
    findings: { name: string; state: string; words: string }[]
    server: { pid: number; settings: Record<string, unknown> } | null
  }
  const report = async (env: Record<string, string> = {}) => {
    const { code, stdout } = await run(['doctor', '--json'], { env: { HEDGEROW_DATA_DIR: folder(), ...env } })
    const { findings, ...rest } = JSON.parse(stdout) as Report
    return { code, ...rest, of: (name: string) => findings.find((one) => one.name === name), findings }
  }

  it('exits with 0 when all is well, asks the running server, and exits with 1 when something needs action', async () => {
    const env = { HEDGEROW_API_KEY: KEY, HEDGEROW_MIN_FREE_FOR_EVENTS: '123MB', HEDGEROW_MIN_FREE_FOR_RECORDINGS: '0' }
    server = await start(folder(), { env })
    await expect.poll(async () => (await hedgerow('doctor')).stdout).toMatch(/^ok +server/m)
    const well = await hedgerow('doctor')
    expect([well.code, well.stderr]).toEqual([0, ''])
    const lines = well.stdout.trim().split('\n')
    expect(lines.map((line) => line.split(/ +/)[1])).toEqual(NAMES)

    const asked = await report()
    expect([asked.code, asked.ok, asked.findings.map(({ name }) => name)]).toEqual([0, true, NAMES])
    expect(asked.server).toMatchObject({
      pid: server.child.pid,
      settings: { HEDGEROW_MIN_FREE_FOR_EVENTS: 123_000_000 },
    })
    expect(JSON.stringify(asked)).not.toContain(KEY)
    // Thresholds of this shell do not count while a server runs.
    expect((await report({ HEDGEROW_MIN_FREE_FOR_EVENTS: '900TB' })).of('disk')?.state).toBe('ok')

    await park('unknown')
    const parked = await report()
    expect([parked.code, parked.ok, parked.of('jobs')?.state]).toEqual([1, false, 'warn'])
    const ill = await run(['doctor'], {
      env: { HEDGEROW_DATA_DIR: folder(), HEDGEROW_EVENTS_URL: 'clickhouse://127.0.0.1:1/hedgerow' },
    })
    expect(ill.code).toBe(1)
    expect(ill.stdout).toMatch(/^fail +clickhouse +nobody answers there. Look at HEDGEROW_EVENTS_URL/m)
  })

  it('opens the stores of a server that has stopped, or was killed, and changes nothing', async () => {
    server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
    const body = JSON.stringify({ api_key: TOKEN, batch: [{ event: 'x', distinct_id: 'ann' }] })
    await fetch(`${server.url}/batch/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await fetch(`${server.url}/api/environments/1/events/`, { headers: { authorization: `Bearer ${KEY}` } })
    await server.stop('SIGKILL')
    const file = join(folder(), 'events.duckdb')
    const before = readFileSync(file)
    const killed = await report()
    expect([killed.code, killed.of('server')?.state, killed.server]).toEqual([1, 'warn', null])
    for (const name of ['events', 'recordings']) {
      expect(killed.of(name)).toMatchObject({ state: 'ok', words: 'can be read, and belongs to the SQL store' })
    }
    expect(readFileSync(file).equals(before)).toBe(true)

    writeFileSync(file, Buffer.concat([Buffer.alloc(4_096, 7), before.subarray(4_096)]))
    expect((await report()).of('events')).toMatchObject({
      state: 'fail',
      words: expect.stringMatching(/^The event store cannot be read: /),
    })
    for (const name of readdirSync(folder())) if (name.startsWith('events.duckdb')) rmSync(join(folder(), name))
    expect((await report()).of('events')).toMatchObject({
      state: 'fail',
      words: expect.stringMatching(/^The event store is new and empty, but/),
    })
  })

  it('says so when a process has the folder and does not answer', async () => {
    server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY } })
    rmSync(join(folder(), 'server.json'))
    const found = await report()
    expect([found.code, found.of('server')?.state, found.of('events')?.state]).toEqual([1, 'fail', 'warn'])
  })
})

describe('hedgerow jobs', () => {
  it('lists what is parked and retries it, while the server runs', async () => {
    server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY } })
    expect((await hedgerow('jobs', 'list')).stdout).toBe('No job is parked.\n')
    await park('unknown')
    const { stdout } = await hedgerow('jobs', 'list')
    expect(stdout.split('\n')[1]).toMatch(/^\d+ +unknown +one +1 +1 +\S+Z +the door is shut$/)
    const ready = (await (await fetch(`${server.url}/_ready`)).json()) as { checks: Record<string, string> }
    expect(ready.checks.jobs).toBe('1 parked: "hedgerow jobs list" shows them')
    const id = stdout.split('\n')[1]?.split(' ')[0] ?? ''
    expect((await hedgerow('jobs', 'retry', id)).stdout).toBe('1 to be tried again.\n')
    expect((await hedgerow('jobs', 'list')).stdout).toBe('No job is parked.\n')
    const again = await hedgerow('jobs', 'retry', id)
    expect([again.code, again.stderr]).toEqual([
      1,
      `hedgerow: There is no parked job ${id}. "hedgerow jobs list" shows them.\n`,
    ])
    expect((await hedgerow('jobs', 'retry', '--all')).stdout).toBe('0 to be tried again.\n')
    expect((await hedgerow('jobs', 'retry')).code).toBe(1)
    expect((await hedgerow('jobs')).code).toBe(1)
  })
})

describe('hedgerow serve --accept-loss', () => {
  const env = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
  const read = async (url: string, path: string) => {
    const answer = await fetch(`${url}/api/environments/1/${path}`, { headers: { authorization: `Bearer ${KEY}` } })
    return ((await answer.json()) as { results: Record<string, unknown>[] }).results
  }

  it('goes on without an event store that is gone, once and on record; a start without it ends with a message', async () => {
    server = await start(folder(), { env })
    const body = JSON.stringify({ api_key: TOKEN, batch: [{ event: 'lost', distinct_id: 'ann' }] })
    await fetch(`${server.url}/batch/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(await read(server.url, 'events/')).toHaveLength(1)
    await server.stop()
    for (const name of readdirSync(folder())) if (name.startsWith('events.duckdb')) rmSync(join(folder(), name))

    const refused = await run(['serve'], { env: { ...env, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' } })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /^hedgerow: The event store is new and empty, .* "hedgerow serve --accept-loss" .*\n$/,
    )

    server = await start(folder(), { env, args: ['--accept-loss'] })
    expect(await read(server.url, 'events/')).toEqual([])
    await server.stop()
    server = await start(folder(), { env })
    const log = await read(server.url, 'activity_log/?scope=Project')
    expect(log.filter(({ activity }) => activity === 'loss_accepted')).toHaveLength(1)
  })
})
