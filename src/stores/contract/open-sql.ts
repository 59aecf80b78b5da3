/** What a contract suite gets: an empty, migrated SQL store, and how to close it. */
import type { SqlStores } from '../../model/stores.ts'

export interface OpenedSql {
  stores: SqlStores
  /** Whether one transaction runs at a time, or many. */
  writers: 'one' | 'many'
  end(): Promise<void>
}

export type OpenSql = () => Promise<OpenedSql>
