/**
 * Sessions, computed on request from the events that carry their id. The earliest event of a session gives its entry
 * values, the latest its end values; events of the same instant count in the order of `seq`, then in the order of the
 * batch. Values are listed over the latest sessions only.
 */
import type { SessionValue, SessionValuesQuery } from '../../../model/events/event.ts'
import { channelKinds, channelSql } from '../../channel-type.ts'
import { BOUNCE_MS, PAGE_EVENTS, SESSION_PROPERTIES, sessionKeys } from '../../session-properties.ts'
import type { Reading } from '../parts.ts'
import { containsFolded, patternSql } from '../properties/property-sql.ts'
import { instant, int, isOneOf, text, uuid } from '../values/literal.ts'
import { oldestListedSession } from './latest-sessions.ts'

type Name = (typeof SESSION_PROPERTIES)[number]

/** SQL of one of the texts that are kept of a session's event; empty where there is none. */
const textIn = (texts: string, name: Name): string => `${texts}[${SESSION_PROPERTIES.indexOf(name) + 1}]`

const CHANNEL = '$channel_type'

/** Over one row of `sessionTable`. */
const KEYS = sessionKeys({
  property: (side, name) => textIn(side === 'entry' ? 'first_texts' : 'last_texts', name),
  extract: (value, pattern) => `extract(${value}, ${text(pattern)})`,
  channel: channelSql(patternSql),
  isBounce: `multiIf(page_events = 0, '', several_page_events OR is_long, '0', '1')`,
  externalClick: 'external_click',
})

const CLUES = `lower(${textIn('first_texts', 'utm_source')}) AS source,
  lower(${textIn('first_texts', 'utm_medium')}) AS medium,
  lower(${textIn('first_texts', 'utm_campaign')}) AS campaign,
  lower(${textIn('first_texts', '$referring_domain')}) AS referrer,
  ${textIn('first_texts', 'gclid')} AS gclid,
  ${textIn('first_texts', 'gad_source')} AS gad_source,
  ${textIn('first_texts', 'fbclid')} AS fbclid`

/** SQL of one row per session, with what these keys need. */
function sessionTable(projectId: number, oldest: string, keys: string[]): string {
  const order = '(ts, seq, place)'
  const click = textIn('session_texts', '$external_click_url')
  const isPageEvent = isOneOf('event', PAGE_EVENTS, text)
  const columns = {
    entry: `argMin(session_texts, ${order}) AS first_texts`,
    end: `argMax(session_texts, ${order}) AS last_texts`,
    bounce: `countIf(${isPageEvent}) AS page_events, max(ts) - min(ts) >= ${instant(BOUNCE_MS)} AS is_long,
      minIf(uuid, ${isPageEvent}) != maxIf(uuid, ${isPageEvent}) AS several_page_events`,
    click: `argMaxIf(${click}, ${order}, ${click} != '') AS external_click`,
  }
  const needed = (key: string) => {
    if (key === '$is_bounce') return columns.bounce
    if (key === '$last_external_click_url') return columns.click
    return key.startsWith('$end_') ? columns.end : columns.entry
  }
  const table = `SELECT session_id, ${[...new Set(keys.map(needed))].join(', ')} FROM events
    WHERE project_id = ${int(projectId)} AND session_id >= ${uuid(oldest)} GROUP BY session_id`
  if (!keys.includes(CHANNEL)) return table
  return `SELECT *, ${channelKinds(patternSql)} FROM (SELECT *, ${CLUES} FROM (${table}))`
}

export async function sessionValues(reading: Reading, query: SessionValuesQuery): Promise<SessionValue[]> {
  const keys = [...new Set(query.keys)].filter((key) => KEYS.has(key))
  if (keys.length === 0 || query.limit < 1) return []
  const oldest = await oldestListedSession(reading, query.projectId)
  if (oldest === null) return []
  const search = query.search === null ? '' : `AND ${containsFolded('name', query.search)}`
  const pairs = keys.map((key, place) => `(${int(place)}, ${KEYS.get(key)})`).join(', ')
  const rows = await reading.rows(`SELECT key, name, count() AS sessions FROM (
      SELECT pair.1 AS key, pair.2 AS name FROM (
        SELECT arrayJoin([${pairs}]) AS pair FROM (${sessionTable(query.projectId, oldest, keys)})))
    WHERE name != '' ${search} GROUP BY key, name
    ORDER BY key, sessions DESC, name LIMIT ${int(query.limit)} BY key`)
  return rows.map(([place, name, sessions]) => ({
    key: keys[Number(place)] as string,
    name: name as string,
    count: Number(sessions),
  }))
}
