/** The fetching of released clients: what a registry hands over is taken only if it has the pinned bytes. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CLIENTS } from '../support/clients/client-packages.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const TARBALL = gzipSync(Buffer.alloc(1024))

let folder: string
let registry: Server
let address: string

/** A registry that is true to itself, and has something else under every name. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-clients-'))
  registry = createServer((request, response) => {
    if (request.url === '/tarball') return response.end(TARBALL)
    const name = decodeURIComponent((request.url ?? '').slice(1))
    const ids = Object.keys(CLIENTS.integrity).filter((id) => id.startsWith(`${name}@`))
    const integrity = `sha512-${createHash('sha512').update(TARBALL).digest('base64')}`
    const dist = { tarball: `${address}/tarball`, integrity }
    const versions = ids.map((id) => id.slice(id.lastIndexOf('@') + 1)).map((version) => ({ name, version, dist }))
    const body = { name, versions: Object.fromEntries(versions.map((one) => [one.version, one])) }
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
})
afterEach(() => {
  registry.closeAllConnections()
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})

it('refuses other bytes than are pinned, and leaves nothing of them', async () => {
  const script = "import('./scripts/fetch-clients.mjs').then(({ fetchClients }) => fetchClients({ all: false }))"
  const env = {
    ...process.env,
    CLIENTS_DIR: join(folder, 'clients'),
    npm_config_registry: address,
    npm_config_cache: join(folder, 'npm'),
  }
  const run = promisify(execFile)(process.execPath, ['-e', script], { cwd: ROOT, env })
  const { stderr } = await run.catch((error: { stderr: string }) => error)
  expect(stderr).toContain('The registry has other bytes than are pinned for posthog-js@1.10.2, ')
  expect(existsSync(join(folder, 'clients')) && readdirSync(join(folder, 'clients'))).toEqual([])
})
