/**
 * Runs the due jobs of the SQL store, and adds the jobs of recurring work. Modes: made (only `runDue` runs
 * anything), started (polls every second, and at once after `wake` or the end of a job), stopped.
 *
 * Timers only decide when to poll; the injected clock decides what is due, and while it is not trusted no destructive
 * job starts (clock-watch.ts). A process may die at any point: its
 * leases expire, and another process, or its next start, repeats the work, so workers must be idempotent.
 */
import { randomUUID } from 'node:crypto'
import { groupCommits } from '../lib/concurrency/group-commit.ts'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE, SECOND } from '../lib/time/time.ts'
import type { Job, Worker } from '../model/job.ts'
import type { QueueWriters, SqlStores } from '../model/stores.ts'
import type { ClockWatch } from './clock-watch.ts'
import { type Recurring, Ticks, workerOf } from './recurring.ts'
import { type Ending, WorkerQueue } from './worker-queue.ts'

export interface RunnerParts {
  stores: Pick<SqlStores, 'jobs' | 'queueTransaction'>
  clock: Clock
  /** The time, and whether the clock is trusted. */
  watch: Pick<ClockWatch, 'look' | 'hold'>
  recurring: Recurring[]
  workers: Worker[]
  /** An attempt failed; `parked`: it was the last. */
  failed: (job: Job, error: unknown, parked: boolean) => void
  /** The store failed; retried at the next poll. */
  broken: (error: unknown) => void
  random?: () => number
}

/** How long the jobs of a process that died stay claimed. */
const LEASE_MS = MINUTE
const HEARTBEAT_MS = 20 * SECOND
const LOOK_MS = SECOND
/** Jobs claimed per transaction: at most this many, and at most this many times the worker's concurrency, to leave some for other processes. */
const CLAIM_AT_ONCE = 100
const CLAIM_TURNS = 10

export class Runner {
  readonly #parts: RunnerParts
  readonly #owner = randomUUID()
  readonly #ticks: Ticks
  readonly #queues: Map<string, WorkerQueue>
  #timer: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #looking: Promise<number> | undefined
  #again = false
  #mode: 'made' | 'started' | 'stopped' = 'made'

  constructor(parts: RunnerParts) {
    const { stores, clock, failed, broken: unsaved, random = Math.random } = parts
    this.#parts = parts
    this.#ticks = new Ticks(parts.recurring, stores)
    const commit = groupCommits<QueueWriters>((work) => stores.queueTransaction(work))
    const settle = (ending: Ending) => commit(({ jobs }) => ending(jobs))
    const queue = { settle, clock, owner: this.#owner, random, failed, unsaved, idle: () => this.wake() }
    const workers = [...parts.recurring.map(workerOf), ...parts.workers]
    this.#queues = new Map(workers.map((worker) => [worker.kind, new WorkerQueue(worker, queue)]))
    if (this.#queues.size < workers.length) throw new Error('Two workers have the same kind.')
  }

  start(): void {
    if (this.#mode !== 'made') return
    this.#mode = 'started'
    this.#heartbeat = setInterval(() => void this.beat().catch(this.#parts.broken), HEARTBEAT_MS)
    this.#heartbeat.unref()
    this.wake()
  }

  /** Something may be due: poll at once. Cheap; does nothing unless started. */
  wake(): void {
    if (this.#mode !== 'started') return
    if (this.#looking) this.#again = true
    else this.#arm(0)
  }

  /** Runs everything that is due now, and what becomes due through that, until nothing is left. */
  async runDue(): Promise<void> {
    for (;;) {
      const claimed = await this.#look()
      await Promise.all([...this.#queues.values()].map((queue) => queue.drained()))
      if (claimed === 0) return
    }
  }

  /** Extends the leases of this process. Called by a timer, and by tests that control the clock. */
  async beat(): Promise<void> {
    const { stores, clock } = this.#parts
    const held = [...this.#queues.values()].flatMap((queue) => queue.held().map((job) => ({ queue, job })))
    if (held.length === 0) return
    const lost = await stores.queueTransaction(async ({ jobs }) => {
      const gone: typeof held = []
      for (const one of held) {
        if (!(await jobs.extend(one.job.id, this.#owner, clock.now() + LEASE_MS))) gone.push(one)
      }
      return gone
    })
    // May include jobs that have ended meanwhile, which is harmless.
    for (const { queue, job } of lost) queue.lose(job)
  }

  /** Releases jobs that have not started and waits for those that have; no job starts any more. A second stop does nothing. */
  async stop(): Promise<void> {
    this.#mode = 'stopped'
    clearTimeout(this.#timer)
    await this.#looking?.catch(() => undefined)
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()))
    clearInterval(this.#heartbeat)
  }

  #arm(delay: number): void {
    clearTimeout(this.#timer)
    if (this.#mode !== 'started') return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
      this.#looking
        .catch((error: unknown) => this.#parts.broken(error))
        .finally(() => {
          this.#looking = undefined
          const soon = this.#again
          this.#again = false
          this.#arm(soon ? 0 : LOOK_MS)
        })
    }, delay)
    this.#timer.unref()
  }

  /** One poll; returns how many jobs it claimed. */
  async #look(): Promise<number> {
    const { stores, watch } = this.#parts
    const now = await watch.look()
    await this.#ticks.add(now)
    const isHeld = watch.hold() !== null
    const open = [...this.#queues.values()].filter((queue) => queue.hasRoom() && !(isHeld && queue.worker.destructive))
    const kinds = open.map(({ worker }) => worker.kind)
    const due = new Set(await stores.jobs.dueKinds(kinds, now))
    let claimed = 0
    for (const queue of open.filter(({ worker }) => due.has(worker.kind))) {
      if (this.#mode === 'stopped') break
      const { kind, atOnce } = queue.worker
      const limit = Math.min(CLAIM_AT_ONCE, CLAIM_TURNS * atOnce)
      const claim = { kinds: [kind], now, owner: this.#owner, leaseMs: LEASE_MS, limit }
      claimed += queue.take(await stores.queueTransaction(({ jobs }) => jobs.claim(claim)), now)
    }
    return claimed
  }
}
