/** Events, the sessions computed from them, and the people projection that person-level queries join. */

import type { EventSelector, InsightStore } from '../insights/insight-question.ts'
import type { StoreStamp } from '../installation.ts'
import type { PropertyFilter } from '../persons/person.ts'
import type { Erasing } from './erasure.ts'
import type { OutboxBatch, PersonProjection } from './outbox.ts'
import type { StoredEvent } from './stored-event.ts'

/** One event of a timeline: nothing but when it happened. */
export interface EventMoment {
  uuid: string
  timestamp: number
}

export interface TimelineQuery {
  projectId: number
  distinctIds: string[]
  /** Names to count; null: every event. */
  events: string[] | null
  /** Both ends included; may be infinite. */
  from: number
  to: number
}

/** Where an event stands among all: by time, then by seq, then by its place among those of its batch. */
export interface EventPosition {
  timestamp: number
  seq: number
  /** Only means something to the store that gave it. */
  place: number
}

export interface ListedEvent extends StoredEvent {
  place: number
}

/** All that is given must hold. */
export interface EventFilter {
  event?: string
  /** Empty: no event at all. */
  distinctIds?: string[]
  /** What is no session id finds nothing. */
  sessionId?: string
  /** Both excluded. */
  before?: number
  after?: number
  /** A condition of type `person` is about what the owner of the distinct id is like now; nobody has no properties. */
  properties?: PropertyFilter
}

export interface EventPageRequest {
  limit: number
  /** The page next to this event, which itself is not on it; without it the newest page. */
  from?: { position: EventPosition; direction: 'older' | 'newer' }
  /** One page of everything, which is read page by page: it may take as long as it takes. */
  isWalk?: boolean
}

export interface EventPage {
  /** Newest first. Fewer than asked for when there are no more, or when they are very large. */
  events: ListedEvent[]
  /** Whether there are more in the direction of the request. */
  more: boolean
}

export interface EventValuesQuery {
  projectId: number
  /** One literal key of the event's properties. */
  key: string
  /** Of events with this name only. */
  event: string | null
  /** Contained in the value, whatever the case. */
  search: string | null
  limit: number
}

/** A name that events have. */
export interface EventName {
  name: string
  count: number
  /** When the first and the last of them happened. */
  firstAt: number
  lastAt: number
}

export type PropertyType = 'String' | 'Numeric' | 'Boolean' | 'DateTime'

/** A key that properties have. */
export interface PropertyName {
  name: string
  /** In how many of the events or persons looked at. */
  count: number
  /** What all values that are not null have in common, else String; null where they are lists, objects or null. */
  type: PropertyType | null
}

export interface NamesQuery {
  projectId: number
  /** Each is contained in the name, whatever the case. */
  words: string[]
  page: { limit: number; offset: number }
}

export interface PropertyNamesQuery extends NamesQuery {
  /** Whose properties. */
  of: 'event' | 'person'
  /** Only numbers, or only the others. */
  isNumerical: boolean | null
}

export interface SessionValue {
  key: string
  name: string
  count: number
}

export interface SessionValuesQuery {
  projectId: number
  /** Which session properties; several give the top values of each. */
  keys: string[]
  /** Contained in the value, whatever the case; no wildcards. */
  search: string | null
  /** How many values of each key at the most. */
  limit: number
}

/**
 * Reads of events end with `timeout` after 10 s, and when their signal is aborted: by then they hold nothing of the store
 * any more. Insights, which reports are made of too, take as long as they take.
 */
export interface EventStore extends InsightStore, Erasing {
  /**
   * Applies batches in one transaction: events appended, projection rows put in place where their seq is
   * higher than what is there. A batch id seen before changes nothing, so applying twice is the same as once; a part of
   * a batch that was seen changes nothing either. When it rejects, nothing of any of them is stored. It rejects with
   * `unprocessable` only for what is in them: never for lack of disk or memory, nor for a fault of the store. Calls
   * may overlap.
   */
  apply(batches: OutboxBatch[], now: number): Promise<void>
  /** Batch ids applied before this instant are forgotten: only call it when their outbox rows are gone for good. */
  forgetBatches(appliedBefore: number): Promise<void>
  /** Whose store it is, and the highest `seq` it applied; null when nobody has said whose. */
  stamp(): Promise<StoreStamp | null>
  /** Says whose it is. It counts as having come at least as far as the stamp says. */
  setStamp(stamp: StoreStamp): Promise<void>
  /** Of all batches, events and people it holds; 0 when there are none. */
  highestSeq(): Promise<number>
  /** The person whose events this id's events are, as queries see it; null when it is nobody's or deleted. */
  personOf(projectId: number, distinctId: string): Promise<PersonProjection | null>
  /**
   * When the person's events happened, oldest first, then by seq and place in the batch; its cost follows these
   * ids' events, not the project's.
   */
  timeline(query: TimelineQuery, signal?: AbortSignal): Promise<EventMoment[]>
  /** The earliest event of these ids; null when there is none. */
  firstEventAt(projectId: number, distinctIds: string[], signal?: AbortSignal): Promise<number | null>
  /**
   * Keys in the order asked for; within each the most frequent first, then by name, over the latest 100,000
   * sessions. Text as it was sent; empty values left out, and such as are longer than 4,000 characters may be. `$is_bounce` is '1' or '0'; keys that are unknown,
   * numbers or dates have no values.
   */
  sessionValues(query: SessionValuesQuery, signal?: AbortSignal): Promise<SessionValue[]>
  /**
   * Events of one session that at least one of the selectors means, each once, oldest first; none for no selector and
   * for what is no session id. `invalid` when the engine cannot read a pattern of a filter.
   */
  sessionEvents(
    projectId: number,
    sessionId: string,
    selectors: EventSelector[],
    signal?: AbortSignal,
  ): Promise<EventMoment[]>
  /**
   * Sorted ids of sessions with at least one event in the range, ends included, that the selector means. `invalid`
   * when the engine cannot read a pattern of the filter.
   */
  sessionsWith(
    projectId: number,
    selector: EventSelector,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<string[]>
  /**
   * Exact pages: what is stored meanwhile neither shifts nor repeats an event. `invalid` when the engine cannot
   * read a pattern of the filter.
   */
  listEvents(
    projectId: number,
    filter: EventFilter,
    request: EventPageRequest,
    signal?: AbortSignal,
  ): Promise<EventPage>
  /** The newest, should several have the uuid. */
  findEvent(projectId: number, uuid: string, signal?: AbortSignal): Promise<StoredEvent | null>
  /**
   * The most frequent first, then by name, over about the latest 100,000 events (of that name); of events with very
   * long properties only the latest are looked at. Values that are empty or longer than 1,000 characters are left out.
   */
  eventValues(query: EventValuesQuery, signal?: AbortSignal): Promise<{ name: string; count: number }[]>
  /** By name, over about the latest 1,000,000 events of the project. */
  eventNames(query: NamesQuery, signal?: AbortSignal): Promise<{ count: number; items: EventName[] }>
  /**
   * By name, over about the latest 100,000 events of the project, or the latest 100,000 persons; of those with very
   * long properties only the latest are looked at.
   */
  propertyNames(query: PropertyNamesQuery, signal?: AbortSignal): Promise<{ count: number; items: PropertyName[] }>
  countEvents(projectId: number, signal?: AbortSignal): Promise<number>
  /** Removes everything of the project. */
  removeProject(projectId: number): Promise<void>
  /** A round trip; rejects when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
