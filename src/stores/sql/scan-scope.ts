/**
 * Deadline and abort signal of a scan. Scans run in portions; between two of them other scans run, and one that is late
 * or aborted ends. SQLite cannot interrupt a statement: there our SQL functions check too, per row, because one row may
 * take a second.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unavailable } from '../../lib/errors.ts'
import { Deadline } from '../../lib/time/deadline.ts'

export interface Scan {
  /** Time limit; infinite for complete walks. */
  limitMs: number
  signal: AbortSignal | null
}

/** The error for a scan that comes too late. */
export const noMoreScans = () => unavailable('The server is stopping. Try again shortly.', 5)

export class ScanScope {
  readonly #scans = new AsyncLocalStorage<Deadline>()
  #inHand = 0
  #isEnding = false
  #lastEnded: () => void = () => {}

  /** Runs `work` as a scan: all that it awaits belongs to it. */
  async run<T>({ limitMs, signal }: Scan, work: () => Promise<T>): Promise<T> {
    if (this.#isEnding) throw noMoreScans()
    this.#inHand += 1
    try {
      return await this.#scans.run(new Deadline(limitMs, signal), work)
    } finally {
      this.#inHand -= 1
      if (this.#inHand === 0) this.#lastEnded()
    }
  }

  /** Refuses every scan from now on, and resolves when those in progress have ended. Once. */
  end(): Promise<void> {
    this.#isEnding = true
    return new Promise((resolve) => {
      this.#lastEnded = resolve
      if (this.#inHand === 0) resolve()
    })
  }

  /** Throws when the running scan has to end. */
  check(): void {
    this.#scans.getStore()?.check()
  }

  /** Between two portions. */
  async pause(): Promise<void> {
    this.check()
    await nextTurn()
    this.check()
  }
}
