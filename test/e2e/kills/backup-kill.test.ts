/** Killed in the middle of a backup or a restore: what is left is never taken for a backup, and no data is harmed. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { ENV, KEY, Load } from '../../support/backup-load.ts'
import { launch, type Running, run, start, useFolder } from '../../support/program.ts'

const SNAPSHOTS = 40

const folder = useFolder()
const data = () => join(folder(), 'data')
const copy = (name: string) => join(folder(), name)
const env = () => ({ HEDGEROW_DATA_DIR: data() })
const hedgerow = (...args: string[]) => run(args, { env: env() })

async function exists(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(1)
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.on('exit', () => resolve())
  })

/** Starts a command and kills it when the path appears. */
async function killAt(path: string, ...args: string[]): Promise<void> {
  const child = launch(args, { env: env() })
  await exists(path)
  child.kill('SIGKILL')
  await ended(child)
}

async function countEvents(): Promise<number> {
  const server = await start(data(), { env: ENV })
  const query = { query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'seen' }] } }
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(query) }
  const { results } = (await (await fetch(`${server.url}/api/environments/1/query/`, init)).json()) as {
    results: { count: number }[]
  }
  await server.stop()
  return results[0]?.count ?? 0
}

const refusedRestore = async (name: string) => {
  const back = await hedgerow('restore', copy(name))
  expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('There is no complete backup')])
}

let load: Load
let server: Running

beforeEach(async () => {
  server = await start(data(), { env: ENV })
  load = new Load(server.url)
  load.begin()
  await expect.poll(() => load.snapshots.length).toBeGreaterThan(SNAPSHOTS)
})

describe('A backup that is cut off', () => {
  it('is refused when the server was killed, and the next one is complete', async () => {
    const asked = run(['backup', copy('cut')], { env: env() })
    await exists(join(copy('cut'), 'events.duckdb'))
    await server.stop('SIGKILL')
    const { code, stderr } = await asked
    expect([code, stderr]).toEqual([1, expect.stringContaining('The server ended before the backup was complete.')])
    await load.end()
    await refusedRestore('cut')
    const again = await hedgerow('backup', copy('cut'))
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    const stored = await countEvents()
    expect(stored).toBeGreaterThanOrEqual(load.events.size)
    expect((await hedgerow('backup', copy('whole'))).code).toBe(0)
    expect((await hedgerow('restore', copy('whole'))).code).toBe(0)
    expect(await countEvents()).toBe(stored)
  })

  it('is refused when the command was killed that made it without a server', async () => {
    await load.end()
    await server.stop()
    await killAt(join(copy('cut'), 'events.duckdb'), 'backup', copy('cut'))
    await refusedRestore('cut')
    expect((await hedgerow('backup', copy('whole'))).code).toBe(0)
    expect(await countEvents()).toBe(load.events.size)
  })
})

it('A restore that is cut off leaves the data as it was, and can be repeated', async () => {
  await load.end()
  await server.stop()
  expect((await hedgerow('backup', copy('whole'))).code).toBe(0)
  await killAt(join(data(), 'restore-copy'), 'restore', copy('whole'))
  expect(readdirSync(data()).filter((name) => name.startsWith('replaced-'))).toEqual([])
  expect(await countEvents()).toBe(load.events.size)
  expect((await hedgerow('restore', copy('whole'))).code).toBe(0)
  expect(existsSync(join(data(), 'restore-copy'))).toBe(false)
  expect(await countEvents()).toBe(load.events.size)
})
