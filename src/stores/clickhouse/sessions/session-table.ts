/**
 * One row per session, computed from the events that carry its id. The earliest event of a session gives its entry values,
 * the latest its end values; events of the same instant count in the order of `seq`, then in the order of the batch.
 */
import { channelKinds, channelSql } from '../../sessions/channel-type.ts'
import {
  BOUNCE,
  BOUNCE_MS,
  CHANNEL,
  DURATION,
  EVENT_COUNTS,
  EXTERNAL_CLICK,
  LCP,
  LCP_EVENT,
  LCP_KEY,
  PAGE_EVENTS,
  SESSION_PROPERTIES,
  sessionKeys,
} from '../../sessions/session-properties.ts'
import { listedNumber } from '../properties/property-columns.ts'
import { patternSql } from '../properties/property-sql.ts'
import { instant, isOneOf, text } from '../values/literal.ts'

type Name = (typeof SESSION_PROPERTIES)[number]

/** SQL of one of the texts that are kept of a session's event; empty where there is none. */
const textIn = (texts: string, name: Name): string => `${texts}[${SESSION_PROPERTIES.indexOf(name) + 1}]`

/** Session property → SQL of its text, over one row of `sessionTable`; empty where there is none. */
export const TEXTS = sessionKeys({
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

const ORDER = '(ts, seq, place)'
const CLICK = textIn('session_texts', '$external_click_url')
const IS_PAGE_EVENT = isOneOf('event', PAGE_EVENTS, text)

const ENTRY = `argMin(session_texts, ${ORDER}) AS first_texts`
const END = `argMax(session_texts, ${ORDER}) AS last_texts`
const countName = (event: string): string => `${event.slice(1)}s`
const COUNTS = EVENT_COUNTS.map(([, event]) => `uniqExactIf(uuid, event = ${text(event)}) AS ${countName(event)}`).join(
  ', ',
)
const SECONDS = 'intDiv(end_at - start_at, 1000000)'

/** Session property → SQL of the columns that it is computed from; of all others: the values of the first event. */
const COLUMNS: Record<string, string> = {
  [BOUNCE]: `countIf(${IS_PAGE_EVENT}) AS page_events, max(ts) - min(ts) >= ${instant(BOUNCE_MS)} AS is_long,
      minIf(uuid, ${IS_PAGE_EVENT}) != maxIf(uuid, ${IS_PAGE_EVENT}) AS several_page_events`,
  [EXTERNAL_CLICK]: `argMaxIf(${CLICK}, ${ORDER}, ${CLICK} != '') AS external_click`,
  ...Object.fromEntries(EVENT_COUNTS.map(([key]) => [key, COUNTS])),
}

/** SQL of the number that an event has as LCP; NaN: none. */
const LCP_NUMBER = `if(event = ${text(LCP_EVENT)}, ${listedNumber(LCP_KEY)}, nan)`

/** SQL of the first of them, and of whether there is one. */
export const LCP_COLUMNS = `argMinIf(${LCP_NUMBER}, ${ORDER}, isNaN(${LCP_NUMBER}) = 0) AS lcp,
  countIf(isNaN(${LCP_NUMBER}) = 0) AS lcps`

/** Session property that is a number → its SQL, over one row of `sessionTable`; NaN: none. */
export const NUMBERS: ReadonlyMap<string, string> = new Map([
  ...EVENT_COUNTS.map(([key, event]): [string, string] => [key, countName(event)]),
  [DURATION, SECONDS],
  [LCP, 'if(lcps = 0, nan, lcp)'],
])

/** Session property that is a date → its SQL in microseconds, over one row of `sessionTable`. */
export const DATES: ReadonlyMap<string, string> = new Map([
  ['$start_timestamp', 'start_at'],
  ['$end_timestamp', 'end_at'],
])

function columnsOf(key: string): string[] {
  if (key === LCP) return [LCP_COLUMNS]
  if (COLUMNS[key] !== undefined) return [COLUMNS[key]]
  if (!TEXTS.has(key)) return []
  return [key.startsWith('$end_') ? END : ENTRY]
}

/**
 * SQL of a row for each session of the events under this condition, with `start_at`, `end_at`, the `first_id` of its first
 * event if wanted, and what these keys need.
 */
export function sessionTable(where: string, keys: string[], withId = false): string {
  const columns = [
    'session_id',
    'min(ts) AS start_at',
    'max(ts) AS end_at',
    ...(withId ? [`argMin(distinct_id, ${ORDER}) AS first_id`] : []),
    ...new Set(keys.flatMap(columnsOf)),
  ]
  const table = `SELECT ${columns.join(', ')} FROM events WHERE ${where} GROUP BY session_id`
  if (!keys.includes(CHANNEL)) return table
  return `SELECT *, ${channelKinds(patternSql)} FROM (SELECT *, ${CLUES} FROM (${table}))`
}
