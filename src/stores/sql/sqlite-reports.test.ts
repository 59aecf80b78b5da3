import { dashboardContract } from '../contract/dashboard.contract.ts'
import { deliveryContract } from '../contract/delivery.contract.ts'
import { insightCacheContract } from '../contract/insight-cache.contract.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'
import { subscriptionContract } from '../contract/subscription.contract.ts'

dashboardContract('SQLite', openSqliteStores)
subscriptionContract('SQLite', openSqliteStores)
deliveryContract('SQLite', openSqliteStores)
insightCacheContract('SQLite', openSqliteStores)
