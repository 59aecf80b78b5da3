import { membershipContract } from '../contract/membership.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'

membershipContract('SQLite', openSqliteStores)
