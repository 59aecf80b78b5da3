/**
 * What an event store hands over when it is copied: its rows as they were captured, with the numbers that order them; what
 * each engine derives from them, the target makes anew. Of people and distinct ids there is the newest row only, as no other
 * counts.
 */
import type { DistinctIdProjection } from '../../model/events/outbox.ts'
import type { StoreStamp } from '../../model/installation.ts'
import type { WrittenEvent, WrittenPerson } from '../outbox/batch-text.ts'
import { type Sums, sameJson } from './sums.ts'

/** `personId` is who owns its distinct id now; null: nobody. */
export interface MovedEvent extends WrittenEvent {
  personId: number | null
  seq: number
  /** With `seq` it is the event's own; of events of one instant and `seq` it is the order. */
  place: number
}

export interface MovedPerson extends WrittenPerson {
  seq: number
}

export interface MovedId extends DistinctIdProjection {
  seq: number
}

export interface MovedRows {
  persons: MovedPerson
  distinct_ids: MovedId
  events: MovedEvent
}

/** In the order in which they are copied: an event finds the owner of its id there. */
export const MOVED = ['persons', 'distinct_ids', 'events'] as const satisfies (keyof MovedRows)[]

/** Rows of a page at most. */
export const ROWS_AT_ONCE: Record<keyof MovedRows, number> = { persons: 5_000, distinct_ids: 20_000, events: 20_000 }

/** Rows that are held, and stored, together. */
export interface MovedPage<T> {
  rows: T[]
  /** Where the next page begins: a text that only the engine reads. */
  next: string
}

/** A store that nobody changes meanwhile, page by page. */
export interface EventsWalk {
  count(kind: keyof MovedRows): Promise<number>
  pages<K extends keyof MovedRows>(kind: K, from: string | null): AsyncIterable<MovedPage<MovedRows[K]>>
  close(): Promise<void>
}

export interface WalkOptions {
  /** Of events: that of their distinct ids now, or what their own rows say, as in a new copy. */
  owners: 'current' | 'stored'
  /** By `seq`: places that events of the same batch have which are not stored yet. */
  takenPlaces: Map<number, number>
}

/** A store that is being made. */
export interface EventsFill {
  /** Whether it has anything of any installation. */
  isEmpty(): Promise<boolean>
  /** What was noted last; null: nothing yet. */
  noted(): Promise<string | null>
  note(text: string): Promise<void>
  /**
   * Stores rows, then notes. When it was cut off, the same rows come again, as the first ones: what is there already is not
   * stored twice.
   */
  add<K extends keyof MovedRows>(kind: K, rows: MovedRows[K][], note: string): Promise<void>
  stamp(): Promise<StoreStamp | null>
  /** All rows are there: they belong to this installation, and nothing is noted any more. */
  finish(stamp: StoreStamp): Promise<void>
  close(): Promise<void>
}

const MICROS = 1_000
const microsOf = (instant: number | null): number | null => (instant === null ? null : Math.round(instant * MICROS))

/** A session id that an engine may have instead of none. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** What is compared of each. */
const VALUES: { [K in keyof MovedRows]: (row: MovedRows[K]) => unknown[] } = {
  persons: (row) => [
    row.personId,
    row.seq,
    row.uuid,
    sameJson(row.properties),
    microsOf(row.createdAt),
    microsOf(row.updatedAt),
    microsOf(row.lastSeenAt),
    row.isIdentified,
    row.deleted,
  ],
  distinct_ids: (row) => [row.distinctId, row.personId, row.seq],
  events: (row) => [
    row.seq,
    row.uuid,
    row.event,
    row.distinctId,
    row.personId,
    microsOf(row.timestamp),
    row.sessionId === NO_SESSION ? null : row.sessionId,
    sameJson(row.properties),
  ],
}

/** In sums: the SQL store has tables of these names too. */
const nameOf = (kind: keyof MovedRows): string => (kind === 'events' ? kind : `${kind} of events`)

export function addMoved<K extends keyof MovedRows>(sums: Sums, kind: K, rows: MovedRows[K][]): void {
  for (const row of rows) sums.add(nameOf(kind), row.projectId, VALUES[kind](row))
}
