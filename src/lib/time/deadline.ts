/** Time limit of a piece of work, and the signal that its result is no longer needed. */
import { timedOut } from '../errors.ts'

const SECOND_MS = 1_000

/** How long a list, a count or a look-up may take. */
export const READ_LIMIT_MS = 10_000

/** The longest delay that setTimeout supports. */
const LONGEST_MS = 2 ** 31 - 1

const late = (limitMs: number) =>
  timedOut(`This took longer than ${Math.round(limitMs / SECOND_MS)} seconds. Narrow the request.`)

const unwanted = () => timedOut('Nobody waits for this any more.')

export class Deadline {
  readonly #limitMs: number
  readonly #end: number
  readonly #signal: AbortSignal | null
  readonly #steady: () => number

  /** Starts now; `signal` is aborted when the result is no longer needed. `steady` as that of a clock. */
  constructor(limitMs: number, signal: AbortSignal | null = null, steady = () => performance.now()) {
    this.#limitMs = limitMs
    this.#steady = steady
    this.#end = steady() + limitMs
    this.#signal = signal
  }

  get isOver(): boolean {
    return this.#signal?.aborted === true || this.#steady() >= this.#end
  }

  /** Until it is over by itself; may be infinite. */
  get leftMs(): number {
    return Math.max(0, this.#end - this.#steady())
  }

  /** The error to report when it is over. */
  get error(): Error {
    return this.#signal?.aborted ? unwanted() : late(this.#limitMs)
  }

  /** Throws when it is over. */
  check(): void {
    if (this.isOver) throw this.error
  }

  /** Calls `listener` once when it is over, unless the returned function was called before. */
  whenOver(listener: () => void): () => void {
    const left = this.leftMs
    const timer = left > LONGEST_MS ? undefined : setTimeout(() => over(), Math.ceil(left))
    const stop = () => {
      clearTimeout(timer)
      this.#signal?.removeEventListener('abort', over)
    }
    const over = () => {
      stop()
      listener()
    }
    this.#signal?.addEventListener('abort', over)
    return stop
  }
}
