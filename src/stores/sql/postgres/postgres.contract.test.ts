import { engines, newDatabase } from '../../../../test/support/postgres/databases.ts'
import { sqlStoreContract } from '../../contract/registry.ts'
import { migrate } from '../migrate.ts'
import { sqlStores } from '../sql-stores.ts'
import { openPostgres } from './open-postgres.ts'

for (const postgres of engines) {
  sqlStoreContract(postgres.name, async () => {
    const database = await newDatabase(postgres)
    const engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await migrate(engine)
    return {
      stores: sqlStores({ engine, scans: engine.scans, committed: () => {} }),
      writers: 'many',
      async end() {
        await engine.close()
        await database.drop()
      },
    }
  })
}
