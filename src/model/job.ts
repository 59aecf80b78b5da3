/**
 * Background jobs: one row each, claimed with a lease by a process that has a worker for its kind. A row stays until its
 * work is done; a job that can never succeed is parked with its error and waits for an operator.
 */

/** The kind of job by which the command line starts deletions in a running server; its payload is `{ projectId }`. */
export const RUN_DELETIONS = 'run-deletions'

/** The kind of job that clears a removed project; its payload is `{ projectId }`. */
export const CLEAR_PROJECT = 'clear-project'

/** The kind of job that removes what is left of a deleted person's property history; its payload is `{ personId }`. */
export const CLEAR_HISTORY = 'clear-history'

/** The kind of job that brings the property history of an earlier version into the present format; it has no payload. */
export const REFORMAT_HISTORY = 'reformat-history'

/** The kind of job that truncates the SQL store's write-ahead log, which still holds deleted data; it has no payload. */
export const TRUNCATE_LOG = 'empty-log'

/** The kind of job by which the command line has a running server make a backup; its payload is `{ folder }`. */
export const MAKE_BACKUP = 'make-backup'

export interface NewJob {
  kind: string
  /** Identifies the work within its kind: the same key is the same work. */
  key: string
  /** Removed with this project; null: belongs to none. */
  projectId: number | null
  /** As JSON. */
  payload: unknown
  /** The earliest time to run. */
  runAt: number
}

export interface Job extends NewJob {
  id: number
  /** How often it was started, this time included. */
  attempts: number
  /** The last error; null: none yet. */
  error: string | null
}

export interface ParkedJob extends Job {
  parkedAt: number
}

export interface JobClaim {
  kinds: string[]
  now: number
  /** The claiming process: a name that no other process has. */
  owner: string
  leaseMs: number
  limit: number
}

interface JobBacklog {
  /** Due and not parked, running ones included. */
  due: number
  /** Since when the oldest of them has been due; null when there is none. */
  oldestAt: number | null
  parked: number
}

export interface JobReader {
  /** Null when it is done, or was never added. */
  find(kind: string, key: string): Promise<Job | ParkedJob | null>
  /** Which of these kinds have something to claim. */
  dueKinds(kinds: string[], now: number): Promise<string[]>
  /** Last parked first. */
  parked(page: { limit: number; offset: number }): Promise<{ count: number; items: ParkedJob[] }>
  backlog(now: number): Promise<JobBacklog>
  /** The newest tick of each recurring work, by its name. */
  ticks(): Promise<Map<string, number>>
}

/** The methods that take an owner return false, and change nothing, when that owner has lost the lease. */
export interface JobWriter extends JobReader {
  /** False when there is a job of that kind and key, in any state; then nothing is written. */
  add(job: NewJob): Promise<boolean>
  /**
   * Due jobs that are neither parked nor under another process's valid lease, earliest first. Each is leased to the owner
   * until `now + leaseMs` and counts an attempt. No other process can claim it until then.
   */
  claim(claim: JobClaim): Promise<Job[]>
  extend(id: number, owner: string, until: number): Promise<boolean>
  /** It is done: the row is deleted, and its key is free again. */
  complete(id: number, owner: string): Promise<boolean>
  /** To be run again, not before `runAt`. */
  retry(id: number, owner: string, next: { runAt: number; error: string }): Promise<boolean>
  park(id: number, owner: string, end: { now: number; error: string }): Promise<boolean>
  /** Returned unchanged: the attempt does not count. */
  release(id: number, owner: string): Promise<boolean>
  /** A parked job is due again, with all its attempts; false when there is none with that id. */
  unpark(id: number, now: number): Promise<boolean>
  /**
   * Records the newest tick of recurring work; false when that tick, or a later one, was recorded already. One after
   * `latest` does not count: it was recorded before the clock went back.
   */
  advanceTick(name: string, tick: number, latest: number): Promise<boolean>
  /** The clock went back to `now` by `by` milliseconds: run times and leases are moved back by the same amount. */
  moveBack(now: number, by: number): Promise<void>
  /** Removes the jobs of a kind that became due before `runAt` and are not running, parked ones too. */
  supersede(kind: string, runAt: number, now: number): Promise<void>
}

export interface Lease {
  /** The time when jobs of this kind were last claimed. Destructive work uses it instead of the clock. */
  now: number
  /** Aborted when the lease is lost or the process is stopping. A worker that then throws releases the job. */
  signal: AbortSignal
  /**
   * Completes the job in the worker's own transaction, so that its result and its completion are committed together or
   * not at all; false when the lease was lost. `run` has to throw when that transaction was not committed.
   */
  complete(jobs: Pick<JobWriter, 'complete'>): Promise<boolean>
}

/** Runs jobs of one kind. */
export interface Worker {
  kind: string
  /** It removes expired data: not started while the clock is not trusted. */
  destructive?: boolean
  /** How many may run at once in a process. */
  atOnce: number
  /** Parked after this many attempts. */
  maxAttempts: number
  /** Delay in milliseconds after attempt number `attempt` (from 1) has failed; jitter shortens it by up to a fifth. */
  backoff: (attempt: number) => number
  /** Throws when it has to be retried; `Unworkable` (lib/errors.ts) when a retry would never help. */
  run: (job: Job, lease: Lease) => Promise<void>
}
