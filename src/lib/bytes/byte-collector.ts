/**
 * Collects bytes that arrive in pieces into one buffer. The buffer doubles when it is full: a million small pieces take
 * at most twice the memory of a single large one, and each byte is copied about twice. If the sender announces a length,
 * the buffer gets that length only once a quarter of it has arrived: an announcement alone allocates nothing, and a
 * true one leaves little unused space.
 */
import { freeBytes } from './free-bytes.ts'

const MIN_LENGTH = 16 * 1024
const SHARE_BEFORE_EXPECTED = 1 / 4

export class ByteCollector {
  readonly #expected: number
  #buffer: Buffer | null = null
  #first: Buffer | null = null
  length = 0

  /** `expected`: the length the sender announced; 0 when it announced none. */
  constructor(expected = 0) {
    this.#expected = expected
  }

  add(piece: Buffer): void {
    if (this.#buffer === null && this.#first === null) this.#first = piece
    else this.#append(piece)
    this.length += piece.length
  }

  /** A view of all bytes so far; valid until the next `add`, which may free its memory. */
  get bytes(): Buffer {
    return this.#buffer?.subarray(0, this.length) ?? this.#first ?? Buffer.alloc(0)
  }

  /** All bytes, in memory not shared with the pieces. */
  take(): Buffer {
    return this.#buffer === null ? Buffer.from(this.bytes) : this.bytes
  }

  /** Frees the memory of what was collected. */
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
    if (needed <= expected && needed >= expected * SHARE_BEFORE_EXPECTED) return expected
    return Math.max(MIN_LENGTH, needed, 2 * (this.#buffer?.length ?? 0))
  }
}
