/** The times of the list: from the start, or as a clock shows them in a zone. */
import { clockTime } from '../../../../../lib/time/clock-time.ts'
import { inZone } from '../../../kit/text/moment-words.ts'
import type { ClockId } from '../replay.search.ts'

/** Null: from the start. */
export function zoneOf(clock: ClockId, project: string): string | null {
  if (clock === 'start') return null
  if (clock === 'utc') return 'UTC'
  return clock === 'project' ? project : Intl.DateTimeFormat().resolvedOptions().timeZone
}

export const timeOf = (timestamp: number, start: number, zone: string | null): string =>
  zone === null ? clockTime(timestamp - start) : (inZone(timestamp, zone).split(' ')[3] ?? '')
