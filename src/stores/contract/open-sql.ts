/** What a contract suite is given: an empty, migrated SQL store, and how to end it. */
import type { SqlStores } from '../../model/stores.ts'

export interface OpenedSql {
  stores: SqlStores
  end(): Promise<void>
}

export type OpenSql = () => Promise<OpenedSql>
