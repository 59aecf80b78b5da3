/** What sessions are computed from, under the names posthog-js gives it, and what is computed of each. */
import { CLICK_IDS, UTM_PARAMETERS } from '../../lib/campaign.ts'
import type { Session } from '../../model/events/session.ts'

/** Properties whose session property is `$entry_` and the name. */
const ENTRY_PARAMETERS = [...UTM_PARAMETERS, ...CLICK_IDS] as const

export const SESSION_PROPERTIES = [
  '$current_url',
  '$referring_domain',
  '$external_click_url',
  ...ENTRY_PARAMETERS,
] as const

/** Session property → the events that it counts, each uuid once. */
const COUNTED_EVENTS = { $pageview_count: '$pageview', $autocapture_count: '$autocapture', $screen_count: '$screen' }

export const EVENT_COUNTS = Object.entries(COUNTED_EVENTS) as [keyof typeof COUNTED_EVENTS, string][]

/** A session with one such event is a bounce, unless it is as long as this. */
export const PAGE_EVENTS = Object.values(COUNTED_EVENTS)
export const BOUNCE_MS = 10_000
export const BOUNCE = '$is_bounce'

export const CHANNEL = '$channel_type'
export const EXTERNAL_CLICK = '$last_external_click_url'
export const DURATION = '$session_duration'

/** The session property is the first number that an event of this name has under this key. */
export const LCP = '$vitals_lcp'
export const LCP_EVENT = '$web_vitals'
export const LCP_KEY = '$web_vitals_LCP_value'

/** Patterns of RE2 whose first group is a part of an address; text that is not a URL has none. */
const HOST_PATTERN = String.raw`^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]*)`
const PATH_PATTERN = '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*([^?#]*)'

/** How an engine reads the parts of a session, as SQL. */
interface SessionSql {
  /** A property of the first event of the session, or of its last. */
  property(side: 'entry' | 'end', name: (typeof SESSION_PROPERTIES)[number]): string
  /** The first group of the pattern in the text. */
  extract(text: string, pattern: string): string
  channel: string
  isBounce: string
  externalClick: string
}

/** Session property → SQL of its text. Numbers and dates have no listed values. */
export function sessionKeys(sql: SessionSql): ReadonlyMap<string, string> {
  const page = (side: 'entry' | 'end'): [string, string][] => {
    const url = sql.property(side, '$current_url')
    return [
      [`$${side}_current_url`, url],
      [`$${side}_pathname`, sql.extract(url, PATH_PATTERN)],
      [`$${side}_hostname`, sql.extract(url, HOST_PATTERN)],
    ]
  }
  return new Map([
    ...page('entry'),
    ...page('end'),
    ['$entry_referring_domain', sql.property('entry', '$referring_domain')],
    ...ENTRY_PARAMETERS.map((name): [string, string] => [`$entry_${name}`, sql.property('entry', name)]),
    [CHANNEL, sql.channel],
    [BOUNCE, sql.isBounce],
    [EXTERNAL_CLICK, sql.externalClick],
  ])
}

const MICROS_OF_SECOND = 1_000_000

/** Whole ones between two instants. */
const secondsBetween = (startAt: number, endAt: number): number =>
  Math.floor(Math.round((endAt - startAt) * 1_000) / MICROS_OF_SECOND)

/** What an engine has read of a session. */
interface SessionFacts extends Omit<Session, 'properties'> {
  /** Of the keys of `sessionKeys`, in their order; null or empty: none. */
  texts: (string | null)[]
  /** Of `EVENT_COUNTS`, in their order. */
  counts: number[]
  lcp: number | null
}

/** `keys`: those of `sessionKeys`. */
export function toSession({ texts, counts, lcp, ...session }: SessionFacts, keys: string[]): Session {
  const properties: Session['properties'] = {}
  for (const [place, key] of keys.entries()) {
    const text = texts[place]
    if (text) properties[key] = key === BOUNCE ? text === '1' : text
  }
  for (const [place, [key]] of EVENT_COUNTS.entries()) properties[key] = counts[place] ?? 0
  properties[DURATION] = secondsBetween(session.startAt, session.endAt)
  if (lcp !== null) properties[LCP] = lcp
  return { ...session, properties }
}
