/**
 * The outbox: what a SQL transaction has to pass on to the event store, its events and its changes to the people
 * projection, under one batch id and one `seq`. The row is written as the transaction's last statement and applied
 * afterwards, exactly once, in any order. A batch that the event store refuses for its content is parked.
 */

import type { StoredEvent } from './stored-event.ts'

/** A person as person-level queries see it; `deleted` rows stay as tombstones until a higher seq arrives. */
export interface PersonProjection {
  projectId: number
  personId: number
  uuid: string
  /** JSON, without line breaks: the text of its row, which nobody on the way has to parse. */
  properties: string
  createdAt: number
  /** When its row was last written. */
  updatedAt: number
  lastSeenAt: number | null
  isIdentified: boolean
  deleted: boolean
}

/** The person that owns a distinct id's events; null: unowned since. */
export interface DistinctIdProjection {
  projectId: number
  distinctId: string
  personId: number | null
}

/** An event as its transaction hands it on. */
export interface OutboxEvent extends Omit<StoredEvent, 'seq'> {
  /** Who owns its distinct id after the transaction; null: nobody. Undefined: a version that did not say so wrote it. */
  personId?: number | null | undefined
}

export interface OutboxContent {
  events: OutboxEvent[]
  persons: PersonProjection[]
  distinctIds: DistinctIdProjection[]
  /**
   * The events' owners are those after all changes up to this number; a later one with a number below the batch's own may
   * be unknown to it. Null or absent: there is none.
   */
  ownersAt?: number | null
  /** Of its events: the place of each in the batch that they were captured with. Absent: they are all of it, in order. */
  places?: number[]
}

interface OutboxHead {
  /** UUIDv7; never a row number, because SQLite reuses those. */
  id: string
  seq: number
}

/** A batch as its transaction adds it. */
export interface NewOutboxBatch extends OutboxHead, OutboxContent {}

/** A batch in the outbox: serialised once, by the transaction, for the event store. */
export interface OutboxBatch extends OutboxHead {
  /** The content, as the stores serialise it; empty when it cannot be read. */
  text: string
  /** It is applied in parts only, because some of them may be applied already. */
  inParts?: true
  /** It is a part of the batch with this id. */
  partOf?: string
  /** Absent: nobody else may apply it, and some of it may be stored already. */
  claim?: Claim
  /** To be awaited before anything of it is stored, each time: rejects when another process may be about to. */
  hold?: () => Promise<void>
}

/** Rows of the outbox that one process has taken, to apply them together. */
interface Claim {
  /** UUIDv7; the same when rows that were claimed together are claimed again. */
  shipment: string
  /** Higher each time that they are claimed. */
  attempt: number
  /** When the row was last about to be sent to the event store; null: never, so nothing of it is stored. */
  sentAt: number | null
}

export interface ClaimRequest {
  now: number
  /** Until then nobody else gets them. */
  until: number
  /** Most rows, and most bytes unless a row alone has more. */
  rows: number
  bytes: number
}

/** A row that was claimed, yet to be read. */
export interface ClaimedRow extends Omit<OutboxBatch, 'text' | 'hold'> {
  claim: Claim
}

/** Rows as they were claimed: by one claim, and by none since. */
export interface HeldRows {
  ids: string[]
  attempt: number
}

/** A batch that the event store refuses, with the error; it waits for an operator. */
export interface ParkedBatch extends OutboxHead {
  /** Null when it cannot be read. */
  projectId: number | null
  events: number
  /** Changes to the people projection. */
  changes: number
  error: string
  /** When its transaction was committed, or when it was last retried. */
  createdAt: number
  parkedAt: number
}

export interface NewParkedBatch extends Pick<ParkedBatch, 'id' | 'projectId' | 'events' | 'changes' | 'error'> {
  /** Null: the row's own, unchanged. */
  text: string | null
}

export type ParkedContent = Pick<ParkedBatch, 'events' | 'changes' | 'error'> & { text: string }

export interface ParkedText extends OutboxHead {
  projectId: number | null
  text: string
}

/** A row as whoever follows the outbox sees it, whether it was applied or not. */
export interface AddedRow extends OutboxHead {
  /** Compressed ones. */
  bytes: number
}

export interface AddedRows {
  rows: AddedRow[]
  /** No row that a `peopleTransaction` adds will have this number or a lower one. */
  settled: number
}

interface OutboxBacklog {
  /** How many rows wait. */
  length: number
  /** How many of them were applied before, and wait only because the event store may have lost them. */
  again: number
  /** When the oldest one was written; null when there is none. */
  oldestAt: number | null
  /** Of all changes that wait; null when there is none. */
  lowestSeq: number | null
}

/** Neither parked batches nor rows that are kept after they were applied are included unless stated. */
export interface OutboxReader {
  /** Ids of all rows visible now. */
  pending(): Promise<string[]>
  backlog(): Promise<OutboxBacklog>
  /** The oldest rows, at most `limit`, of those with an id after `after`. */
  peek(limit: number, after?: string): Promise<OutboxBatch[]>
  /** The same rows with their content; one that is gone by now is left out. */
  read(rows: ClaimedRow[]): Promise<OutboxBatch[]>
  /** Rows with a greater number, in its order, with those that are kept after they were applied; the last `limit` of them. */
  addedSince(seq: number, limit: number): Promise<AddedRows>
  /** The content of rows by id, also of those that are kept; one that is gone is left out. */
  textsOf(ids: string[]): Promise<Map<string, string>>
  /** How many batches are parked: all, or those that a project's events may be in. */
  parkedCount(projectId?: number): Promise<number>
  /** Last parked first. */
  parked(page: { limit: number; offset: number }): Promise<{ count: number; items: ParkedBatch[] }>
  /** Changes whenever a batch is parked or retried. */
  parkedVersion(): Promise<number>
}

/** How rows are taken to be applied, where several processes apply them, and how they leave the outbox. */
export interface OutboxClaims {
  /**
   * Takes rows to apply them: those of a shipment that did not end, all but what another is taking at this very moment, or
   * the oldest of those that nobody ever took. None while others hold them.
   */
  claim(request: ClaimRequest): Promise<ClaimedRow[]>
  /** Keeps them for longer, about to send them; false when another has claimed one of them, or has applied it. */
  hold(rows: HeldRows, times: Pick<ClaimRequest, 'now' | 'until'>): Promise<boolean>
  /** Others may claim these from this instant on; those that another has claimed stay its own. */
  giveBack(rows: HeldRows, from: number): Promise<void>
  /** As `remove`, but the rows are kept, as the event store may yet lose them. */
  markApplied(ids: string[], now: number): Promise<void>
  /**
   * Rows that are kept wait again, to be applied as far as they are missing; returns how many. They are claimed with those
   * that they were claimed with before, or many at once.
   */
  applyAgain(keepShipments: boolean): Promise<number>
  /** Removes up to `limit` rows that were applied before this instant; returns how many. */
  removeApplied(appliedBefore: number, limit: number): Promise<number>
}

export interface OutboxWriter extends OutboxReader, OutboxClaims {
  /** The next number of the sequence that orders all changes to people and events. */
  nextSeq(): Promise<number>
  /**
   * A number up to which all changes to the people of its projects are visible to the rest of a `peopleTransaction`. Null
   * where one transaction runs at a time: there all are.
   */
  seenSeq(): Promise<number | null>
  /** Must be the last statement of its transaction. */
  add(batch: NewOutboxBatch, now: number): Promise<void>
  /** The event store has applied them. Ids that are gone already are no error. */
  remove(ids: string[]): Promise<void>
  /** From now on the row is read with `inParts`. */
  beginParts(id: string): Promise<void>
  /**
   * Replaces the row by these parked batches, without the data of persons deleted meanwhile. A row that is gone already
   * is no error: nothing is parked then.
   */
  park(id: string, refused: NewParkedBatch[], now: number): Promise<void>
  /** Puts a parked batch back into the outbox; false when there is none with that id. */
  unpark(id: string, now: number): Promise<boolean>
  /** Parked batches with an id after `after`, by id; of one project, or of all, unreadable ones included. */
  parkedTexts(choice: { projectId?: number | undefined; after: string; limit: number }): Promise<ParkedText[]>
  /** Replaces the content of a parked batch and its error, which may quote the old content. */
  rewriteParked(id: string, content: ParkedContent): Promise<void>
  removeParked(ids: string[]): Promise<void>
  /** Removes the data of these persons from parked batches; that they were deleted may stay. */
  forgetParkedPersons(projectId: number, personIds: number[]): Promise<void>
}
