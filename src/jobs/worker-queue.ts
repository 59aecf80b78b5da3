/**
 * The jobs of one kind that this process has claimed: up to the worker's `atOnce` running, the others waiting under
 * their lease, so that claims come in batches. Each ends in exactly one way: completed (the row is deleted), retried
 * later, parked, or released. If the lease was lost meanwhile, nothing is written: its new owner decides.
 */

import { errorText, Unworkable } from '../lib/errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Job, JobWriter, Lease, Worker } from '../model/job.ts'

/** What is written when a job ends; false when the lease was lost. */
export type Ending = (jobs: JobWriter) => Promise<boolean>

export interface WorkerQueueParts {
  /** Writes how a job ended; those that end together share a commit. */
  settle: (ending: Ending) => Promise<boolean>
  clock: Clock
  owner: string
  /** From 0 to 1, for the jitter of retries. */
  random: () => number
  /** An attempt failed; `parked`: it was the last. */
  failed: (job: Job, error: unknown, parked: boolean) => void
  /** The end of a job could not be written; its lease expires and it runs again. */
  unsaved: (error: unknown) => void
  /** Called when the queue can take more jobs. */
  idle: () => void
}

/** Retries come up to a fifth earlier than the worker's back-off, so that jobs that failed together are spread out. */
const JITTER = 0.2

export class WorkerQueue {
  readonly worker: Worker
  readonly #parts: WorkerQueueParts
  readonly #waiting: Job[] = []
  #claimedAt = 0
  readonly #running = new Map<Job, { stop: AbortController; done: Promise<void> }>()

  constructor(worker: Worker, parts: WorkerQueueParts) {
    this.worker = worker
    this.#parts = parts
  }

  /** Every job under a lease of this process. */
  held(): Job[] {
    return [...this.#waiting, ...this.#running.keys()]
  }

  hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#running.size < this.worker.atOnce
  }

  /**
   * Takes the jobs claimed at `now`, and returns how many are new. A job that is held already was claimed again because
   * its lease expired through a jump of the clock: it simply continues.
   */
  take(jobs: Job[], now: number): number {
    const held = new Set(this.held().map(({ id }) => id))
    const fresh = jobs.filter(({ id }) => !held.has(id))
    this.#claimedAt = now
    this.#waiting.push(...fresh)
    this.#pump()
    return fresh.length
  }

  /** The lease was lost: a running job gets its abort signal, a waiting one is dropped. */
  lose(job: Job): void {
    const at = this.#waiting.indexOf(job)
    if (at >= 0) this.#waiting.splice(at, 1)
    this.#running.get(job)?.stop.abort(new Error('The lease was lost.'))
  }

  /** Resolves when nothing runs or waits. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Releases jobs that have not started, aborts the running ones and waits for them. */
  async stop(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort(new Error('The server stops.'))
    const back = this.#waiting.splice(0).map((job) => this.#settle((jobs) => jobs.release(job.id, this.#parts.owner)))
    await Promise.all(back)
    await this.drained()
  }

  #pump(): void {
    while (this.#running.size < this.worker.atOnce) {
      const job = this.#waiting.shift()
      if (!job) break
      const stop = new AbortController()
      const done = this.#attempt(job, stop.signal).finally(() => {
        this.#running.delete(job)
        this.#pump()
        if (this.hasRoom()) this.#parts.idle()
      })
      this.#running.set(job, { stop, done })
    }
  }

  async #attempt(job: Job, signal: AbortSignal): Promise<void> {
    const { owner } = this.#parts
    if (job.attempts > this.worker.maxAttempts) {
      // An attempt was counted but its end never written: the process died in it.
      const error = job.error ?? `It was begun ${job.attempts - 1} times and never ended.`
      return this.#fail(job, new Unworkable(error))
    }
    let isCompleted = false
    const complete: Lease['complete'] = (jobs) => {
      isCompleted = true
      return jobs.complete(job.id, owner)
    }
    try {
      await this.worker.run(job, { signal, complete, now: this.#claimedAt })
    } catch (error) {
      if (signal.aborted) return this.#settle((jobs) => jobs.release(job.id, owner))
      return this.#fail(job, error)
    }
    if (!isCompleted) await this.#settle((jobs) => jobs.complete(job.id, owner))
  }

  #fail(job: Job, cause: unknown): Promise<void> {
    const { owner, clock, random, failed } = this.#parts
    const error = errorText(cause)
    const parked = cause instanceof Unworkable || job.attempts >= this.worker.maxAttempts
    failed(job, cause, parked)
    if (parked) return this.#settle((jobs) => jobs.park(job.id, owner, { now: clock.now(), error }))
    const wait = Math.ceil(this.worker.backoff(job.attempts) * (1 - JITTER * random()))
    return this.#settle((jobs) => jobs.retry(job.id, owner, { runAt: clock.now() + wait, error }))
  }

  async #settle(ending: Ending): Promise<void> {
    try {
      await this.#parts.settle(ending)
    } catch (error) {
      this.#parts.unsaved(error)
    }
  }
}
