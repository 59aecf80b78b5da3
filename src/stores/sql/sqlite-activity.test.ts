import { activityContract } from '../contract/activity.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'

activityContract('SQLite', openSqliteStores)
