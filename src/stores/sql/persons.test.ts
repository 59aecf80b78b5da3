import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { personStoreContract } from '../contract/person.contract.ts'
import { openSql } from '../open.ts'

async function openSqliteStores() {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-sql-'))
  const sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  return {
    stores: sql.stores,
    async close() {
      await sql.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

personStoreContract('SQLite', openSqliteStores)
