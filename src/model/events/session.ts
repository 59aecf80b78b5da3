/** Sessions: what the events of a project that carry one session id say together. */
import type { PropertyFilter } from '../persons/person.ts'

/** All given conditions must hold. */
export interface SessionFilter {
  /** When it began; both ends included, may be infinite. */
  from: number
  to: number
  /** With an event of one of these ids. Empty: no session at all. */
  distinctIds?: string[]
  /** Conditions on session properties; no key is any other. Dates have date operators, and only they have. */
  properties?: PropertyFilter
}

/** By when it began, or by its whole seconds; equal ones by their ids, in the same direction. */
export interface SessionOrder {
  by: 'start' | 'duration'
  ascending: boolean
}

/** Of a session in an order: the number that it is ordered by, and its id. */
export interface SessionPlace {
  by: number
  sessionId: string
}

export interface SessionPageRequest {
  limit: number
  order: SessionOrder
  /** The page next to this place, which itself is not on it, in the order or against it; without it the first page. */
  from?: { place: SessionPlace; direction: 'forward' | 'back' }
  /** A page of a full read of the list: no time limit. */
  isWalk?: boolean
}

/** A session as a search finds it: when its first and its last event happened. */
export interface FoundSession extends SessionPlace {
  startAt: number
  endAt: number
}

export interface SessionPage {
  /** In the order asked for, also when the page was found against it. */
  sessions: FoundSession[]
  /** Whether there are more in the direction of the request. */
  more: boolean
}

/** Where the events of a session are; without times they are looked for everywhere. */
export type SessionSpan = Pick<FoundSession, 'sessionId'> & Partial<Pick<FoundSession, 'startAt' | 'endAt'>>

export interface Session extends Omit<FoundSession, 'by'> {
  /** Of its first event. */
  distinctId: string
  /** By session property, without those that it has no value of, and without dates; `$session_duration` in whole seconds. */
  properties: Record<string, string | number | boolean>
}

export interface SessionSearch {
  /**
   * Sessions by their start or duration. Exact pages: of what does not change meanwhile none is missing or twice. Its cost
   * depends on the page and on the range, not on the project, unless the order is by duration. `invalid` when the engine
   * cannot read a pattern of the filter.
   */
  findSessions(
    projectId: number,
    filter: SessionFilter,
    request: SessionPageRequest,
    signal?: AbortSignal,
  ): Promise<SessionPage>
  /**
   * Those that exist, in the order given, each with all its properties: text as it was sent, `$channel_type` by our rules.
   * Texts longer than 4,000 characters, and `$vitals_lcp` of an event with very long properties, may be left out.
   */
  readSessions(projectId: number, spans: SessionSpan[], signal?: AbortSignal): Promise<Session[]>
}
