/**
 * What was lately put into the outbox: whoever empties it need not read it back from the file and inflate it. Nothing
 * rests on it: what is not found here is read, an id never comes back with other content, and what a transaction put
 * here and took back is never asked for.
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

  /** Characters of all that is kept. */
  get size(): number {
    return this.#size
  }

  /** The oldest give way. */
  keep(id: string, text: string): void {
    this.#kept.set(id, text)
    this.#size += text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) return
      this.forget(oldest)
    }
  }

  find(id: string): string | null {
    return this.#kept.get(id) ?? null
  }

  forget(id: string): void {
    this.#size -= this.#kept.get(id)?.length ?? 0
    this.#kept.delete(id)
  }
}
