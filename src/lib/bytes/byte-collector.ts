/**
 * Bytes that come piece by piece, made one. What comes in many pieces is copied into a buffer that doubles as it
 * fills: a million small pieces take at most twice what one large one does, and each byte is copied about twice. A
 * step that doubles the buffer copies all that has come so far. Of what says how long it is, a quarter has to have come
 * before the buffer gets that length at once: a mere promise costs nothing, and who keeps it leaves little behind.
 */

import { freeBytes } from './free-bytes.ts'

const LEAST = 16 * 1024
const PART_BEFORE_ALL = 1 / 4

export class ByteCollector {
  readonly #expected: number
  #buffer: Buffer | null = null
  #first: Buffer | null = null
  length = 0

  /** `expected`: how many bytes there will be, by what the sender says; 0 when it does not say. */
  constructor(expected = 0) {
    this.#expected = expected
  }

  add(piece: Buffer): void {
    if (this.#buffer === null && this.#first === null) this.#first = piece
    else this.#append(piece)
    this.length += piece.length
  }

  /** What has come so far: to be used before anything is added, as its memory may be given back then. */
  get bytes(): Buffer {
    return this.#buffer?.subarray(0, this.length) ?? this.#first ?? Buffer.alloc(0)
  }

  /** What came, in memory of its own. */
  take(): Buffer {
    return this.#buffer === null ? Buffer.from(this.bytes) : this.bytes
  }

  /** Gives the memory back at once: of what was collected and is not needed. */
  discard(): void {
    if (this.#buffer) freeBytes(this.#buffer)
  }

  #append(piece: Buffer): void {
    const needed = this.length + piece.length
    if (this.#buffer === null || needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(this.#lengthFor(needed))
      this.bytes.copy(grown)
      this.discard()
      this.#buffer = grown
      this.#first = null
    }
    piece.copy(this.#buffer, this.length)
  }

  #lengthFor(needed: number): number {
    const expected = this.#expected
    if (needed <= expected && needed >= expected * PART_BEFORE_ALL) return expected
    return Math.max(LEAST, needed, 2 * (this.#buffer?.length ?? 0))
  }
}
