/** When a queued event deletion runs: the batch of Sunday 05:00 UTC. */
import { DAY, HOUR } from '../../lib/time/time.ts'

/** The epoch was a Thursday; the first Sunday 05:00 after it. */
const FIRST_SUNDAY = 3 * DAY + 5 * HOUR
const WEEK = 7 * DAY

/** A request that is still pending this long after its scheduled time is overdue. */
export const OVERDUE_AFTER = HOUR

/** The first Sunday 05:00 UTC strictly after `now`. */
export const nextDeletionRun = (now: number): number =>
  FIRST_SUNDAY + (Math.floor((now - FIRST_SUNDAY) / WEEK) + 1) * WEEK
