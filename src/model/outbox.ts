/**
 * What a SQL transaction owes to the event store: its events and its changes to the people projection,
 * under one batch id and one `seq`. The row is written as the transaction's last statement and applied
 * afterwards, exactly once, in any order.
 */

import type { Properties } from './person.ts'
import type { StoredEvent } from './stored-event.ts'

/** A person as person-level queries see it; `deleted` rows stay as a mark until a higher seq comes. */
export interface PersonProjection {
  projectId: number
  personId: number
  uuid: string
  properties: Properties
  createdAt: number
  deleted: boolean
}

/** Whose events a distinct id's events are; null: nobody's any more. */
export interface DistinctIdProjection {
  projectId: number
  distinctId: string
  personId: number | null
}

export interface OutboxContent {
  events: Omit<StoredEvent, 'seq'>[]
  persons: PersonProjection[]
  distinctIds: DistinctIdProjection[]
}

interface OutboxHead {
  /** UUIDv7; never a row number, for SQLite hands those out again. */
  id: string
  seq: number
}

/** A batch as its transaction hands it in. */
export interface NewOutboxBatch extends OutboxHead, OutboxContent {}

/** A batch on its way: text once, from the transaction to the event store. */
export interface OutboxBatch extends OutboxHead {
  /** The content, as the stores write it down. */
  text: string
}

export interface OutboxReader {
  /** Ids of all rows visible now. */
  pending(): Promise<string[]>
  /** Rows waiting, and when the oldest one was written; null when there is none. */
  backlog(): Promise<{ length: number; oldestAt: number | null }>
  /** The oldest rows, at most `limit`. */
  peek(limit: number): Promise<OutboxBatch[]>
}

export interface OutboxWriter extends OutboxReader {
  /** The next number of the one sequence that orders all changes to people and events. */
  nextSeq(): Promise<number>
  /** Must be the last statement of its transaction. */
  add(batch: NewOutboxBatch, now: number): Promise<void>
  /** Ids that are gone already are no error. */
  remove(ids: string[]): Promise<void>
}
