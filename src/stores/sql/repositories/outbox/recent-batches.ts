/**
 * A cache of recent outbox batches, so that the drainer need not read and inflate them again. Only a cache: what is
 * missing is read from the table, and an id never gets other content.
 */

/** In characters, all together. */
const MOST = 8_000_000

export class RecentBatches {
  readonly #kept = new Map<string, string>()
  readonly #most: number
  #size = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /** Characters of all cached batches. */
  get size(): number {
    return this.#size
  }

  /** Evicts the oldest ones. */
  keep(id: string, text: string): void {
    this.#kept.set(id, text)
    this.#size += text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) return
      this.take(oldest)
    }
  }

  /** Removes it from the cache. */
  take(id: string): string | null {
    const text = this.#kept.get(id) ?? null
    this.#kept.delete(id)
    this.#size -= text?.length ?? 0
    return text
  }
}
