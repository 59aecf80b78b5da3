/**
 * Released clients, unmodified, against the started program: nothing that they send is lost, and no answer is one that
 * they do not expect. `npm test` runs a few of them; `npm run clients` runs all, and writes docs/clients.md.
 */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser } from '../support/browser/browser.ts'
import { CLIENTS } from '../support/clients/client-packages.ts'
import { type ClientRow, runClient } from '../support/clients/client-run.ts'
import { clientsPage } from '../support/clients/clients-page.ts'
import { type Running, removeFolder, start, tempFolder } from '../support/program.ts'

const KEY = 'phx_e2e_clients_0123456789'
const PAGE = new URL('../../docs/clients.md', import.meta.url)
const RUNS_ALL = process.env.CLIENTS === 'all'

const ids = RUNS_ALL ? Object.keys(CLIENTS.clients) : CLIENTS.inTests
const needsBrowser = (id: string): boolean => id.startsWith('posthog-js')

describe('of the released clients', () => {
  let folder: string
  let server: Running
  const rows: ClientRow[] = []

  beforeAll(async () => {
    folder = tempFolder()
    server = await start(folder, { env: { HEDGEROW_API_KEY: KEY } })
  })
  afterAll(async () => {
    await server?.stop()
    removeFolder(folder)
    if (!RUNS_ALL) return
    const page = clientsPage(rows)
    process.stdout.write(page.slice(page.indexOf('| client |')))
    if (rows.length === ids.length) writeFileSync(PAGE, page)
  })

  for (const id of ids) {
    const reason = needsBrowser(id) && !RUNS_ALL ? noBrowser : null
    const name = reason === null ? id : `${id} (skipped: ${reason})`
    it.skipIf(reason !== null)(`${name} loses nothing and gets no answer it does not expect`, async () => {
      const row = await runClient(id, { url: server.url, key: KEY })
      rows.push(row)
      expect(row.driven.length).toBeGreaterThan(4)
      expect({ lost: row.lost, unexpected: row.unexpected }).toEqual({ lost: [], unexpected: [] })
      expect(row.stored).toBe(row.sent)
      expect(row.snapshots?.stored).toBe(row.snapshots?.sent)
    })
  }
})
