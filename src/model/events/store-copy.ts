/** A copy of the event store as of one moment, made while the store goes on working: the events' part of a backup. */

import type { EventStore } from './event.ts'

/** Rows of each table of the copy. */
export type RowCounts = Record<string, number>

export interface Copying {
  /**
   * Begins a copy in a file, which must not exist, and does most of it. When it resolves, nothing is written to the
   * store until `finishCopy` or `dropCopy`, so the caller has to call one of them at once: what it reads elsewhere in
   * between belongs to the same moment as the copy. One copy at a time; a second one waits. It rejects soon after
   * `signal` is aborted, and then nothing is left of the file.
   */
  beginCopy(file: string, signal?: AbortSignal): Promise<void>
  /** Writes go on at once. When it resolves, the file is complete, synced to disk and closed. */
  finishCopy(): Promise<RowCounts>
  /** Abandons the copy that was begun, if any, and removes the file. */
  dropCopy(): Promise<void>
}

/** An event store that is part of the data folder. */
export interface EmbeddedEventStore extends EventStore, Copying {}
