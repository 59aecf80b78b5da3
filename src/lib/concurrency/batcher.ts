/**
 * Group commit: items that arrive while flushes run, or within a moment of each other, are flushed together, in order of
 * arrival, usually one flush at a time. The moment is over after a few turns of the event loop without a new item: a
 * single item hardly waits, a burst is flushed as a whole. A group that fails is retried item by item, so that one bad
 * item fails alone; not for a store that is away or busy, which no item is to blame for, and where each would wait. The
 * queue is bounded; when it is full, add rejects at once.
 *
 * Modes: idle; waiting (a flush is due in a moment); full (as many flushes run as may, and what arrives waits for the end
 * of one); closed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../errors.ts'

export interface BatcherOptions<T> {
  flush: (items: T[]) => Promise<void>
  weigh: (item: T) => number
  /** How many flushes may run at the same time; 1 unless given. */
  atOnce?: number
  /** At most this much in one flush (a single heavier item goes alone). */
  maxWeight: number
  /** At most this much waiting; more is refused with `full`. */
  maxQueued: number
  /** How long the first of a group waits at most, while others keep coming. */
  waitMs: number
  full: () => Error
}

/** Turns of the event loop without a new item after which no more are expected. */
const QUIET_TURNS = 6

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
  #turn: NodeJS.Immediate | undefined
  readonly #flushes = new Set<Promise<void>>()

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
      this.#waitForMore()
    })
  }

  /** Flushes everything that waits. */
  async close(): Promise<void> {
    while (this.#flushes.size > 0 || this.#queue.length > 0) {
      clearImmediate(this.#turn)
      this.#turn = undefined
      if (this.#mayFlush) this.#run()
      await Promise.race(this.#flushes)
    }
  }

  get #mayFlush(): boolean {
    return this.#queue.length > 0 && this.#flushes.size < (this.#options.atOnce ?? 1)
  }

  #waitForMore(): void {
    if (this.#mayFlush && !this.#turn) this.#await(performance.now() + this.#options.waitMs)
  }

  /** Flushes after some turns without a new item, at `end` at the latest, or when there is enough for one flush. */
  #await(end: number, quiet = 0): void {
    const before = this.#queue.length
    this.#turn = setImmediate(() => {
      const turns = this.#queue.length === before ? quiet + 1 : 0
      const goesOn = turns < QUIET_TURNS && this.#queued < this.#options.maxWeight && performance.now() < end
      if (goesOn) return this.#await(end, turns)
      this.#turn = undefined
      if (this.#mayFlush) this.#run()
    })
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

  #run(): void {
    const flush = this.#flushWaiting().finally(() => {
      this.#flushes.delete(flush)
      this.#waitForMore()
    })
    this.#flushes.add(flush)
    this.#waitForMore()
  }

  /** Goes on until nothing waits. */
  async #flushWaiting(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#flush(this.#take())
      // A flush may be purely synchronous work: let the event loop run before the next one.
      if (this.#queue.length > 0) await nextTurn()
    }
  }

  async #flush(group: Waiting<T>[]): Promise<void> {
    try {
      await this.#options.flush(group.map((waiting) => waiting.item))
      for (const waiting of group) waiting.resolve()
    } catch (error) {
      if (group.length === 1 || error instanceof StoreUnavailable) for (const { reject } of group) reject(error)
      else for (const waiting of group) await this.#flush([waiting])
    }
  }
}
