/**
 * Runs long work on the thread that answers requests in slices of a few milliseconds. Each turn of the event loop runs
 * one slice, in order of arrival: however much long work there is, a request waits for one slice only. Urgent work,
 * such as inside an open transaction that others wait for, goes first.
 */

const SLICE_MS = 4

const waiting: (() => void)[] = []

function runNext(): void {
  waiting.shift()?.()
  // An immediate that is set inside an immediate runs in the next turn, after the network was polled.
  if (waiting.length > 0) setImmediate(runNext)
}

export class Slices {
  readonly #isUrgent: boolean
  #since = performance.now()

  constructor({ isUrgent = false }: { isUrgent?: boolean } = {}) {
    this.#isUrgent = isUrgent
  }

  /** Whether this work has used up its slice. */
  get isOver(): boolean {
    return performance.now() - this.#since >= SLICE_MS
  }

  /** Resolves when it is this work's turn again. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const count = this.#isUrgent ? waiting.unshift(resolve) : waiting.push(resolve)
      if (count === 1) setImmediate(runNext)
    })
    this.#since = performance.now()
  }
}

/** Does the work for each item in order, a slice at a time. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const slices = new Slices()
  for (const item of items) {
    work(item)
    if (slices.isOver) await slices.rest()
  }
}
