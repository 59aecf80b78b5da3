/**
 * Who a scan works for, and until when. A statement of SQLite cannot be interrupted and keeps its thread, so scans go
 * in portions: between two of them others have their turn, and what has taken too long, or is not wanted any more,
 * ends. The functions of ours that a statement calls look at it too, row by row, for one row may take a second.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unavailable } from '../../../lib/errors.ts'
import { Deadline } from '../../../lib/time/deadline.ts'

export interface Scan {
  /** How long it may take; infinite for what is walked as a whole. */
  limitMs: number
  signal: AbortSignal | null
}

/** What a scan is told that comes too late. */
export const noMoreScans = () => unavailable('The server is stopping. Try again shortly.', 5)

export class ScanScope {
  readonly #scans = new AsyncLocalStorage<Deadline>()
  #inHand = 0
  #isEnding = false
  #lastEnded: () => void = () => {}

  /** `work` as a scan: all that it awaits belongs to it. */
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

  /** Refuses every scan from now on, and resolves when those in hand have ended. Once. */
  end(): Promise<void> {
    this.#isEnding = true
    return new Promise((resolve) => {
      this.#lastEnded = resolve
      if (this.#inHand === 0) resolve()
    })
  }

  /** Throws when the scan at work has to end. */
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
