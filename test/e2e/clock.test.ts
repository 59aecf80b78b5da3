/**
 * The real program on a machine whose clock is wrong: nothing is removed, and it is reported, until an operator accepts
 * it.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ScheduleParts, schedule } from '../../src/schedule.ts'
import { moveClock, movedBy, noFaketime } from '../support/faketime.ts'
import { type Running, run, start, useFolder } from '../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const DAYS = 40

/** Recordings are in files. */
const parts = { joinBlocks: null } as ScheduleParts
const destructive = schedule(parts).filter((entry) => entry.destructive).length

const folder = useFolder()
const dataDir = () => join(folder(), 'data')
const clockFile = () => join(folder(), 'clock')
const env = () => ({ HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN, ...movedBy(clockFile()) })
const startAt = (days: number): Promise<Running> => {
  moveClock(clockFile(), days)
  return start(dataDir(), { env: env() })
}

async function record({ url }: Running): Promise<void> {
  const properties = {
    token: TOKEN,
    distinct_id: 'ann',
    $session_id: '018f0000-0000-7000-8000-000000000001',
    $window_id: 'w',
    $snapshot_data: [{ type: 3, data: { source: 2, type: 2, id: 1 }, timestamp: Date.now() }],
  }
  const body = JSON.stringify([{ event: '$snapshot', properties }])
  const answer = await fetch(`${url}/s/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(answer.status).toBe(200)
}
const recordings = () => {
  const blobs = join(dataDir(), 'blobs')
  if (!existsSync(blobs)) return 0
  const entries = readdirSync(blobs, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('~')).length
}
const clockOf = async ({ url }: Running) => {
  const { checks } = (await (await fetch(`${url}/_ready`)).json()) as { checks: Record<string, string> }
  return checks.clock
}
const listed = async ({ url }: Running) => {
  const path = `${url}/api/environments/1/session_recordings/?date_from=all`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${KEY}` } })
  return ((await answer.json()) as { results: unknown[] }).results.length
}
/** Jobs that are due and not begun: those that are held, once the others are done. */
const due = async ({ url }: Running) =>
  Number(/^hedgerow_jobs_due (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])

const ahead = noFaketime === null ? 'a clock that is 40 days ahead' : `a wrong clock (skipped: ${noFaketime})`

describe.skipIf(noFaketime !== null)(ahead, () => {
  it('at a start removes no recording until it is accepted', async () => {
    const first = await startAt(0)
    await record(first)
    expect(await clockOf(first)).toBe('ok')
    await expect.poll(() => due(first)).toBe(0)
    await first.stop()
    const server = await startAt(DAYS)
    expect(await clockOf(server)).toMatch(/^ahead by 40\.0 days: .*until "hedgerow clock accept"/)
    expect(server.stdout() + server.stderr()).toContain('the clock is ahead by 40.0 days')
    // Every line of the schedule has had a tick meanwhile.
    await expect.poll(() => due(server)).toBe(destructive)
    expect([recordings(), await listed(server)]).toEqual([1, 0])
    const options = { env: { ...env(), HEDGEROW_DATA_DIR: dataDir() } }
    expect((await run(['doctor'], options)).stdout).toMatch(/^warn +clock .*ahead by 40\.0 days/m)
    expect(await run(['clock', 'accept'], options)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Accepted/),
    })
    await expect.poll(() => recordings()).toBe(0)
    expect(await clockOf(server)).toBe('ok')
    expect((await server.stop()).code).toBe(0)
  })

  it('while it runs removes nothing, and the recording is there again when it is set right', async () => {
    const server = await startAt(0)
    await record(server)
    await expect.poll(() => due(server)).toBe(0)
    moveClock(clockFile(), DAYS)
    await expect.poll(() => due(server)).toBe(destructive)
    expect(await clockOf(server)).toMatch(/^ahead by 40\.0 days/)
    expect([recordings(), await listed(server)]).toEqual([1, 0])
    moveClock(clockFile(), 0)
    await expect.poll(() => due(server)).toBe(0)
    expect([await clockOf(server), recordings(), await listed(server)]).toEqual(['ok', 1, 1])
  })
})
