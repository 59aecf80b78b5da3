import { openSqliteStores } from '../../contract/open-sqlite.ts'
import { sqlStoreContract } from '../../contract/registry.ts'

sqlStoreContract('SQLite', openSqliteStores)
