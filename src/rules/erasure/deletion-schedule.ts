/** When a queued event deletion runs: the batch of Sunday 05:00 UTC. */
import { DAY, HOUR } from '../../lib/time/time.ts'

/** The epoch was a Thursday; the first Sunday 05:00 after it. */
const FIRST_SUNDAY = 3 * DAY + 5 * HOUR
const WEEK = 7 * DAY

/** A request that waits longer than this after its time is overdue. */
export const OVERDUE_AFTER = HOUR

/** The first Sunday 05:00 UTC after `now`; at that very moment it is the one a week later. */
export const nextDeletionRun = (now: number): number =>
  FIRST_SUNDAY + (Math.floor((now - FIRST_SUNDAY) / WEEK) + 1) * WEEK
