import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowWriter } from './row-binary.ts'

/** Seven bits of the length in each byte, then the text. */
function plainText(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length: number[] = []
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) + 128)
    if (rest < 128) return Buffer.concat([Buffer.from(length), bytes])
  }
}

const written = (write: (row: RowWriter) => void): Buffer => {
  const row = new RowWriter()
  write(row)
  return row.bytes()
}

describe('a row', () => {
  it('has texts of any characters and length after their length in bytes', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 70 }),
      fc.string({ maxLength: 70 }),
      fc.nat(20_000).map((length) => 'x'.repeat(length)),
      fc.nat(70).map((length) => `${'x'.repeat(length)}é`),
    )
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 40 }), (values) => {
        const bytes = written((row) => row.list(values, (value) => row.text(value)))
        expect(bytes.equals(Buffer.concat([Buffer.from([values.length]), ...values.map(plainText)]))).toBe(true)
        const marked = written((row) => values.map((value) => row.text(value, '"')))
        expect(marked.equals(Buffer.concat(values.map((value) => plainText(`"${value}`))))).toBe(true)
      }),
    )
  })

  it('has numbers as their bytes, however many', () => {
    const row = new RowWriter()
    const plain = Buffer.alloc(10_000 * 33)
    for (let n = 0; n < 10_000; n++) {
      const at = n * 33
      const [int, double] = [(n % 2 === 0 ? -1 : 1) * n * 214_000, n / 3]
      row.uint8(n % 256)
      row.uint32(n * 400_000)
      row.int32(int)
      row.int64(BigInt(int) ** 2n * -1n)
      row.uint64(BigInt(int) ** 2n)
      row.double(double)
      plain.writeUInt8(n % 256, at)
      plain.writeUInt32LE(n * 400_000, at + 1)
      plain.writeInt32LE(int, at + 5)
      plain.writeBigInt64LE(BigInt(int) ** 2n * -1n, at + 9)
      plain.writeBigUInt64LE(BigInt(int) ** 2n, at + 17)
      plain.writeDoubleLE(double, at + 25)
    }
    expect(row.bytes().equals(plain)).toBe(true)
  })

  it('has numbers of 64 bits as their bytes, and refuses those that are not exact', () => {
    const edges = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53 - 1)]
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...edges), fc.maxSafeInteger()), (value) => {
        const plain = written((row) => row.int64(BigInt(value)))
        expect(written((row) => row.integer(value)).equals(plain)).toBe(true)
      }),
    )
    for (const value of [2 ** 53, 0.5, Number.NaN]) expect(() => written((row) => row.integer(value))).toThrow('fit')
  })

  it('has doubles that are no numbers until they are replaced, however many', () => {
    for (const count of [0, 1, 63, 64, 65, 200]) {
      const bytes = written((row) => {
        const at = row.nans(count)
        if (count > 0) row.replaceDouble(at + 8 * (count - 1), 7)
      })
      const doubles = Array.from({ length: count }, (_, place) => bytes.readDoubleLE(8 * place))
      expect(doubles).toEqual(Array.from({ length: count }, (_, place) => (place === count - 1 ? 7 : Number.NaN)))
    }
  })

  it('repeats what it, or another, has written', () => {
    const other = new RowWriter()
    other.text('before')
    const at = other.length
    const id = randomUUID()
    other.uuid(id)
    const bytes = written((row) => {
      row.text('one')
      row.again(row.copyFrom(0))
      row.uuidOf(other, at)
      row.noUuid()
    })
    expect(bytes.toString('latin1')).toBe(
      `\x03one\x03one${Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1')}${'\0'.repeat(16)}`,
    )
  })

  it('has a UUID as 16 bytes, with dashes or without, and nothing else', () => {
    for (let n = 0; n < 100; n++) {
      const uuid = randomUUID()
      const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex')
      for (const text of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')])
        expect(written((row) => row.uuid(text))).toEqual(bytes)
      for (const text of [uuid.slice(1), `${uuid}0`, uuid.replace(/.$/, 'g'), uuid.replace(/^./, 'é'), ''])
        expect(() => written((row) => row.uuid(text))).toThrow('is no UUID')
    }
  })

  it('refuses what does not fit', () => {
    const refused: ((row: RowWriter) => void)[] = [
      (row) => row.uint8(256),
      (row) => row.uint8(-1),
      (row) => row.uint32(2 ** 32),
      (row) => row.uint32(1.5),
      (row) => row.int32(2 ** 31),
      (row) => row.int32(Number.NaN),
      (row) => row.int64(2n ** 63n),
      (row) => row.uint64(-1n),
    ]
    for (const write of refused) expect(() => written(write)).toThrow('does not fit')
  })
})
