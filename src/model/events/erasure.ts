/** Permanent deletion of events: requests to the event store, and its results. */

export interface ErasureRequest {
  /** Of the deletion; several requests share an id when their distinct ids have different cut-offs. */
  id: number
  projectId: number
  personId: number
  /** Whose events are deleted. */
  distinctIds: string[]
  /** Events with a `seq` up to this one are deleted, later ones stay. */
  cutoffSeq: number
}

/** What a request has deleted in total, over all its runs. */
export interface Erased {
  /** Of the request; requests with one id have the same counts, the sum of all. */
  id: number
  events: number
  /** Sessions of these events that have no event left; a session of two requests counts for the first. */
  sessions: number
}

/** Bytes that the events take on the disk. */
export interface Compaction {
  before: number
  after: number
}

export interface Erasing {
  /** Resolves when all that was committed before the call has been applied; `unavailable` when that takes too long. */
  caughtUp(): Promise<void>
  /**
   * Executes all requests: deletes the events, what is computed from them, and the projection of persons that were deleted
   * by then. An event of several requests counts for the one with the lowest cut-off. When it resolves, all of it is gone;
   * a crash leaves all or a part, and the next run deletes the rest. A second run deletes nothing more and has the counts
   * of the first, whether that was cut off or not.
   */
  erase(requests: ErasureRequest[]): Promise<Erased[]>
  /** Removes the project's events from before this instant; returns how many. After a crash, those that were left. */
  removeBefore(projectId: number, instant: number): Promise<number>
  /** Forgets the counts of all requests but these. */
  forgetErased(except: number[]): Promise<void>
  /**
   * Leaves nothing of removed rows on the disk, at once or within minutes where the engine itself removes what it has
   * written anew; `after` is the size from then on. Null when nothing was or is to be freed. An engine that never does so by
   * itself rewrites its file if any rows were removed since the last rewrite, or if a quarter of it is unused; it rejects
   * if rows keep being removed meanwhile. Reads continue, and so do writes except for a moment at the end. A crash at any
   * point loses nothing; it rejects soon after `signal` is aborted.
   */
  compact(signal?: AbortSignal): Promise<Compaction | null>
  /**
   * Where owners of ids are kept beside the events once they have changed, and are many: writes them into the events, so that
   * questions have less to look up. No answer changes. Not while events are removed; it rejects soon after `signal` is aborted.
   */
  foldOwners(signal?: AbortSignal): Promise<void>
}
