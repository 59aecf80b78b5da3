import { openSqliteStores } from '../contract/open-sqlite.ts'
import { scanContract } from '../contract/scan.contract.ts'

scanContract('SQLite', openSqliteStores)
