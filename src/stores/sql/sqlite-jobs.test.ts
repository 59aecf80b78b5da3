import { deletionContract } from '../contract/deletion.contract.ts'
import { jobContract } from '../contract/job.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'

deletionContract('SQLite', openSqliteStores)
jobContract('SQLite', openSqliteStores)
