import { runTwice } from '../../../../test/support/rerun-stores.ts'
import { openSqliteStores } from '../../contract/open-sqlite.ts'
import { sqlStoreContract } from '../../contract/registry.ts'

sqlStoreContract('SQLite, every transaction run twice', async () => {
  const { stores, end } = await openSqliteStores()
  return { stores: runTwice(stores), end }
})
