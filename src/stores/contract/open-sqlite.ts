/** An empty SQLite store in a temporary folder, for contract suites. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSql } from '../open.ts'
import type { OpenSql } from './open-sql.ts'

export const openSqliteStores: OpenSql = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-sql-'))
  const { stores, close } = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  const end = async () => {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { stores, writers: 'one', end }
}
