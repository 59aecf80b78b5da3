/** How long to wait after a failure before the next attempt: longer each time, up to a limit. */
import { MINUTE, SECOND } from '../time/time.ts'

export interface BackoffOptions {
  /** After the first attempt, in milliseconds. */
  first: number
  /** Each later wait is this many times the one before. */
  factor: number
  max: number
}

/** The wait after the `attempt`-th failure in a row, from 1. */
export const exponentialBackoff =
  ({ first, factor, max }: BackoffOptions) =>
  (attempt: number): number =>
    Math.min(first * factor ** (attempt - 1), max)

/** What jobs wait: 10 s, 30 s, 90 s, 4½ minutes, then 5 minutes each time. */
export const jobBackoff = exponentialBackoff({ first: 10 * SECOND, factor: 3, max: 5 * MINUTE })
