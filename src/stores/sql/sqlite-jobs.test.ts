import { jobContract } from '../contract/job.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'

jobContract('SQLite', openSqliteStores)
