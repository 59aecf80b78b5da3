/** Values of session properties, over the latest sessions only. */
import type { SessionValue, SessionValuesQuery } from '../../../model/events/event.ts'
import type { Parts } from '../progress.ts'
import { containsFolded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int, uuidLiteral } from '../values/literal.ts'
import { oldestListedSession } from './latest-sessions.ts'
import { sessionTable, TEXTS } from './session-table.ts'

export async function sessionValues(parts: Parts, query: SessionValuesQuery): Promise<SessionValue[]> {
  const keys = [...new Set(query.keys)].filter((key) => TEXTS.has(key))
  if (keys.length === 0 || query.limit < 1) return []
  const oldest = await oldestListedSession(parts, query.projectId)
  if (oldest === null) return []
  const texts = new Texts()
  const search = query.search === null ? '' : `AND ${containsFolded('name', query.search, texts)}`
  // Unnested from one pass over the sessions: a UNION ALL of one SELECT per key took twice as long.
  const places = keys.map((_, place) => place).join(', ')
  const names = keys.map((key) => TEXTS.get(key)).join(', ')
  const where = `project_id = ${int(query.projectId)} AND session_id >= ${uuidLiteral(oldest)}`
  const sql = `WITH ${sessionTable(where, keys)},
    valued AS (SELECT unnest([${places}]) AS key, unnest([${names}]) AS name FROM session),
    counted AS (SELECT key, name, count(*) AS sessions FROM valued WHERE name <> '' ${search} GROUP BY key, name)
    SELECT key, name, sessions FROM counted
    QUALIFY row_number() OVER (PARTITION BY key ORDER BY sessions DESC, name) <= ${int(query.limit)}
    ORDER BY key, sessions DESC, name`
  const rows = await parts.database.read((connection) => texts.rows(connection, sql))
  return rows.map(([place, name, sessions]) => ({
    key: keys[Number(place)] as string,
    name: name as string,
    count: Number(sessions),
  }))
}
