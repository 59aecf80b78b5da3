/** An empty SQL store in PostgreSQL, for suites that need no app. */
import type { OpenedSql } from '../../../src/stores/contract/open-sql.ts'
import { openPostgres } from '../../../src/stores/sql/postgres/open-postgres.ts'
import { sqlStores } from '../../../src/stores/sql/sql-stores.ts'
import { newMigrated } from './databases.ts'
import type { PostgresEngine } from './run.ts'

export async function openPostgresStores(postgres?: PostgresEngine): Promise<OpenedSql> {
  const database = await newMigrated(postgres)
  const engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
  return {
    stores: sqlStores({ engine, scans: engine.scans, committed: () => {} }),
    writers: 'many',
    async end() {
      await engine.close()
      await database.putBack()
    },
  }
}
