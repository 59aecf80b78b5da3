/**
 * Decodes lz-string's `compressToBase64`, which some SDKs send. The format: base64, the highest bit of each character
 * first; numbers have their lowest bit first. Codes 0 and 1 introduce a new character of 8 or 16 bits, 2 is the end, any
 * other code repeats a dictionary entry. Each code adds an entry: the text of the previous code plus one character.
 * These are adjacent in the decoded text, so the dictionary stores positions in that text.
 *
 * A few bytes can decode to a lot of text: its size is limited, and charged to a budget, while it grows.
 */

import { Slices } from '../concurrency/time-slices.ts'
import { tooLarge } from '../errors.ts'

const BITS = new Int8Array(256).fill(-1)
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BITS[sign.charCodeAt(0)] = value
}
BITS['='.charCodeAt(0)] = 0

const [SHORT, LONG, END] = [0, 1, 2]
/** Codes decoded between two checks of the time slice, and the most that their dictionary entries take. */
const STEP = 4_096
const STEP_BYTES = STEP * 32

export interface Lz64Options {
  /** Maximum size of the decoded text in bytes. */
  limit: number
  /** Called before memory is allocated; may throw. */
  hold: (bytes: number) => void
}

const tooLong = (limit: number) => tooLarge(`maximum event size exceeded: more than ${limit} bytes after decompression`)

/** The text is not in this format. */
export class NotLz64 extends Error {}

/** Reads numbers from base64 text. */
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

/** A growing text of UTF-16 code units. */
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

  /** Appends a copy of the text at `start`; source and copy may overlap. */
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
    // The entry that this code itself completes: the previous text and its first character.
    else if (code === this.#starts.length && length > 0) this.units.repeat(start, length + 1)
    else throw new NotLz64('A code has no meaning yet.')
  }

  /** Adds an entry: the text of the previous code and the first character of this one's. */
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
