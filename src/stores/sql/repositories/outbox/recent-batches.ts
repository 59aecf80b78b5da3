/**
 * What was lately put into the outbox and waits there: whoever empties it need not read it back from the file and
 * inflate it. Nothing rests on it: what is not found here is read, and an id never comes back with other content.
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
      this.take(oldest)
    }
  }

  /** It is the taker's then. */
  take(id: string): string | null {
    const text = this.#kept.get(id) ?? null
    this.#kept.delete(id)
    this.#size -= text?.length ?? 0
    return text
  }
}
