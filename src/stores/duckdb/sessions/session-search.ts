/** Events of one session, and sessions by the events in them. Properties are read only where a filter needs them. */
import { isUuid } from '../../../lib/ids.ts'
import type { EventMoment, FoundSessions } from '../../../model/events/event.ts'
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import { readMoments } from '../event-index.ts'
import { matchingEvents } from '../insights/matching-events.ts'
import { runQuestion } from '../insights/statement.ts'
import type { Parts } from '../progress.ts'
import { instant, uuidLiteral } from '../values/literal.ts'

const EVER = { from: -Infinity, to: Infinity }

export async function sessionEvents(
  parts: Parts,
  projectId: number,
  sessionId: string,
  selectors: EventSelector[],
): Promise<EventMoment[]> {
  if (!isUuid(sessionId) || selectors.length === 0) return []
  return runQuestion(parts, projectId, async (statement) => {
    const place = { ...EVER, columns: 'uuid, ts, seq, ord', within: `session_id = ${uuidLiteral(sessionId)}` }
    const sides: string[] = []
    for (const selector of selectors) {
      sides.push(`SELECT uuid, ts, seq, ord FROM (${await matchingEvents(statement, { ...place, selector })})`)
    }
    // UNION, not UNION ALL: an event that several selectors match is one event, identified by its `ord`.
    return readMoments(await statement.rows(`SELECT uuid, ts FROM (${sides.join(' UNION ')}) ORDER BY ts, seq, ord`))
  })
}

export async function sessionsWith(
  parts: Parts,
  projectId: number,
  selector: EventSelector,
  { from, to }: { from: number; to: number },
): Promise<FoundSessions> {
  return runQuestion(parts, projectId, async (statement) => {
    const within = `session_id IS NOT NULL AND ts <= ${instant(to)}`
    const found = await matchingEvents(statement, { selector, from, to: Infinity, columns: 'session_id', within })
    return { ids: await statement.uuids(`SELECT DISTINCT session_id FROM (${found}) ORDER BY session_id`) }
  })
}
