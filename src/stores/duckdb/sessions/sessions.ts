/**
 * Sessions, computed on request from the events that carry their id. The earliest event of a session gives its entry
 * values, the latest its end values; events of the same instant count in the order of `seq`, then in the order of the
 * batch. Values are listed over the latest sessions only.
 */
import type { SessionValue, SessionValuesQuery } from '../../../model/events/event.ts'
import type { Parts } from '../progress.ts'
import { Texts } from '../values/bound-texts.ts'
import { int, uuidLiteral } from '../values/literal.ts'
import { channelTypes } from './channel.ts'
import { oldestListedSession } from './latest-sessions.ts'
import { ENTRY_PARAMETERS, SESSION_PROPERTIES } from './session-properties.ts'

const BOUNCE_MS = 10_000
const PAGE_EVENTS = `('$pageview', '$autocapture', '$screen')`

const HOST = String.raw`^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]*)`
const PATH = '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*([^?#]*)'

/** Properties of one event of the session, as a struct of texts. */
const struct = (column: string) =>
  `from_json(${column}, '{${SESSION_PROPERTIES.map((name) => `"${name}":"VARCHAR"`).join(',')}}')`

function pageKeys(side: 'entry' | 'end'): [string, string][] {
  const url = `${side}_event."$current_url"`
  return [
    [`$${side}_current_url`, url],
    [`$${side}_pathname`, `regexp_extract(${url}, '${PATH}', 1)`],
    [`$${side}_hostname`, `regexp_extract(${url}, '${HOST}', 1)`],
  ]
}

/** Session property → SQL of its text over one row of `session`. Numbers and dates have no listed values. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ...pageKeys('entry'),
  ...pageKeys('end'),
  ['$entry_referring_domain', 'entry_event."$referring_domain"'],
  ...ENTRY_PARAMETERS.map((name): [string, string] => [`$entry_${name}`, `entry_event."${name}"`]),
  ['$channel_type', 'channel_type'],
  ['$is_bounce', `CASE WHEN page_event IS NULL THEN NULL WHEN several_page_events OR is_long THEN '0' ELSE '1' END`],
  ['$last_external_click_url', 'external_click'],
])

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
        min(uuid) FILTER (event IN ${PAGE_EVENTS}) AS page_event,
        min(uuid) FILTER (event IN ${PAGE_EVENTS}) <> max(uuid) FILTER (event IN ${PAGE_EVENTS}) AS several_page_events,
        ${click} AS external_click
      FROM events WHERE project_id = ${int(projectId)} AND session_id >= ${uuidLiteral(oldest)}
      GROUP BY session_id))`
  if (!keys.includes('$channel_type')) return `${sessions}, session AS (SELECT * FROM grouped)`
  return `${sessions},
    clue AS (SELECT session_id, lower(entry_event.utm_source) AS source, lower(entry_event.utm_medium) AS medium,
      lower(entry_event.utm_campaign) AS campaign, entry_event."$referring_domain" AS referrer, entry_event.gclid AS gclid,
      entry_event.gad_source AS gad_source, entry_event.fbclid AS fbclid FROM grouped),
    channel AS (${channelTypes('clue')}),
    session AS MATERIALIZED (SELECT * FROM grouped JOIN channel USING (session_id))`
}

export async function sessionValues(parts: Parts, query: SessionValuesQuery): Promise<SessionValue[]> {
  const keys = [...new Set(query.keys)].filter((key) => KEYS.has(key))
  if (keys.length === 0 || query.limit < 1) return []
  const oldest = await oldestListedSession(parts, query.projectId)
  if (oldest === null) return []
  const texts = new Texts()
  const search = query.search === null ? '' : `AND contains(lower(name), lower(${texts.bind(query.search)}))`
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
