import { describe, expect, it } from 'vitest'
import { distinctHash, double, instant, int, uuidLiteral } from './literal.ts'

describe('values in SQL text', () => {
  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d as an integer', (value) => {
    expect(() => int(value)).toThrow()
  })

  it('refuses what is not a number or UUID, whatever its declared type', () => {
    expect(() => int('1; DROP TABLE events' as never)).toThrow()
    expect(() => instant("1'; --" as never)).toThrow()
    expect(() => instant(Number.NaN)).toThrow()
    expect(() => double("1'; --" as never)).toThrow()
    expect(() => double(Number.POSITIVE_INFINITY)).toThrow()
    expect(() => uuidLiteral("00000000-0000-0000-0000-000000000000'--")).toThrow()
  })

  it('writes the rest so that nothing is lost', () => {
    expect([int(-7), int(2n ** 62n)]).toEqual(['-7', '4611686018427387904'])
    expect(instant(1_767_358_854_201.601)).toBe("'1767358854201.601'::DOUBLE")
    expect([double(-1.5e-7), double(1e21)]).toEqual(["'-1.5e-7'::DOUBLE", "'1e+21'::DOUBLE"])
    expect(instant(Number.NEGATIVE_INFINITY)).toBe("'-Infinity'::DOUBLE")
  })
})

describe('the hash of a distinct id', () => {
  it('is what it was when the first event was stored', () => {
    expect(['', 'a', 'user-1', 'Größe 👩‍👩‍👧'].map(distinctHash)).toEqual([
      2872998923, 444641715, 2005895916, 858205416,
    ])
  })

  it('spreads ids that differ little', () => {
    const hashes = Array.from({ length: 10_000 }, (_, i) => distinctHash(`user-${i}`))
    expect(new Set(hashes).size).toBeGreaterThan(9_990)
    const perSixteenth = Array.from({ length: 16 }, (_, part) => hashes.filter((hash) => hash >>> 28 === part).length)
    expect(Math.min(...perSixteenth)).toBeGreaterThan(500)
  })
})
