/**
 * The state of the store: how many events were ever appended, how far the index by distinct id reaches, and how many
 * rows wait to be sorted or folded. Read once when the store opens; changed only by committed transactions of the one
 * writer.
 */
import type { SerialQueue } from '../../lib/concurrency/serial-queue.ts'
import { READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import { COLUMN_LIMITS } from '../common-keys.ts'
import type { DataVersions } from './data-versions.ts'
import type { Database } from './database.ts'
import type { OrdRange } from './properties/key-blocks.ts'
import type { KnownPersonProperties } from './properties/person-columns.ts'
import type { KnownProperties } from './properties/property-columns.ts'

/** Sizes at which the store sorts, folds or widens a search; small numbers make every path run in a test. */
export interface Limits {
  /** Number of events that are sorted into a piece of `recent_moments`: few enough to scan unsorted. */
  pieceEvents: number
  /** Number of rows of `recent_moments` that are sorted into a run of `moments`: sixteen row groups. */
  runEvents: number
  /** Number of rows of both `fresh_` tables at which they are folded, each at its half of it. */
  foldRows: number
  /** Number of sessions that are listed. */
  listedSessions: number
  /** About how many sessions have their properties compared at once. */
  sessionsAtOnce: number
  /**
   * The newest session or event is first searched in this many of the latest events; a store with fewer is scanned
   * whole.
   */
  recentEvents: number
  /** Number of events that are looked at together for their keys (see properties/key-blocks.ts): of fewer the JSON is read. */
  blockEvents: number
  /** Number of events or people whose columns are filled in one transaction, which batches wait for. */
  fillEvents: number
  /** Number of events that a project has in a block before its keys may get columns. */
  commonEvents: number
  /** So large a part of a key's values has to be of one kind: those of others are only in the JSON. */
  kindShare: number
  /** Of the whole store: how many keys have columns, and how many bytes the values of an event may take there. */
  columns: number
  columnBytes: number
  allColumnBytes: number
  /** The same of people. */
  commonPersons: number
  personColumns: number
  personColumnBytes: number
  allPersonColumnBytes: number
  /** Number of folded rows of people at which their keys are looked at. */
  lookPersons: number
  /** Number of events of an earlier version that get their actors in one transaction. */
  actorEvents: number
  /** Number of overrides at which they are written into the events, and of events that are looked at in one transaction. */
  overrides: number
  foldEvents: number
  /** Time limit of a list, a count or a look-up, in milliseconds. */
  readMs: number
}

export const LIMITS: Limits = {
  pieceEvents: 32_768,
  runEvents: 491_520,
  foldRows: 50_000,
  listedSessions: 100_000,
  sessionsAtOnce: 20_000,
  recentEvents: 100_000,
  blockEvents: 7_680,
  fillEvents: 7_680,
  commonEvents: COLUMN_LIMITS.events.fewestRows,
  kindShare: 0.95,
  columns: COLUMN_LIMITS.events.room.columns,
  columnBytes: COLUMN_LIMITS.events.valueBytes,
  allColumnBytes: COLUMN_LIMITS.events.room.bytes,
  commonPersons: COLUMN_LIMITS.persons.fewestRows,
  personColumns: COLUMN_LIMITS.persons.room.columns,
  personColumnBytes: COLUMN_LIMITS.persons.valueBytes,
  allPersonColumnBytes: COLUMN_LIMITS.persons.room.bytes,
  lookPersons: 10_000,
  actorEvents: 30_720,
  overrides: 5_000,
  foldEvents: 983_040,
  readMs: READ_LIMIT_MS,
}

export interface Progress {
  /** The `ord` of the last event appended; 0 when there is none. */
  lastOrd: number
  /** Events up to this `ord` are in `moments` or `recent_moments`, later ones are not. */
  indexedOrd: number
  recentMoments: number
  freshPersons: number
  freshDistinctIds: number
  /** Rows of `persons` that were folded since their keys were last looked at. */
  unseenPersons: number
  /** At most so many rows of `persons` lack values in columns. */
  unfilledPersons: number
  /** The highest id among the long texts; 0 when there is none. */
  lastLongId: number
  /** The highest `seq` of a batch. */
  lastSeq: number
  /** Of ids of which no row waits to be folded. */
  overrides: number
}

/** What every part of the store works with. */
export interface Parts {
  database: Database
  progress: Progress
  /** Changed only by committed transactions of the one writer. */
  versions: DataVersions
  properties: KnownProperties
  personProperties: KnownPersonProperties
  actors: {
    /** Events of an earlier version that have no actor yet. */
    unfilled: OrdRange | null
    /** While overrides are written into the events: those that have yet to be looked at. */
    overridesLeft: OrdRange | null
  }
  limits: Limits
  /** How often rows of events were removed since the store was opened. */
  removals: number
  /** Removals: one at a time, and none while a copy is made that must not be disturbed. */
  removing: SerialQueue
  /** Copies of the whole store, for a rewrite or a backup: one at a time. */
  copies: SerialQueue
  /** Of housekeeping: the place of the next step, and how often each has failed since it last succeeded. */
  turns: { next: number; failures: number[] }
}
