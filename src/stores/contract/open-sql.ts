/** What a contract suite gets: an empty, migrated SQL store, and how to close it. */
import type { SqlStores } from '../../model/stores.ts'

export interface OpenedSql {
  stores: SqlStores
  end(): Promise<void>
}

export type OpenSql = () => Promise<OpenedSql>
