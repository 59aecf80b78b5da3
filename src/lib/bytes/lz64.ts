/**
 * Undoes lz-string's `compressToBase64`, which some SDKs send. The format: base64, its bits taken from the highest of
 * each character on, numbers written with their lowest bit first. Codes 0 and 1 bring a new character of 8 or 16 bits,
 * 2 is the end, each other one repeats text that came before: every code adds to the dictionary what the code before
 * it gave and one character more, which stand side by side in what is decoded. So the dictionary is places in there.
 *
 * A few bytes may stand for a lot of text: it is bounded, and charged, while it grows.
 */

import { Slices } from '../concurrency/time-slices.ts'
import { tooLarge } from '../errors.ts'

const BITS = new Int8Array(256).fill(-1)
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BITS[sign.charCodeAt(0)] = value
}
BITS['='.charCodeAt(0)] = 0

const [SHORT, LONG, END] = [0, 1, 2]
/** Codes between two looks at the clock, and what their entries of the dictionary take at most. */
const STEP = 4_096
const STEP_BYTES = STEP * 32

export interface Lz64Options {
  /** Bytes of text that are decoded at most. */
  limit: number
  /** Is told of memory before it is taken; may throw. */
  hold: (bytes: number) => void
}

const tooLong = (limit: number) => tooLarge(`maximum event size exceeded: more than ${limit} bytes after decompression`)

/** What the text is not. */
export class NotLz64 extends Error {}

/** Numbers out of base64. */
class BitReader {
  readonly #text: Buffer
  #at = 0
  #value = 0
  #left = 0

  constructor(text: Buffer) {
    this.#text = text
  }

  read(bits: number): number {
    let number = 0
    for (let bit = 0; bit < bits; bit++) {
      if (this.#left === 0) this.#next()
      this.#left -= 1
      number |= ((this.#value >> this.#left) & 1) << bit
    }
    return number
  }

  #next(): void {
    const value = BITS[this.#text[this.#at++] ?? 0] as number
    if (value < 0) throw new NotLz64('The text ends too early, or is not base64.')
    this.#value = value
    this.#left = 6
  }
}

/** Text of 16-bit units that grows. */
class Units {
  readonly #options: Lz64Options
  #units = new Uint16Array(1_024)
  length = 0

  constructor(options: Lz64Options) {
    this.#options = options
  }

  push(unit: number): void {
    this.#makeRoom(1)
    this.#units[this.length++] = unit
  }

  /** Repeats what stands at `start`; it may reach into what is being written. */
  repeat(start: number, count: number): void {
    this.#makeRoom(count)
    for (let i = 0; i < count; i++) this.#units[this.length++] = this.#units[start + i] as number
  }

  toBuffer(): Buffer {
    const { limit, hold } = this.#options
    hold(this.length * 3)
    const bytes = Buffer.from(Buffer.from(this.#units.buffer, 0, this.length * 2).toString('utf16le'))
    if (bytes.length > limit) throw tooLong(limit)
    return bytes
  }

  #makeRoom(count: number): void {
    const needed = this.length + count
    if (needed <= this.#units.length) return
    const { limit, hold } = this.#options
    if (needed > limit) throw tooLong(limit)
    const size = Math.max(needed, 2 * this.#units.length)
    hold(2 * (size - this.#units.length))
    const grown = new Uint16Array(size)
    grown.set(this.#units)
    this.#units = grown
  }
}

/** The dictionary is `starts` and `lengths`, by code. */
class Decoder {
  readonly #bits: BitReader
  readonly units: Units
  readonly #starts: number[] = [0, 0, 0]
  readonly #lengths: number[] = [0, 0, 0]
  #width = 2
  /** Entries until codes are one bit wider. */
  #room = 2
  #previous = { start: 0, length: 0 }

  constructor(text: Buffer, options: Lz64Options) {
    this.#bits = new BitReader(text)
    this.units = new Units(options)
  }

  /** Decodes one code; false at the end. */
  step(): boolean {
    const code = this.#bits.read(this.#width)
    if (code === END) return false
    const start = this.units.length
    if (code === SHORT || code === LONG) {
      this.units.push(this.#bits.read(code === SHORT ? 8 : 16))
      this.#add(start, 1)
    } else this.#repeat(code)
    this.#extend()
    this.#previous = { start, length: this.units.length - start }
    return true
  }

  #repeat(code: number): void {
    const { start, length } = this.#previous
    if (code < this.#starts.length) this.units.repeat(this.#starts[code] as number, this.#lengths[code] as number)
    // The entry that this very code completes: what came before, and its own first character.
    else if (code === this.#starts.length && length > 0) this.units.repeat(start, length + 1)
    else throw new NotLz64('A code has no meaning yet.')
  }

  /** What the code before gave, and the first character of what this one gave. */
  #extend(): void {
    const { start, length } = this.#previous
    if (length > 0) this.#add(start, length + 1)
    else this.#count()
  }

  #add(start: number, length: number): void {
    this.#starts.push(start)
    this.#lengths.push(length)
    this.#count()
  }

  #count(): void {
    this.#room -= 1
    if (this.#room > 0) return
    this.#room = 2 ** this.#width
    this.#width += 1
  }
}

/** The text as UTF-8. Throws NotLz64, and what `hold` throws. */
export async function decodeLz64(text: Buffer, options: Lz64Options): Promise<Buffer> {
  const slices = new Slices()
  const decoder = new Decoder(text, options)
  for (let count = 0; decoder.step(); count++) {
    if (count % STEP !== 0) continue
    options.hold(STEP_BYTES)
    if (slices.isOver) await slices.rest()
  }
  return decoder.units.toBuffer()
}
