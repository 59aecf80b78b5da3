/** Events, the sessions computed from them, and the people projection that person-level queries join. */
import type { OutboxBatch, PersonProjection } from './outbox.ts'

export interface StoredEvent {
  projectId: number
  /** A UUID of any version. */
  uuid: string
  event: string
  distinctId: string
  /** When it happened, by the corrected client clock. */
  timestamp: number
  /** A UUIDv7 in canonical lower-case form; null when the event carries no such session id. */
  sessionId: string | null
  properties: Record<string, unknown>
  seq: number
}

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

export interface EventStore {
  /**
   * Applies batches in one transaction: events appended, projection rows put in place where their seq is
   * higher than what is there. A batch id seen before changes nothing, so applying twice is the same as once.
   * When it rejects, nothing of any of them is stored. Calls may overlap.
   */
  apply(batches: OutboxBatch[], now: number): Promise<void>
  /** Batch ids applied before this instant are forgotten: only call it when their outbox rows are gone for good. */
  forgetBatches(appliedBefore: number): Promise<void>
  /** The person whose events this id's events are, as queries see it; null when it is nobody's or deleted. */
  personOf(projectId: number, distinctId: string): Promise<PersonProjection | null>
  /**
   * When the person's events happened, oldest first, then by seq and place in the batch; its cost follows these
   * ids' events, not the project's.
   */
  timeline(query: TimelineQuery): Promise<EventMoment[]>
  /** The earliest event of these ids; null when there is none. */
  firstEventAt(projectId: number, distinctIds: string[]): Promise<number | null>
  /**
   * Keys in the order asked for; within each the most frequent first, then by name, over the latest 100,000
   * sessions. Text as it was sent; empty values left out, and such as are longer than 4,000 characters may be. `$is_bounce` is '1' or '0'; keys that are unknown,
   * numbers or dates have no values.
   */
  sessionValues(query: SessionValuesQuery): Promise<SessionValue[]>
  /** Events of one session whose name is one of `events` (null: any), oldest first. */
  sessionEvents(projectId: number, sessionId: string, events: string[] | null): Promise<EventMoment[]>
  /** Sorted ids of sessions with at least one event of these names in the range, ends included. */
  sessionsWith(projectId: number, events: string[], from: number, to: number): Promise<string[]>
  countEvents(projectId: number): Promise<number>
  /** Removes everything of the project. */
  removeProject(projectId: number): Promise<void>
  /** A round trip; rejects when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
