/**
 * One row per session, computed from the events that carry its id. The earliest event of a session gives its entry values,
 * the latest its end values; events of the same instant count in the order of `seq`, then in the order of the batch.
 */
import { channelKinds, channelSql, type Matches } from '../../sessions/channel-type.ts'
import {
  BOUNCE,
  BOUNCE_MS,
  CHANNEL,
  EVENT_COUNTS,
  EXTERNAL_CLICK,
  LCP,
  LCP_EVENT,
  LCP_KEY,
  PAGE_EVENTS,
  SESSION_PROPERTIES,
  sessionKeys,
} from '../../sessions/session-properties.ts'
import { jsonPointer } from '../properties/property-sql.ts'
import { jsonValue } from '../properties/property-value.ts'

const IS_PAGE_EVENT = `event IN (${PAGE_EVENTS.map((event) => `'${event}'`).join(', ')})`

/** Properties of one event of the session, as a struct of texts. */
const struct = (column: string) =>
  `from_json(${column}, '{${SESSION_PROPERTIES.map((name) => `"${name}":"VARCHAR"`).join(',')}}')`

/** Session property → SQL of its text, over one row of `session`. */
export const TEXTS = sessionKeys({
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

const ORDER = 'ROW(ts, seq, ord)'
const CLICK = `json_extract_string(session_properties, '$."$external_click_url"')`

/** SQL of columns of a session that some keys need, and of those that its row has of them. */
interface Columns {
  computed: string
  kept: string
}

const ENTRY: Columns = {
  computed: `arg_min(session_properties, ${ORDER}) AS entry`,
  kept: `${struct('entry')} AS entry_event`,
}
const END: Columns = {
  computed: `arg_max(session_properties, ${ORDER}) AS "end"`,
  kept: `${struct('"end"')} AS end_event`,
}
const COUNTS: Columns = {
  computed: EVENT_COUNTS.map(([, event]) => `count(DISTINCT uuid) FILTER (event = '${event}') AS "${event}s"`).join(
    ', ',
  ),
  kept: EVENT_COUNTS.map(([, event]) => `"${event}s"`).join(', '),
}
const OTHERS: Record<string, Columns> = {
  [BOUNCE]: {
    computed: `round(max(ts) - min(ts), 3) >= ${BOUNCE_MS} AS is_long,
      min(uuid) FILTER (${IS_PAGE_EVENT}) AS page_event,
      min(uuid) FILTER (${IS_PAGE_EVENT}) <> max(uuid) FILTER (${IS_PAGE_EVENT}) AS several_page_events`,
    kept: 'is_long, page_event, several_page_events',
  },
  [EXTERNAL_CLICK]: {
    computed: `arg_max(${CLICK}, ${ORDER}) FILTER (contains(session_properties, '$external_click_url')) AS external_click`,
    kept: 'external_click',
  },
  ...Object.fromEntries(EVENT_COUNTS.map(([key]) => [key, COUNTS])),
}

function columnsOf(key: string): Columns | null {
  if (!TEXTS.has(key)) return OTHERS[key] ?? null
  return OTHERS[key] ?? (key.startsWith('$end_') ? END : ENTRY)
}

/** SQL of how long a session was, in whole seconds. */
const SECONDS = 'floor(round(end_at - start_at, 3) / 1000)'

/** Session property that is a number → its SQL, over one row of `session`. */
export const NUMBERS: ReadonlyMap<string, string> = new Map([
  ...EVENT_COUNTS.map(([key, event]): [string, string] => [key, `"${event}s"`]),
  ['$session_duration', SECONDS],
  [LCP, 'lcp'],
])

/** Session property that is a date → its SQL in milliseconds, over one row of `session`. */
export const DATES: ReadonlyMap<string, string> = new Map([
  ['$start_timestamp', 'start_at'],
  ['$end_timestamp', 'end_at'],
])

/** SQL of the number that events have as LCP: of few events is the JSON read. */
function vitals(where: string): string {
  const values = `SELECT session_id, ts, seq, ord, json_extract(properties, '${jsonPointer(LCP_KEY)}') AS found
    FROM events WHERE ${where} AND event = '${LCP_EVENT}'`
  return `vitals AS MATERIALIZED (SELECT session_id, arg_min(value, ${ORDER}) AS lcp
    FROM (SELECT *, ${jsonValue('found').numeric} AS value FROM (${values})) WHERE value IS NOT NULL GROUP BY session_id)`
}

/**
 * SQL that defines `session`: a row for each session of the events under this condition, with `start_at`, `end_at`, the
 * `distinct_id` of its first event if wanted, and what these keys need.
 */
export function sessionTable(where: string, keys: string[], withId = false): string {
  const columns = [...new Set(keys.map(columnsOf).filter((found) => found !== null))]
  if (keys.includes(CHANNEL) && !columns.includes(ENTRY)) columns.push(ENTRY)
  const kept = [
    'session_id',
    'start_at',
    'end_at',
    ...(withId ? ['distinct_id'] : []),
    ...columns.map((each) => each.kept),
  ]
  const id = withId ? [`arg_min(distinct_id, ${ORDER}) AS distinct_id`] : []
  const definitions = [
    `grouped AS MATERIALIZED (SELECT ${kept.join(', ')} FROM (
      SELECT ${['session_id', 'min(ts) AS start_at', 'max(ts) AS end_at', ...id, ...columns.map((each) => each.computed)].join(', ')}
      FROM events WHERE ${where} GROUP BY session_id))`,
  ]
  const joined = ['grouped']
  if (keys.includes(CHANNEL)) {
    definitions.push(`clue AS (SELECT session_id, ${CLUES} FROM grouped)`)
    definitions.push(`channel AS (SELECT session_id, ${channelSql(matches)} AS channel_type
      FROM (SELECT *, ${channelKinds(matches)} FROM clue))`)
    joined.push('JOIN channel USING (session_id)')
  }
  if (keys.includes(LCP)) {
    definitions.push(vitals(where))
    joined.push('LEFT JOIN vitals USING (session_id)')
  }
  definitions.push(`session AS ${joined.length > 1 ? 'MATERIALIZED ' : ''}(SELECT * FROM ${joined.join(' ')})`)
  return definitions.join(', ')
}
