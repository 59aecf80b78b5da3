/**
 * Group commit: items that arrive while a flush runs, or within a moment of each other, are flushed together, one
 * flush at a time, in order of arrival. A group that fails is tried again item by item, so that one item's poison
 * sinks only its own. The queue is bounded; when it is full, add refuses at once.
 *
 * Modes: idle; waiting (a flush is due in a moment); flushing (what arrives waits for the next); closed.
 */

export interface BatcherOptions<T> {
  flush: (items: T[]) => Promise<void>
  weigh: (item: T) => number
  /** At most this much in one flush (a single heavier item goes alone). */
  maxWeight: number
  /** At most this much waiting; more is refused with `full`. */
  maxQueued: number
  /** How long the first of a group waits for company. */
  waitMs: number
  full: () => Error
}

interface Waiting<T> {
  item: T
  weight: number
  resolve: () => void
  reject: (error: unknown) => void
}

export class Batcher<T> {
  readonly #options: BatcherOptions<T>
  #queue: Waiting<T>[] = []
  #queued = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(options: BatcherOptions<T>) {
    this.#options = options
  }

  get queued(): number {
    return this.#queued
  }

  /** Resolves when the item is flushed; rejects with what its flush threw. */
  add(item: T): Promise<void> {
    const weight = this.#options.weigh(item)
    if (this.#queued > 0 && this.#queued + weight > this.#options.maxQueued) return Promise.reject(this.#options.full())
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, weight, resolve, reject })
      this.#queued += weight
      if (!this.#flushing && !this.#timer) this.#arm()
    })
  }

  /** Flushes everything that waits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#flushing || this.#queue.length > 0) await (this.#flushing ?? this.#run())
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#run()
    }, this.#options.waitMs)
  }

  #take(): Waiting<T>[] {
    let weight = 0
    let count = 0
    for (const waiting of this.#queue) {
      if (count > 0 && weight + waiting.weight > this.#options.maxWeight) break
      weight += waiting.weight
      count++
    }
    this.#queued -= weight
    return this.#queue.splice(0, count)
  }

  #run(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    while (this.#queue.length > 0) await this.#flush(this.#take())
  }

  async #flush(group: Waiting<T>[]): Promise<void> {
    try {
      await this.#options.flush(group.map((waiting) => waiting.item))
      for (const waiting of group) waiting.resolve()
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const waiting of group) await this.#flush([waiting])
    }
  }
}
