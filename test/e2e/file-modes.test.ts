/**
 * What the server writes is private to its owner, whatever the machine's default is, and so is what an older version
 * left.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { run, start, useFolder } from '../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const env = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
const folder = useFolder()

/** The usual default of a machine; the program inherits it. */
process.umask(0o022)

/** Paths below the data folder that another user could read, and all that were checked. */
function modes(): { open: string[]; seen: string[] } {
  const entries = readdirSync(folder(), { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  const isOpen = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found !== undefined && (found.mode & 0o077) !== 0
  }
  const named = (path: string) => relative(folder(), path)
  return { open: paths.filter(isOpen).map(named), seen: paths.map(named) }
}

const snapshot = {
  event: '$snapshot',
  properties: {
    token: TOKEN,
    distinct_id: 'ann',
    $session_id: '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2e',
    $window_id: 'w',
    $snapshot_data: [{ type: 4, data: { href: 'https://example.com', width: 1, height: 1 }, timestamp: Date.now() }],
  },
}

async function send(url: string): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await post('/i/v0/e/', { api_key: TOKEN, event: 'x', distinct_id: 'ann', properties: { $set: { a: 1 } } })
  await post('/s/', [snapshot])
}

it('files of a running server and of the command line are 0600, folders 0700', async () => {
  const server = await start(folder(), { env })
  await send(server.url)
  await run(['keys', 'create', '--label', 'x'], { env: { ...env, HEDGEROW_DATA_DIR: folder() } })
  const { open, seen } = modes()
  expect(seen).toEqual(expect.arrayContaining(['hedgerow.db', 'hedgerow.db-wal', 'hedgerow.db-shm', 'events.duckdb']))
  expect(seen.some((path) => path.startsWith('blobs/1/'))).toBe(true)
  expect(open).toEqual([])
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  await server.stop()
  expect(modes().open).toEqual([])
})

it('files that an older version left readable are made private at the next start', async () => {
  const server = await start(folder(), { env })
  await send(server.url)
  await server.stop()
  for (const name of ['hedgerow.db', 'events.duckdb', 'server.lock']) chmodSync(join(folder(), name), 0o644)
  chmodSync(join(folder(), 'blobs'), 0o755)
  const again = await start(folder(), { env })
  expect(modes().open).toEqual([])
  await again.stop()
  expect(modes().open).toEqual([])
})
