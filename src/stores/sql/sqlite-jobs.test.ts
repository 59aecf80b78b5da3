import { jobContract } from '../contract/job.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'
import { transactionContract } from '../contract/transaction.contract.ts'

jobContract('SQLite', openSqliteStores)
transactionContract('SQLite', openSqliteStores)
