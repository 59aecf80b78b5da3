/** What an operator does on the command line, while the server runs and while it does not. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSql } from '../../src/stores/open.ts'
import { type Running, removeFolder, run, start, tempFolder } from '../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'

let folder: string
let server: Running | undefined
beforeEach(() => {
  folder = tempFolder()
})
afterEach(async () => {
  await server?.stop('SIGKILL')
  server = undefined
  removeFolder(folder)
})

const hedgerow = (...args: string[]) => run(args, { env: { HEDGEROW_DATA_DIR: folder } })

async function park(kind: string): Promise<void> {
  const sql = await openSql({ dataDir: folder, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  await sql.stores.transaction(async (tx) => {
    const now = Date.now()
    await tx.jobs.add({ kind, key: 'one', projectId: 1, payload: null, runAt: now })
    const [job] = await tx.jobs.claim({ kinds: [kind], now, owner: 'o', leaseMs: 1_000, limit: 1 })
    await tx.jobs.park(job?.id ?? 0, 'o', { now, error: 'the door\nis shut' })
  })
  await sql.close()
}

describe('hedgerow jobs', () => {
  it('lists what is parked and has it tried again, while the server runs', async () => {
    server = await start(folder, { env: { HEDGEROW_API_KEY: KEY } })
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
