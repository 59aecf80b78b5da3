/**
 * Moves the pages of SQLite's log into the file from a thread of its own. SQLite would do it within a commit, in the
 * thread that answers requests: people are spread over the whole file, so with many of them it took a third of that
 * thread's time. A checkpoint hinders neither readers nor the writer.
 */
import { OnDemandThread } from '../../../lib/concurrency/on-demand-thread.ts'
import { type Closable, threadFile } from '../../../lib/concurrency/worker-thread.ts'
import { MINUTE } from '../../../lib/time/time.ts'

const FILE = threadFile(import.meta.url, './checkpoint-worker.js')

const IDLE_MS = MINUTE

/** How many pages wait in the log before they are moved: the more, the more often a page is moved once for many writes. */
const LOGGED_PAGES = 4_000

/** Answer of SQLite's `wal_checkpoint`: pages in the log, and how many of them are in the file. */
export interface LogState {
  log: number
  checkpointed: number
}

export interface Checkpoints extends Closable {
  /** False when pages were left, because a reader needs them or commits kept coming. */
  move(): Promise<boolean>
}

export class CheckpointThread {
  readonly #thread: OnDemandThread<Checkpoints>
  readonly #state: () => LogState
  #moving: Promise<void> | null = null

  /** `state`: asks a connection that is in no transaction, at any time. */
  constructor(path: string, state: () => LogState) {
    this.#thread = new OnDemandThread({ file: FILE, given: path, idleMs: IDLE_MS })
    this.#state = state
  }

  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /** To be called after each commit. */
  committed(): void {
    if (!this.#moving && this.#isDue()) this.#moving = this.#move()
  }

  async close(): Promise<void> {
    await this.#moving
    await this.#thread.close()
  }

  /** Never throws: the commit that asks has already been made. */
  #isDue(): boolean {
    try {
      const { log, checkpointed } = this.#state()
      return log - checkpointed >= LOGGED_PAGES
    } catch {
      return false
    }
  }

  /** Again, where a commit has added as many pages meanwhile and none may follow. */
  async #move(): Promise<void> {
    try {
      let isComplete: boolean
      do isComplete = await this.#thread.use((thread) => thread.move())
      while (isComplete && this.#isDue())
    } catch {
      // As when SQLite itself cannot move them: the log is part of the database, and the next commit tries again.
    } finally {
      this.#moving = null
    }
  }
}
