/** Whether the last interval of a result is not over yet: then its value will still grow, and must not look like a drop. */
import { dayLabel } from '../lib/text/human-format.ts'
import { DAY, HOUR, MINUTE, readInstant } from '../lib/time/time.ts'
import type { InsightResult } from '../model/insights/insight-result.ts'

const LENGTHS: Record<string, number> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }

/** The end of the interval that begins at `start`, both in local time. */
function endOf(start: number, interval: string): number {
  const length = LENGTHS[interval]
  if (length !== undefined) return start + length
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime()
}

/** Its label, `15 Nov`; null when it is over. `wallNow`: the project's local time (lib/time/time-zone.ts). */
export function incompleteInterval(result: InsightResult, wallNow: number): string | null {
  if (result.kind !== 'TrendsQuery' && result.kind !== 'LifecycleQuery') return null
  const { interval, rows } = result
  const day = rows[0]?.days.at(-1)
  // Days are in the project's local time; an offset behind them is ignored.
  const start = day === undefined ? null : readInstant(day.slice(0, 19))
  if (day === undefined || start === null) return null
  return start <= wallNow && wallNow < endOf(start, interval) ? dayLabel(day, interval) : null
}
