/** The event properties that sessions are computed from, under the names posthog-js gives them. */
import { CLICK_IDS, UTM_PARAMETERS } from '../lib/campaign.ts'

/** Properties whose session property is `$entry_` and the name. */
const ENTRY_PARAMETERS = [...UTM_PARAMETERS, ...CLICK_IDS] as const

export const SESSION_PROPERTIES = [
  '$current_url',
  '$referring_domain',
  '$external_click_url',
  ...ENTRY_PARAMETERS,
] as const

/** A session with one such event is a bounce, unless it is as long as this. */
export const PAGE_EVENTS = ['$pageview', '$autocapture', '$screen']
export const BOUNCE_MS = 10_000

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
    ['$channel_type', sql.channel],
    ['$is_bounce', sql.isBounce],
    ['$last_external_click_url', sql.externalClick],
  ])
}
