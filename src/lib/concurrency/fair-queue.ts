/**
 * Runs a few tasks at once; the others wait. Tasks of one key run in order of arrival, and keys take turns, so that a
 * key with many tasks does not keep the tasks of another waiting. Beyond a number of waiting tasks new ones are refused.
 */

export interface FairQueueOptions {
  atOnce: number
  /** Number of waiting tasks of one key, and of all keys together, at which no more are taken. */
  maxWaitingOfOne: number
  maxWaiting: number
  /** The error of a task that is refused. */
  full: () => Error
}

export class FairQueue<Key> {
  readonly #options: FairQueueOptions
  /** In the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<Key, (() => void)[]>()
  #waitingCount = 0
  #running = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** `isPatient`: waits however many there are, instead of being refused. */
  async run<T>(key: Key, work: () => Promise<T>, { isPatient = false } = {}): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#turnOf(key, isPatient)
    else this.#running += 1
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #turnOf(key: Key, isPatient: boolean): Promise<void> {
    const own = this.#waiting.get(key) ?? []
    const { maxWaiting, maxWaitingOfOne, full } = this.#options
    if (!isPatient && (own.length >= maxWaitingOfOne || this.#waitingCount >= maxWaiting)) throw full()
    this.#waiting.set(key, own)
    this.#waitingCount += 1
    return new Promise((resolve) => void own.push(resolve))
  }

  /** The next task takes over the place of the one that has ended, so that a new one cannot get in between. */
  #startNext(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    const [key, own] = next
    const start = own.shift()
    this.#waitingCount -= 1
    this.#waiting.delete(key)
    if (own.length > 0) this.#waiting.set(key, own)
    start?.()
  }
}
