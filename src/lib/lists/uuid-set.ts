/**
 * A set of UUIDs as one block of bytes, 16 for each, sorted: a million of them are 16 MB, which move to another thread at
 * once, where as many texts would be copied one by one.
 */
import { formatUuid } from '../ids.ts'

const UUID_BYTES = 16
const WORDS = 4
const WORD_BYTES = 4

/** Where a UUID in its usual form has its digits, those of each word together. */
const FORM = '00000000-1111-1111-2222-222233333333'
const PLACES = Array.from({ length: WORDS }, (_, word) =>
  Uint8Array.from([...FORM].flatMap((sign, place) => (sign === String(word) ? [place] : []))),
)
const HYPHENS = [...FORM].flatMap((sign, place) => (sign === '-' ? [place] : []))
const HYPHEN = '-'.charCodeAt(0)

const NO_DIGIT = 255
/** Value of a hexadecimal digit in either case, by its code. */
const DIGITS = new Uint8Array(65_536).fill(NO_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}

/**
 * Reads a UUID in its usual form as numbers of 32 bits; false if it is none. By hand: with a pattern, and the texts that
 * it makes, asking about hundreds of thousands would take twice as long.
 */
function readWords(text: string, words: Uint32Array): boolean {
  if (text.length !== FORM.length) return false
  for (const place of HYPHENS) if (text.charCodeAt(place) !== HYPHEN) return false
  for (let word = 0; word < WORDS; word++) {
    let value = 0
    for (const place of PLACES[word] as Uint8Array) {
      const digit = DIGITS[text.charCodeAt(place)] as number
      if (digit === NO_DIGIT) return false
      value = (value << 4) | digit
    }
    words[word] = value
  }
  return true
}

export class UuidSet {
  readonly #sorted: DataView
  readonly size: number
  readonly #asked = new Uint32Array(WORDS)

  /** The bytes are not copied. */
  constructor(sorted: Uint8Array) {
    this.#sorted = new DataView(sorted.buffer, sorted.byteOffset, sorted.byteLength)
    this.size = sorted.byteLength / UUID_BYTES
  }

  /** Whatever the case of its letters; a text that is no UUID in its usual form is in no set. */
  has(text: string): boolean {
    if (!readWords(text, this.#asked)) return false
    let from = 0
    let to = this.size
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      const difference = this.#compareTo(middle)
      if (difference === 0) return true
      if (difference > 0) from = middle + 1
      else to = middle
    }
    return false
  }

  /** In their order, in lower case. */
  texts(): string[] {
    const { buffer, byteOffset } = this.#sorted
    return Array.from({ length: this.size }, (_, place) =>
      formatUuid(Buffer.from(buffer, byteOffset + place * UUID_BYTES, UUID_BYTES).toString('hex')),
    )
  }

  /** Above 0 when what is asked for comes after that place. */
  #compareTo(place: number): number {
    for (let word = 0; word < WORDS; word++) {
      const there = this.#sorted.getUint32(place * UUID_BYTES + word * WORD_BYTES)
      const difference = (this.#asked[word] as number) - there
      if (difference !== 0) return difference
    }
    return 0
  }
}
