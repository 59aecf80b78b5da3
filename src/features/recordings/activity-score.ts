/** The numbers that the API shows of a recording, from what is stored; stores/sql/repositories/recordings/recording-search.ts has the same. */
import { SECOND } from '../../lib/time/time.ts'
import type { Recording } from '../../model/recordings/recording.ts'

type Measured = Pick<Recording, 'startAt' | 'endAt' | 'activeMs' | 'counters'>

const seconds = (ms: number): number => Math.floor(ms / SECOND)

/** Whole seconds from the first to the last event, and how many of them somebody was doing something. */
export function durations({ startAt, endAt, activeMs }: Measured) {
  const duration = seconds(endAt - startAt)
  const active = seconds(activeMs)
  return { duration, active, inactive: Math.max(0, duration - active) }
}

/** What was done over how long somebody was there, in per cent; it may exceed 100. Nothing over nothing is 0. */
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
