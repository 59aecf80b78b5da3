/** Which sessions are listed (see ../../sessions/latest-sessions.ts). */
import { formatUuid } from '../../../lib/ids.ts'
import { oldestListed } from '../../sessions/latest-sessions.ts'
import type { Reading } from '../parts.ts'
import { NO_SESSION } from '../rows/event-rows.ts'
import { int, uuid } from '../values/literal.ts'

/** The oldest session that is listed; null when the project has none. */
export async function oldestListedSession({ rows, limits }: Reading, projectId: number): Promise<string | null> {
  const isSession = `project_id = ${int(projectId)} AND session_id != ${uuid(NO_SESSION)}`
  const [[events, newest] = []] = await rows(
    `SELECT count(), lower(hex(max(session_id))) FROM events WHERE ${isSession}`,
  )
  if (Number(events) === 0) return null
  // There are no more sessions than events.
  const isLarge = Number(events) > limits.listedSessions
  return oldestListed(limits.listedSessions, isLarge ? formatUuid(newest as string) : null, async (id) => {
    const [[count, oldest] = []] = await rows(`SELECT count(), lower(hex(min(session_id))) FROM (
      SELECT session_id FROM events WHERE ${isSession} AND session_id >= ${uuid(id)}
      GROUP BY session_id ORDER BY session_id DESC LIMIT ${int(limits.listedSessions)})`)
    return { count: Number(count), oldest: Number(count) === 0 ? null : formatUuid(oldest as string) }
  })
}
