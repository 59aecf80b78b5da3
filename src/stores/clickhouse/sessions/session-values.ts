/** Values of session properties, over the latest sessions only. */
import type { SessionValue, SessionValuesQuery } from '../../../model/events/event.ts'
import type { Reading } from '../parts.ts'
import { containsFolded } from '../properties/property-sql.ts'
import { int, uuid } from '../values/literal.ts'
import { oldestListedSession } from './latest-sessions.ts'
import { sessionTable, TEXTS } from './session-table.ts'

export async function sessionValues(reading: Reading, query: SessionValuesQuery): Promise<SessionValue[]> {
  const keys = [...new Set(query.keys)].filter((key) => TEXTS.has(key))
  if (keys.length === 0 || query.limit < 1) return []
  const oldest = await oldestListedSession(reading, query.projectId)
  if (oldest === null) return []
  const search = query.search === null ? '' : `AND ${containsFolded('name', query.search)}`
  const pairs = keys.map((key, place) => `(${int(place)}, ${TEXTS.get(key)})`).join(', ')
  const where = `project_id = ${int(query.projectId)} AND session_id >= ${uuid(oldest)}`
  const rows = await reading.rows(`SELECT key, name, count() AS sessions FROM (
      SELECT pair.1 AS key, pair.2 AS name FROM (
        SELECT arrayJoin([${pairs}]) AS pair FROM (${sessionTable(where, keys)})))
    WHERE name != '' ${search} GROUP BY key, name
    ORDER BY key, sessions DESC, name LIMIT ${int(query.limit)} BY key`)
  return rows.map(([place, name, sessions]) => ({
    key: keys[Number(place)] as string,
    name: name as string,
    count: Number(sessions),
  }))
}
