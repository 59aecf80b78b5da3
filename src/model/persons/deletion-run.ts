/**
 * Runs of event deletions: what each is doing, and what the last one did. There is one under way at most, as runs take
 * turns. One that was cut off goes on as the same run when its work is begun again.
 */

export type RunPhase = 'draining' | 'deleting' | 'compacting'

export interface DeletionRunCounts {
  /** Requests carried out; each is of one person. */
  persons: number
  events: number
  sessions: number
  /** Deleted before, together with these requests. */
  recordings: number
}

export interface DeletionRun {
  id: number
  startedAt: number
  /** The one it is in, or was in at last. */
  phase: RunPhase
  phaseSince: number
  /** When its process last said that it works on it. */
  seenAt: number
  /** False when it has ended, finished or not; a process that was killed leaves it true. */
  isUnderWay: boolean
  finishedAt: number | null
  /** By the event store, for all projects together; null when it is not known. */
  bytesFreed: number | null
  /** Of one project. */
  counts: DeletionRunCounts
}

/** Of the runs that concern a project: those of all projects, and those that were started for it alone. */
interface LatestRuns {
  newest: DeletionRun | null
  /** The last one that came to its end. */
  finished: DeletionRun | null
}

export interface DeletionRunReader {
  latest(projectId: number): Promise<LatestRuns>
}

export interface DeletionRunWriter extends DeletionRunReader {
  /**
   * Begins a run of one project or, with null, of all; or goes on with the one of the same that did not finish. `phase`:
   * the one in which that was cut off; null for a new run.
   */
  begin(projectId: number | null, at: number): Promise<{ id: number; phase: RunPhase | null }>
  /** Also says that it is alive. */
  enter(id: number, phase: RunPhase, at: number): Promise<void>
  /** Says that it is alive. */
  see(id: number, at: number): Promise<void>
  /** Adds to the counts of a project. */
  count(id: number, projectId: number, counts: DeletionRunCounts): Promise<void>
  /** It has ended without having finished. */
  leave(id: number, at: number): Promise<void>
  /** It came to its end. Earlier runs that are nobody's last any more are forgotten. */
  finish(id: number, done: { at: number; bytesFreed: number | null }): Promise<void>
}
