/**
 * SQL stores that roll every transaction back once and run it again, as an engine with several writers does when two of
 * them collide: what the first run has left in memory shows in the second. Test apps are on such stores when RERUN is
 * set (`npm run soak -- --rerun`).
 */
import type { SqlStores } from '../../src/model/stores.ts'
import type { OpenSql } from '../../src/stores/contract/open-sql.ts'
import { openSqliteStores } from '../../src/stores/contract/open-sqlite.ts'
import { onPostgres } from './stores/stores.ts'

type Work<T, Tx> = (tx: Tx) => Promise<T>

class RolledBack extends Error {}

/** Work that fails is not run again. */
async function twice<T, Tx>(run: (work: Work<T, Tx>) => Promise<T>, work: Work<T, Tx>): Promise<T> {
  const rolledBack = new RolledBack()
  try {
    await run(async (tx) => {
      await work(tx)
      throw rolledBack
    })
  } catch (error) {
    if (error !== rolledBack) throw error
  }
  return run(work)
}

export const runTwice = (stores: SqlStores): SqlStores => ({
  ...stores,
  transaction: (work) => twice(stores.transaction, work),
  peopleTransaction: (projectIds, work) => twice((run) => stores.peopleTransaction(projectIds, run), work),
  exclusiveTransaction: (projectIds, work) => twice((run) => stores.exclusiveTransaction(projectIds, run), work),
  queueTransaction: (work) => twice(stores.queueTransaction, work),
  relaxed: (work) => twice(stores.relaxed, work),
})

/** The same stores, unless RERUN is set. */
export const chosenStores = (stores: SqlStores): SqlStores =>
  process.env.RERUN === undefined ? stores : runTwice(stores)

// Not at the top: vitest is not there when a fixture is made.
const openInPostgres: OpenSql = async () => (await import('./postgres/open-stores.ts')).openPostgresStores()

/** Empty ones. */
export const openChosenStores: OpenSql = async () => {
  const { stores, ...opened } = await (onPostgres ? openInPostgres() : openSqliteStores())
  return { ...opened, stores: chosenStores(stores) }
}
