/** Removing events for good: what is asked of the event store, and what it tells. */

export interface ErasureRequest {
  /** Of the request to delete; several have one id when their ids differ in the cut-off. */
  id: number
  projectId: number
  personId: number
  /** Whose events go. */
  distinctIds: string[]
  /** Events with a `seq` up to this one go, later ones stay. */
  cutoffSeq: number
}

/** What a request has removed in all, over every time it was carried out. */
export interface Erased {
  /** Of the request; those under one id have the same counts, the sum of all. */
  id: number
  events: number
  /** Sessions of these events that have no event left; one that two requests share counts for the first. */
  sessions: number
}

/** Bytes of the store's file. */
export interface Compaction {
  before: number
  after: number
}

export interface Erasing {
  /**
   * Carries out all requests in one transaction: the events, what is computed from them, and the projection of those
   * persons that were deleted by then. An event that several ask for counts for the one with the lowest cut-off.
   * A second time it finds nothing more; the counts of the first time are not lost, whatever was cut off in between.
   */
  erase(requests: ErasureRequest[]): Promise<Erased[]>
  /** Removes the project's events from before this instant in one transaction; how many went. */
  removeBefore(projectId: number, instant: number): Promise<number>
  /** Forgets the counts of all requests but these. */
  forgetErased(except: number[]): Promise<void>
  /**
   * Leaves nothing of removed rows on the disk: the file is written anew when any were removed since it last was, or
   * when a quarter of it is waste; null when there was no need. It rejects when rows are removed again and again.
   * Reads go on, and so do writes but for a moment at the end. Nothing is lost when it is cut off at any point; it
   * rejects soon after `signal` is aborted.
   */
  compact(signal?: AbortSignal): Promise<Compaction | null>
}
