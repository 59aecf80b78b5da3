/**
 * Rows in the format RowBinary: values one after the other, numbers as their bytes, texts and lists after their length. Each
 * event has some fifty of them, so short texts are written here: a call of the system's own takes longer than its work.
 */

const GROW = 2
const FIRST_BYTES = 64 * 1_024
/** Bytes of a length: seven bits each. */
const MAX_VARINT = 10
/** Characters; of such a text the length takes one byte, if they are ASCII. */
const SHORT_TEXT = 64
const UUID_BYTES = 16
const TWO_32 = 2 ** 32
const NANS_AT_ONCE = 64
/** By their number. */
const NANS = Array.from({ length: NANS_AT_ONCE + 1 }, (_, count) =>
  Buffer.from(new Float64Array(count).fill(Number.NaN).buffer),
)
const WITH_DASHES = 36
/** Where the digits of each byte are. */
const PLAIN = Array.from({ length: UUID_BYTES }, (_, byte) => 2 * byte)
const DASHED = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const DASHES = [8, 13, 18, 23]
const DASH = '-'.charCodeAt(0)
const NO_DIGIT = 0xff

function hasDashes(value: string): boolean {
  for (const place of DASHES) if (value.charCodeAt(place) !== DASH) return false
  return true
}

/** By the code of a character, the value of a hexadecimal digit. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? NO_DIGIT : value
})

const digitAt = (text: string, place: number): number => DIGITS[text.charCodeAt(place)] ?? NO_DIGIT

const outOfRange = (value: number | bigint): Error => new RangeError(`${value} does not fit its column.`)

export class RowWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(bytes: number): number {
    const at = this.#length
    const needed = at + bytes
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#length = needed
    return at
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * GROW))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }

  uint8(value: number): void {
    if ((value & 0xff) !== value) throw outOfRange(value)
    const at = this.#reserve(1)
    this.#bytes[at] = value
  }

  uint32(value: number): void {
    if (value >>> 0 !== value) throw outOfRange(value)
    const at = this.#reserve(4)
    this.#view.setUint32(at, value, true)
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw outOfRange(value)
    const at = this.#reserve(4)
    this.#view.setInt32(at, value, true)
  }

  /** The 64 bits of an integer that a number has exactly. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value)) throw outOfRange(value)
    const at = this.#reserve(8)
    this.#view.setInt32(at, value, true)
    this.#view.setInt32(at + 4, Math.floor(value / TWO_32), true)
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value)
    const at = this.#reserve(8)
    this.#view.setBigInt64(at, value, true)
  }

  uint64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange(value)
    const at = this.#reserve(8)
    this.#view.setBigUint64(at, value, true)
  }

  double(value: number): void {
    const at = this.#reserve(8)
    this.#view.setFloat64(at, value, true)
  }

  /** So many doubles that are not numbers; returns the place of the first, for `replaceDouble`. */
  nans(count: number): number {
    const at = this.#reserve(8 * count)
    for (let place = 0; place < count; place += NANS_AT_ONCE) {
      this.#bytes.set(NANS[Math.min(count - place, NANS_AT_ONCE)] as Buffer, at + 8 * place)
    }
    return at
  }

  replaceDouble(at: number, value: number): void {
    this.#view.setFloat64(at, value, true)
  }

  /** Bytes that a writer has written before, of this row or another. */
  again(bytes: Buffer): void {
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** A copy of what was written from this place on. */
  copyFrom(at: number): Buffer {
    return Buffer.from(this.#bytes.subarray(at, this.#length))
  }

  /** 16 bytes that another one has at this place. */
  uuidOf(other: RowWriter, from: number): void {
    const at = this.#reserve(UUID_BYTES)
    for (let byte = 0; byte < UUID_BYTES; byte++) this.#bytes[at + byte] = other.#bytes[from + byte] as number
  }

  size(value: number): void {
    const at = this.#reserve(MAX_VARINT)
    let end = at
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[end++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[end++] = rest
    this.#length = end
  }

  /** Behind a mark, if there is one: to put it before the text would make another text each time. */
  text(value: string, mark: '' | '"' = ''): void {
    if (value.length <= SHORT_TEXT && this.#isShortText(value, mark)) return
    const bytes = mark.length + Buffer.byteLength(value)
    this.size(bytes)
    const at = this.#reserve(bytes)
    this.#bytes.write(mark, at, 'latin1')
    this.#bytes.write(value, at + mark.length, 'utf8')
  }

  /** Whether it is, and was written. */
  #isShortText(value: string, mark: string): boolean {
    const { length } = value
    const start = this.#reserve(1 + mark.length + length)
    const at = start + 1 + mark.length
    const bytes = this.#bytes
    for (let place = 0; place < length; place++) {
      const code = value.charCodeAt(place)
      if (code >= 0x80) {
        this.#length = start
        return false
      }
      bytes[at + place] = code
    }
    bytes[start] = mark.length + length
    if (mark !== '') bytes[start + 1] = mark.charCodeAt(0)
    return true
  }

  /** 16 bytes that are zero. */
  noUuid(): void {
    const at = this.#reserve(UUID_BYTES)
    for (let byte = 0; byte < UUID_BYTES; byte++) this.#bytes[at + byte] = 0
  }

  /** 16 bytes. */
  uuid(value: string): void {
    const places = value.length === WITH_DASHES ? DASHED : PLAIN
    const at = this.#reserve(UUID_BYTES)
    let isUuid = places === PLAIN ? value.length === 2 * UUID_BYTES : hasDashes(value)
    for (let byte = 0; byte < UUID_BYTES; byte++) {
      const place = places[byte] as number
      const [high, low] = [digitAt(value, place), digitAt(value, place + 1)]
      isUuid &&= high !== NO_DIGIT && low !== NO_DIGIT
      this.#bytes[at + byte] = high * 0x10 + low
    }
    if (!isUuid) throw new Error(`${JSON.stringify(value.slice(0, 40))} is no UUID.`)
  }

  list<T>(values: T[], write: (value: T) => void): void {
    this.size(values.length)
    for (const value of values) write(value)
  }

  /** What was written since the last time; what follows is not behind it. */
  take(): Buffer {
    const bytes = this.bytes()
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length)
    this.#view = new DataView(this.#bytes.buffer)
    this.#length = 0
    return bytes
  }

  /** All that was written; the writer must not be used any more. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
