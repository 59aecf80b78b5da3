/**
 * Who a scan works for, and until when. A statement of SQLite cannot be interrupted and keeps its thread, so scans go
 * in portions: between two of them others have their turn, and what has taken too long, or is not wanted any more,
 * ends. The functions of ours that a statement calls look at it too, row by row, for one row may take a second.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { timedOut, unavailable } from '../../lib/errors.ts'

export interface Scan {
  /** How long it may take; infinite for what is walked as a whole. */
  limitMs: number
  signal: AbortSignal | null
}

const SECOND_MS = 1_000

const late = (limitMs: number) =>
  timedOut(`This took longer than ${Math.round(limitMs / SECOND_MS)} seconds. Narrow the request.`)

/** What a scan is told that comes too late. */
export const noMoreScans = () => unavailable('The server is stopping. Try again shortly.', 5)

export class ScanScope {
  readonly #scans = new AsyncLocalStorage<() => void>()
  #inHand = 0
  #isEnding = false
  #lastEnded: () => void = () => {}

  /** `work` as a scan: all that it awaits belongs to it. */
  async run<T>({ limitMs, signal }: Scan, work: () => Promise<T>): Promise<T> {
    if (this.#isEnding) throw noMoreScans()
    const end = performance.now() + limitMs
    const check = () => {
      if (signal?.aborted) throw timedOut('Nobody waits for this any more.')
      if (performance.now() >= end) throw late(limitMs)
    }
    this.#inHand += 1
    try {
      return await this.#scans.run(check, work)
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
    this.#scans.getStore()?.()
  }

  /** Between two portions. */
  async pause(): Promise<void> {
    this.check()
    await nextTurn()
    this.check()
  }
}
