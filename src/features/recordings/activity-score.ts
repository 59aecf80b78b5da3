/**
 * The numbers that the API shows of a recording, computed from what is stored; the SQL in recording-filter.ts computes
 * the same.
 */
import { SECOND } from '../../lib/time/time.ts'
import type { Recording } from '../../model/recordings/recording.ts'

type Measured = Pick<Recording, 'startAt' | 'endAt' | 'activeMs' | 'counters'>

const seconds = (ms: number): number => Math.floor(ms / SECOND)

/** Whole seconds from the first to the last event, and how many of them the user was active. */
export function durations({ startAt, endAt, activeMs }: Measured) {
  const duration = seconds(endAt - startAt)
  const active = seconds(activeMs)
  return { duration, active, inactive: Math.max(0, duration - active) }
}

/** Activity relative to the duration, in per cent; it may exceed 100. Without either it is 0. */
export function activityScore(recording: Measured): number {
  const { activeMs, counters } = recording
  const effort = activeMs / SECOND + counters.clicks + counters.keypresses + counters.consoleErrors
  const presence =
    counters.mouseActivity +
    durations(recording).duration +
    counters.consoleErrors +
    counters.consoleLogs +
    counters.consoleWarns
  return presence === 0 ? 0 : Math.floor((10_000 * effort) / presence + 0.5) / 100
}
