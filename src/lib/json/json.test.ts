import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonOrText, parseJsonBytes, parseJsonText } from './json.ts'

describe('parseJsonText', () => {
  it('reads what JSON.parse reads, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(text.isWellFormed() && !/\\u(0000|d[89a-f])/i.test(text))
        try {
          expect(parseJsonText(text)).toEqual(JSON.parse(text))
        } catch (error) {
          expect((error as Error).message).toMatch(/cannot be kept exactly/)
        }
      }),
    )
  })
  it.each(['9007199254740992', '-9007199254740993', '{"a":[1,12345678901234567890]}', '1e400', '-1E+309'])(
    'refuses %s',
    (text) => {
      expect(() => parseJsonText(text)).toThrow(/cannot be kept exactly/)
    },
  )
  it.each([
    '9007199254740991',
    '1e300',
    '1e-400',
    '0.1234567890123456789',
    '"12345678901234567890"',
    '{"12345678901234567890":1}',
  ])('reads %s', (text) => {
    expect(parseJsonText(text)).toEqual(JSON.parse(text))
  })
  it('counts only brackets outside strings', () => {
    expect(parseJsonText(JSON.stringify('['.repeat(1_000)))).toBe('['.repeat(1_000))
    expect(parseJsonText(JSON.stringify(`"${'{'.repeat(500)}`))).toBe(`"${'{'.repeat(500)}`)
  })
  it('refuses one level too many', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseJsonText(nested(100))).toBeDefined()
    expect(() => parseJsonText(nested(101))).toThrow(/nested deeper than 100/)
    expect(() => parseJsonText('['.repeat(1_000_000))).toThrow(/nested deeper/)
  })
})

describe('parseJsonBytes', () => {
  it('skips a byte-order mark and refuses what is not UTF-8', () => {
    expect(parseJsonBytes(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 })
    expect(() => parseJsonBytes(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/)
  })
})

describe('jsonOrText', () => {
  it.each([
    ['1', 1],
    ['"1"', '1'],
    ['null', null],
    ['{"a":[]}', { a: [] }],
    ['hello', 'hello'],
    ['', ''],
    ['12345678901234567890', '12345678901234567890'],
  ])('reads %j', (text, value) => {
    expect(jsonOrText(text)).toEqual(value)
  })
})
