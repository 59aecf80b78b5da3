/** What the whole process is built with: its settings, its clock, its log. */
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Clock } from './lib/time/clock.ts'

export interface AppParts {
  config: Config
  clock: Clock
  logger: Logger
  /** How long a list or a count may take; 10 s unless given. */
  scanLimitMs?: number
  /** Goes on although stores do not belong together, or something is missing from them. */
  acceptLoss?: boolean
}
