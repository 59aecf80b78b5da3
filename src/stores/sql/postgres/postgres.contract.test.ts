import { engines } from '../../../../test/support/postgres/databases.ts'
import { openPostgresStores } from '../../../../test/support/postgres/open-stores.ts'
import { sqlStoreContract } from '../../contract/registry.ts'

for (const postgres of engines) sqlStoreContract(postgres.name, () => openPostgresStores(postgres))
