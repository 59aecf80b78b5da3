/**
 * Long work on the thread that answers requests, in slices of a few milliseconds. Of all such work one slice runs in
 * each turn of the event loop, in order of arrival: however much of it there is, a request waits for one slice. What
 * others wait for, as they do for an open transaction, goes before the rest.
 */

const SLICE_MS = 8

const waiting: (() => void)[] = []

function runNext(): void {
  waiting.shift()?.()
  // From here it runs after the next look at the network.
  if (waiting.length > 0) setImmediate(runNext)
}

export class Slices {
  readonly #isUrgent: boolean
  #since = performance.now()

  constructor({ isUrgent = false }: { isUrgent?: boolean } = {}) {
    this.#isUrgent = isUrgent
  }

  /** Whether this work has had its slice. */
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
