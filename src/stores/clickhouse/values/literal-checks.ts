/** That whatever is written as a literal is what the server reads, for any server. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Servers } from '../server/client.ts'
import { double, int, isOneOf, listOf, text, uuid } from './literal.ts'

/** Characters of any number of bytes, and such as end a literal, a comment or a statement where they are let. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.string({ unit: fc.constantFrom("'", '\\', '\0', '\n', '`', '"', ';', '--', '/*', 'x41', '{a:String}', 'é', '𝄞') }),
)
const texts = fc.array(anyText, { minLength: 1, maxLength: 50 })
const doubles = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 50 })
const ints = fc.array(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 50 })

const hexOf = (value: string): string => Buffer.from(value).toString('hex').toUpperCase()

const DOUBLE_BYTES = 8
const RUNS = { numRuns: 25 }

export function literalChecks(opened: () => Servers): void {
  const first = async (sql: string): Promise<unknown> => (await opened().rows(sql))[0]?.[0]

  it('reads every text as it was', () =>
    fc.assert(
      fc.asyncProperty(texts, async (values) => {
        const read = await first(`SELECT arrayMap(x -> hex(x), [${listOf(values, text)}])`)
        expect(read).toEqual(values.map(hexOf))
      }),
      RUNS,
    ))

  it('finds a text among others, and no other text', () =>
    fc.assert(
      fc.asyncProperty(anyText, texts, async (value, others) => {
        const isThere = others.some((other) => hexOf(other) === hexOf(value))
        expect(await first(`SELECT ${isOneOf(text(value), others, text)}`)).toBe(Number(isThere))
      }),
      RUNS,
    ))

  it('reads every double to its last bit', () =>
    fc.assert(
      fc.asyncProperty(doubles, async (values) => {
        const bytes = Buffer.alloc(values.length * DOUBLE_BYTES)
        for (const [place, value] of values.entries()) bytes.writeDoubleLE(value, place * DOUBLE_BYTES)
        const read = await opened().binary(`SELECT [${listOf(values, double)}]`)
        expect(read).toEqual(Buffer.concat([Buffer.from([values.length]), bytes]))
      }),
      RUNS,
    ))

  it('reads every integer and every UUID', () =>
    fc.assert(
      fc.asyncProperty(ints, fc.uuid(), async (values, id) => {
        const read = await first(`SELECT [${listOf(values, (value) => `toInt64(${int(value)})`)}]`)
        expect(read).toEqual(values.map(String))
        expect(await first(`SELECT lower(hex(${uuid(id)}))`)).toBe(id.replaceAll('-', ''))
      }),
      RUNS,
    ))
}
