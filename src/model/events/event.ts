/** Events, the sessions computed from them, and the people projection that person-level queries join. */

import type { EventSelector, InsightStore } from '../insights/insight-question.ts'
import type { StoreStamp } from '../installation.ts'
import type { Properties, PropertyFilter } from '../persons/person.ts'
import type { PersonSearch } from '../persons/person-search.ts'
import type { Erasing } from './erasure.ts'
import type { OutboxBatch, PersonProjection } from './outbox.ts'
import type { SessionSearch } from './session.ts'
import type { StoredEvent } from './stored-event.ts'

/** A person of the projection; null: written by a version that did not record it, and not completed yet. */
export interface ProjectedPerson extends Omit<PersonProjection, 'properties' | 'updatedAt' | 'isIdentified'> {
  properties: Properties
  updatedAt: number | null
  isIdentified: boolean | null
}

/** One event of a timeline: only when it happened. */
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

/** Position of an event in the order of all: by time, then by seq, then by its place in its batch. */
export interface EventPosition {
  timestamp: number
  seq: number
  /** Only meaningful to the store that returned it. */
  place: number
}

export interface ListedEvent extends StoredEvent {
  place: number
}

/** All given conditions must hold. */
export interface EventFilter {
  event?: string
  /** Empty: no event at all. */
  distinctIds?: string[]
  /** An invalid session id matches nothing. */
  sessionId?: string
  /** Both excluded. */
  before?: number
  after?: number
  /** A condition of type `person` tests the current properties of the distinct id's owner; an unowned id has none. */
  properties?: PropertyFilter
}

export interface EventPageRequest {
  limit: number
  /** The page next to this event, which itself is not on it; without it the newest page. */
  from?: { position: EventPosition; direction: 'older' | 'newer' }
  /** A page of a full read of the list: no time limit. */
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
  /** Contained in the value, case-insensitive. */
  search: string | null
  limit: number
}

export interface EventTotals {
  count: number
  recent: number
  /** When the first and the last of them happened; null without any. */
  firstAt: number | null
  lastAt: number | null
}

/** Of the events of one person. */
export interface PersonTotals {
  events: number
  /** Sessions with at least one of them. */
  sessions: number
  /** When the first and the last of them happened; null without any. */
  firstAt: number | null
  lastAt: number | null
}

/** How many events there are under one distinct id. */
export interface DistinctIdEvents {
  distinctId: string
  events: number
}

/** A name that occurs in events. */
export interface EventName {
  name: string
  count: number
  /** When the first and the last of them happened. */
  firstAt: number
  lastAt: number
}

export type PropertyType = 'String' | 'Numeric' | 'Boolean' | 'DateTime'

/** A key that occurs in properties. */
export interface PropertyName {
  name: string
  /** In how many of the scanned events or persons. */
  count: number
  /** The common type of all values that are not null, otherwise String; null if they are lists, objects or null. */
  type: PropertyType | null
}

export interface NamesQuery {
  projectId: number
  /** Each must be contained in the name, case-insensitive. */
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
  /** Contained in the value, case-insensitive; no wildcards. */
  search: string | null
  /** Maximum number of values per key. */
  limit: number
}

export interface FoundSessions {
  /** Sorted, each once, 16 bytes each: as one block, a million of them cross to another thread at no cost. */
  ids: Uint8Array
}

/**
 * Reads of events reject with `timeout` after 10 s, and when their signal is aborted; they then hold no resources of the
 * store. Insights, which reports also use, have no time limit.
 */
export interface EventStore extends InsightStore, PersonSearch, SessionSearch, Erasing {
  /**
   * Applies batches: events are appended, projection rows replaced where the new seq is higher. Idempotent: a batch id that
   * was applied before changes nothing, nor does a part of a batch that was applied. It rejects with `unprocessable` only
   * because of their content, never for lack of disk or memory, nor for a fault of the store; then nothing of any of them is
   * stored, unless they have thousands of events. After any other failure some of it may be, and applying them again, as
   * what may be stored, stores the rest. Calls may overlap, but not with the same claim.
   */
  apply(batches: OutboxBatch[], now: number): Promise<void>
  /** Forgets batch ids applied before this instant: only call it when their outbox rows are gone permanently. */
  forgetBatches(appliedBefore: number): Promise<void>
  /** The installation the store belongs to, and the highest `seq` applied; null when not set yet. */
  stamp(): Promise<StoreStamp | null>
  /** Sets the installation. The store then counts as having applied at least the stamp's `seq`. */
  setStamp(stamp: StoreStamp): Promise<void>
  /** The highest `seq` of all batches, events and people stored; 0 when there are none. */
  highestSeq(): Promise<number>
  /** The person that owns this id's events, as queries see it; null when the id is unowned or the person deleted. */
  personOf(projectId: number, distinctId: string): Promise<ProjectedPerson | null>
  /**
   * When the person's events happened, oldest first, then by seq and place in the batch; its cost depends on these
   * ids' events, not on the project's.
   */
  timeline(query: TimelineQuery, signal?: AbortSignal): Promise<EventMoment[]>
  /** The earliest event of these ids; null when there is none. */
  firstEventAt(projectId: number, distinctIds: string[], signal?: AbortSignal): Promise<number | null>
  /**
   * Keys in the requested order; within each the most frequent first, then by name, over the latest 100,000
   * sessions. Text as it was sent; empty values are left out, and values longer than 4,000 characters may be. `$is_bounce`
   * is '1' or '0'; unknown keys, numbers and dates have no values.
   */
  sessionValues(query: SessionValuesQuery, signal?: AbortSignal): Promise<SessionValue[]>
  /**
   * Events of one session that match at least one selector, each once, oldest first; none without selectors or for an
   * invalid session id. `invalid` when the engine cannot read a pattern of a filter.
   */
  sessionEvents(
    projectId: number,
    sessionId: string,
    selectors: EventSelector[],
    signal?: AbortSignal,
  ): Promise<EventMoment[]>
  /**
   * Sessions with at least one event in the range, ends included, that matches the selector. `invalid` when the engine
   * cannot read a pattern of the filter.
   */
  sessionsWith(
    projectId: number,
    selector: EventSelector,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<FoundSessions>
  /**
   * Exact pages: events stored meanwhile cause neither gaps nor repeats. `invalid` when the engine cannot
   * read a pattern of the filter.
   */
  listEvents(
    projectId: number,
    filter: EventFilter,
    request: EventPageRequest,
    signal?: AbortSignal,
  ): Promise<EventPage>
  /** The newest one if several have the uuid. */
  findEvent(projectId: number, uuid: string, signal?: AbortSignal): Promise<StoredEvent | null>
  /**
   * The most frequent first, then by name, over about the latest 100,000 events (of that name); of events with very
   * long properties only the latest are scanned. Values that are empty or longer than 1,000 characters are left out.
   */
  eventValues(query: EventValuesQuery, signal?: AbortSignal): Promise<{ name: string; count: number }[]>
  /** By name, over about the latest 1,000,000 events of the project. */
  eventNames(query: NamesQuery, signal?: AbortSignal): Promise<{ count: number; items: EventName[] }>
  /**
   * By name, over about the latest 100,000 events of the project, or the latest 100,000 persons; of those with very
   * long properties only the latest are scanned.
   */
  propertyNames(query: PropertyNamesQuery, signal?: AbortSignal): Promise<{ count: number; items: PropertyName[] }>
  /** Of all events of the project, and how many of them happened at `since` or later. */
  eventTotals(projectId: number, since: number, signal?: AbortSignal): Promise<EventTotals>
  /** Of all events under these ids; as `timeline`, it finds them by an index. */
  personTotals(projectId: number, distinctIds: string[], signal?: AbortSignal): Promise<PersonTotals>
  /** The same events by id, in any order, in one statement for any number of ids; those without any are left out. */
  eventsByDistinctId(projectId: number, distinctIds: string[], signal?: AbortSignal): Promise<DistinctIdEvents[]>
  /** Removes everything of the project. */
  removeProject(projectId: number): Promise<void>
  /**
   * Whether a server of the store was started since `noteRestart` was last called by any process: what it applied before may
   * be lost. Never, where applied means safe.
   */
  wasRestarted(): Promise<boolean>
  noteRestart(): Promise<void>
  /** Whether what is applied again has to come with what it was applied with before: replicas may know it by that. */
  keepsShipments(): Promise<boolean>
  /** How many bytes it takes on other machines; 0 when it is in the data folder. */
  bytesElsewhere(): Promise<number>
  /** A round trip; rejects when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
