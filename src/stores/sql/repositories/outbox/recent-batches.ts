/**
 * A cache of recent outbox batches, so that the drainer need not read and inflate them again. Only a cache: what is
 * missing is read from the table, and an id never gets other content. Those that another process applies are not taken from
 * here, so the next ones drive them out, after a while or for their size.
 */

/** In characters, all together. */
const MOST = 8_000_000
const KEEP_MS = 60_000

export class RecentBatches {
  readonly #kept = new Map<string, { text: string; at: number }>()
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
  keep(id: string, text: string, now = performance.now()): void {
    this.#kept.set(id, { text, at: now })
    this.#size += text.length
    for (const [oldest, { at }] of this.#kept) {
      if (this.#size <= this.#most && now - at <= KEEP_MS) return
      this.take(oldest)
    }
  }

  /** Removes it from the cache. */
  take(id: string): string | null {
    const text = this.#kept.get(id)?.text ?? null
    this.#kept.delete(id)
    this.#size -= text?.length ?? 0
    return text
  }
}
