/**
 * Sessions, computed on request from the events that carry their id. The earliest event of a session gives its entry
 * values, the latest its end values; events of the same instant count in the order of `seq`, then in the order of the
 * batch. Values are listed over the latest sessions only.
 */
import type { SessionValue, SessionValuesQuery } from '../../../model/events/event.ts'
import { channelKinds, channelSql, type Matches } from '../../channel-type.ts'
import { BOUNCE_MS, PAGE_EVENTS, SESSION_PROPERTIES, sessionKeys } from '../../session-properties.ts'
import type { Parts } from '../progress.ts'
import { containsFolded } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int, uuidLiteral } from '../values/literal.ts'
import { oldestListedSession } from './latest-sessions.ts'

const IS_PAGE_EVENT = `event IN (${PAGE_EVENTS.map((event) => `'${event}'`).join(', ')})`

/** Properties of one event of the session, as a struct of texts. */
const struct = (column: string) =>
  `from_json(${column}, '{${SESSION_PROPERTIES.map((name) => `"${name}":"VARCHAR"`).join(',')}}')`

/** Over one row of `session`. */
const KEYS = sessionKeys({
  property: (side, name) => `${side}_event."${name}"`,
  extract: (text, pattern) => `regexp_extract(${text}, '${pattern}', 1)`,
  channel: 'channel_type',
  isBounce: `CASE WHEN page_event IS NULL THEN NULL WHEN several_page_events OR is_long THEN '0' ELSE '1' END`,
  externalClick: 'external_click',
})

const matches: Matches = (text, pattern) => `regexp_matches(${text}, '${pattern}')`

/** SQL of what channels are found by, over one row of `grouped`. */
const clue = (name: string, of: string): string => `coalesce(entry_event."${of}", '') AS ${name}`
const foldedClue = (name: string, of: string): string => `lower(coalesce(entry_event."${of}", '')) AS ${name}`
const CLUES = [
  foldedClue('source', 'utm_source'),
  foldedClue('medium', 'utm_medium'),
  foldedClue('campaign', 'utm_campaign'),
  foldedClue('referrer', '$referring_domain'),
  clue('gclid', 'gclid'),
  clue('gad_source', 'gad_source'),
  clue('fbclid', 'fbclid'),
].join(', ')

const EXTERNAL_CLICK = `json_extract_string(session_properties, '$."$external_click_url"')`

/** One row per session; columns that only a rare key needs are left out when that key is not requested. */
function sessionTable(projectId: number, oldest: string, keys: string[]): string {
  const order = 'ROW(ts, seq, ord)'
  const click = keys.includes('$last_external_click_url')
    ? `arg_max(${EXTERNAL_CLICK}, ${order}) FILTER (contains(session_properties, '$external_click_url'))`
    : 'NULL'
  const sessions = `grouped AS MATERIALIZED (
    SELECT session_id, ${struct('entry')} AS entry_event, ${struct('"end"')} AS end_event,
      is_long, page_event, several_page_events, external_click
    FROM (
      SELECT session_id, arg_min(session_properties, ${order}) AS entry, arg_max(session_properties, ${order}) AS "end",
        round(max(ts) - min(ts), 3) >= ${BOUNCE_MS} AS is_long,
        min(uuid) FILTER (${IS_PAGE_EVENT}) AS page_event,
        min(uuid) FILTER (${IS_PAGE_EVENT}) <> max(uuid) FILTER (${IS_PAGE_EVENT}) AS several_page_events,
        ${click} AS external_click
      FROM events WHERE project_id = ${int(projectId)} AND session_id >= ${uuidLiteral(oldest)}
      GROUP BY session_id))`
  if (!keys.includes('$channel_type')) return `${sessions}, session AS (SELECT * FROM grouped)`
  return `${sessions},
    clue AS (SELECT session_id, ${CLUES} FROM grouped),
    channel AS (SELECT session_id, ${channelSql(matches)} AS channel_type
      FROM (SELECT *, ${channelKinds(matches)} FROM clue)),
    session AS MATERIALIZED (SELECT * FROM grouped JOIN channel USING (session_id))`
}

export async function sessionValues(parts: Parts, query: SessionValuesQuery): Promise<SessionValue[]> {
  const keys = [...new Set(query.keys)].filter((key) => KEYS.has(key))
  if (keys.length === 0 || query.limit < 1) return []
  const oldest = await oldestListedSession(parts, query.projectId)
  if (oldest === null) return []
  const texts = new Texts()
  const search = query.search === null ? '' : `AND ${containsFolded('name', query.search, texts)}`
  // Unnested from one pass over the sessions: a UNION ALL of one SELECT per key took twice as long.
  const places = keys.map((_, place) => place).join(', ')
  const names = keys.map((key) => KEYS.get(key)).join(', ')
  const sql = `WITH ${sessionTable(query.projectId, oldest, keys)},
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
