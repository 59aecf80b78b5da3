import { runTwice } from '../../../../test/support/rerun-stores.ts'
import { openSqliteStores } from '../../contract/open-sqlite.ts'
import { sqlStoreContract } from '../../contract/registry.ts'

sqlStoreContract('SQLite, every transaction run twice', async () => {
  const { stores, ...opened } = await openSqliteStores()
  return { ...opened, stores: runTwice(stores) }
})
