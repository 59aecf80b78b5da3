/** Bytes that are still being made. Whoever reads them gets all, from the beginning, as they come. */
export class GrowingBytes implements AsyncIterable<Buffer> {
  readonly #chunks: Buffer[] = []
  #isWhole = false
  #failure: { error: unknown } | null = null
  #wake: (() => void)[] = []

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#tell()
  }

  /** Nothing follows. */
  end(): void {
    this.#isWhole = true
    this.#tell()
  }

  /** Nothing follows, although they are not whole: readers fail with this. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#tell()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let place = 0; ; place++) {
      while (place === this.#chunks.length) {
        if (this.#failure) throw this.#failure.error
        if (this.#isWhole) return
        await new Promise<void>((resolve) => this.#wake.push(resolve))
      }
      yield this.#chunks[place] as Buffer
    }
  }

  #tell(): void {
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }
}
