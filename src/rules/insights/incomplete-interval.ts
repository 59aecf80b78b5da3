/** Whether the last interval of a result is still going on: then it holds less than it will, and must not look like a fall. */
import { dayLabel } from '../../lib/text/human-format.ts'
import { DAY, HOUR, MINUTE, readInstant } from '../../lib/time/time.ts'
import type { InsightResult } from '../../model/insights/insight-result.ts'

const LENGTHS: Record<string, number> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }

/** The end of the interval that begins at `start`, both on the wall clock. */
function endOf(start: number, interval: string): number {
  const length = LENGTHS[interval]
  if (length !== undefined) return start + length
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime()
}

/** What it is called, `15 Nov`; null when it is over. `wallNow`: on the wall clock of the project (lib/time/time-zone.ts). */
export function incompleteInterval(result: InsightResult, wallNow: number): string | null {
  if (result.kind !== 'TrendsQuery' && result.kind !== 'LifecycleQuery') return null
  const { interval, rows } = result
  const day = rows[0]?.days.at(-1)
  // Days are told as the wall of the project shows them, whatever offset stands behind them.
  const start = day === undefined ? null : readInstant(day.slice(0, 19))
  if (day === undefined || start === null) return null
  return start <= wallNow && wallNow < endOf(start, interval) ? dayLabel(day, interval) : null
}
