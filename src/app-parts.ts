/** What the whole process is built from: its settings, clock and logger. */
import type { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './lib/time/clock.ts'
import type { SqlStores } from './model/stores.ts'

export interface AppParts {
  config: Config
  clock: Clock
  logger: Logger
  /** How long a list or a count may take; 10 s by default. */
  scanLimitMs?: number
  /** Starts although stores do not belong together, or data is missing from them. */
  acceptLoss?: boolean
  /** Has begun to load the event store's thread; without it, one is started. */
  eventsWorker?: Worker | undefined
  /** Called when another server has taken this one's place on the database; without it, requests get 503. */
  displaced?: () => void
  /** Replaces the SQL store that was opened; for tests. */
  wrapSql?: (stores: SqlStores) => SqlStores
}
