/** Events of one session, and sessions by the events in them. */
import { formatUuid, isUuid } from '../../../lib/ids.ts'
import type { EventMoment, FoundSessions } from '../../../model/events/event.ts'
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import type { Reading } from '../parts.ts'
import { dayOf, inPeriods, NO_SESSION } from '../rows/event-rows.ts'
import { instant, instantOf, int, uuid } from '../values/literal.ts'
import { eventsOfSelectors } from './selector-sql.ts'

export async function sessionEvents(
  reading: Reading,
  projectId: number,
  sessionId: string,
  selectors: EventSelector[],
): Promise<EventMoment[]> {
  if (!isUuid(sessionId) || sessionId === NO_SESSION || selectors.length === 0) return []
  const { from, where } = await eventsOfSelectors(reading, projectId, selectors)
  const rows = await reading.rows(`SELECT lower(hex(uuid)), ts FROM ${from}
    WHERE session_id = ${uuid(sessionId)} AND ${where} ORDER BY ts, seq, place`)
  return (rows as [string, string][]).map(([id, ts]) => ({ uuid: formatUuid(id), timestamp: instantOf(ts) }))
}

/** SQL of a condition by which the engine passes over what is outside; both ends are included. */
function inRange(from: number, to: number): string {
  const times = `ts >= ${instant(from)} AND ts <= ${instant(to)}`
  if (!Number.isFinite(from) || !Number.isFinite(to)) return times
  const [first, last] = [dayOf(from), dayOf(to)]
  return `${inPeriods(first, last)} AND day >= ${int(first)} AND day <= ${int(last)} AND ${times}`
}

export async function sessionsWith(
  reading: Reading,
  projectId: number,
  selector: EventSelector,
  range: { from: number; to: number },
): Promise<FoundSessions> {
  const { from, where } = await eventsOfSelectors(reading, projectId, [selector])
  // In binary, ids are 16 bytes each.
  const ids = await reading.binary(`SELECT session_id FROM ${from}
    WHERE session_id != ${uuid(NO_SESSION)} AND ${inRange(range.from, range.to)} AND ${where}
    GROUP BY session_id ORDER BY session_id`)
  return { ids }
}
