/** Rows in the format RowBinary: values one after the other, numbers as their bytes, texts and lists after their length. */

const GROW = 2
const FIRST_BYTES = 64 * 1_024
/** Bytes of a length: seven bits each. */
const MAX_VARINT = 10

export class RowWriter {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(bytes: number): number {
    const at = this.#length
    const needed = at + bytes
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * GROW))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    this.#length = needed
    return at
  }

  uint8(value: number): void {
    const at = this.#reserve(1)
    this.#bytes.writeUInt8(value, at)
  }

  uint32(value: number): void {
    const at = this.#reserve(4)
    this.#bytes.writeUInt32LE(value, at)
  }

  int32(value: number): void {
    const at = this.#reserve(4)
    this.#bytes.writeInt32LE(value, at)
  }

  int64(value: bigint): void {
    const at = this.#reserve(8)
    this.#bytes.writeBigInt64LE(value, at)
  }

  uint64(value: bigint): void {
    const at = this.#reserve(8)
    this.#bytes.writeBigUInt64LE(value, at)
  }

  double(value: number): void {
    const at = this.#reserve(8)
    this.#bytes.writeDoubleLE(value, at)
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

  text(value: string): void {
    const bytes = Buffer.byteLength(value)
    this.size(bytes)
    const at = this.#reserve(bytes)
    this.#bytes.write(value, at, bytes, 'utf8')
  }

  /** 16 bytes. */
  uuid(value: string): void {
    const at = this.#reserve(16)
    const written = this.#bytes.write(value.replaceAll('-', ''), at, 16, 'hex')
    if (written !== 16) throw new Error(`${JSON.stringify(value.slice(0, 40))} is no UUID.`)
  }

  list<T>(values: T[], write: (value: T) => void): void {
    this.size(values.length)
    for (const value of values) write(value)
  }

  /** All that was written; the writer must not be used any more. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
