/**
 * Work for later: one row each, claimed with a lease by whoever has a worker for its kind. A row is there until its
 * work is done; one that can never be done is parked with its error and waits for a person.
 */

/** The kind of job by which the command line asks a running server; its payload is `{ projectId }`. */
export const RUN_DELETIONS = 'run-deletions'

/** The kind of job that clears a removed project; its payload is `{ projectId }`. */
export const CLEAR_PROJECT = 'clear-project'

/** The kind of job that removes what is left of a deleted person's property history; its payload is `{ personId }`. */
export const CLEAR_HISTORY = 'clear-history'

/** The kind of job that empties the SQL store's log of what was deleted; it has no payload. */
export const TRUNCATE_LOG = 'empty-log'

export interface NewJob {
  kind: string
  /** Names the work within its kind: the same key twice is the same work. */
  key: string
  /** Goes with this project; null: nobody's. */
  projectId: number | null
  /** As JSON. */
  payload: unknown
  /** Not before. */
  runAt: number
}

export interface Job extends NewJob {
  id: number
  /** How often it was begun, this time included. */
  attempts: number
  /** What went wrong last; null: nothing yet. */
  error: string | null
}

export interface ParkedJob extends Job {
  parkedAt: number
}

export interface JobClaim {
  kinds: string[]
  now: number
  /** Who claims: a name that no other process has. */
  owner: string
  leaseMs: number
  limit: number
}

interface JobBacklog {
  /** Due and not parked, those being worked on included. */
  due: number
  /** Since when the oldest of them has been due; null when there is none. */
  oldestAt: number | null
  parked: number
}

export interface JobReader {
  /** Null when it is done, or never was. */
  find(kind: string, key: string): Promise<Job | ParkedJob | null>
  /** Which of these kinds have something to claim. */
  dueKinds(kinds: string[], now: number): Promise<string[]>
  /** Last parked first. */
  parked(page: { limit: number; offset: number }): Promise<{ count: number; items: ParkedJob[] }>
  backlog(now: number): Promise<JobBacklog>
  /** The newest tick of all that recurs; null when there was none. */
  lastTick(): Promise<number | null>
}

/** The methods that take an owner give false, and change nothing, when the lease is not that owner's any more. */
export interface JobWriter extends JobReader {
  /** False when there is a job of that kind and key, whatever its state; then nothing is written. */
  add(job: NewJob): Promise<boolean>
  /**
   * What is due, neither parked nor under another's running lease, earliest first. Each is leased to the owner until
   * `now + leaseMs` and counts an attempt. Nobody else can claim it until then.
   */
  claim(claim: JobClaim): Promise<Job[]>
  extend(id: number, owner: string, until: number): Promise<boolean>
  /** It is done: the row goes, and its key is free again. */
  complete(id: number, owner: string): Promise<boolean>
  /** Once more, not before `runAt`. */
  retry(id: number, owner: string, next: { runAt: number; error: string }): Promise<boolean>
  park(id: number, owner: string, end: { now: number; error: string }): Promise<boolean>
  /** Given back as it was: the attempt does not count. */
  release(id: number, owner: string): Promise<boolean>
  /** A parked job is due again, with all its attempts; false when there is none with that id. */
  unpark(id: number, now: number): Promise<boolean>
  /**
   * Notes the newest tick of a recurring thing; false when that tick, or a later one, was there already. One after
   * `latest` does not count: it was taken before the clock went back.
   */
  advanceTick(name: string, tick: number, latest: number): Promise<boolean>
  /** The clock went back to `now` by so many milliseconds: what waits, and each lease, waits no longer for that. */
  moveBack(now: number, by: number): Promise<void>
  /** Removes the jobs of a kind that became due before `runAt` and are not being worked on, parked ones too. */
  supersede(kind: string, runAt: number, now: number): Promise<void>
}

export interface Lease {
  /** What the clock said when work of this kind was last claimed. Destructive work goes by it, not by the clock. */
  now: number
  /** Aborted when the lease is lost or the process wants to stop. Whoever then throws has given the job back. */
  signal: AbortSignal
  /**
   * Completes the job in a transaction of the worker's own, so that its result and its end are there together or not at
   * all; false when the lease was lost. `run` has to throw when that transaction did not hold.
   */
  complete(jobs: Pick<JobWriter, 'complete'>): Promise<boolean>
}

/** Does one kind of work. */
export interface Worker {
  kind: string
  /** It removes data because its time has come: not begun while the clock is not believed. */
  destructive?: boolean
  /** How many of them may run at once in a process. */
  atOnce: number
  /** Parked after so many. */
  maxAttempts: number
  /** How long to wait, in milliseconds, after the `attempt`-th (from 1) has failed; up to a fifth less is waited. */
  backoff: (attempt: number) => number
  /** Throws when it has to be done again; `Unworkable` (lib/errors.ts) when that would never help. */
  run: (job: Job, lease: Lease) => Promise<void>
}
