import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_EXACT, rounded, roundedSum, runningSums, sumOf } from './sums.ts'

describe('a sum', () => {
  it('of whole numbers is exact up to 2^53', () => {
    expect(sumOf([MAX_EXACT - 2, 1])).toBe(MAX_EXACT - 1)
    expect(sumOf([-MAX_EXACT, 1])).toBe(1 - MAX_EXACT)
    expect(sumOf([MAX_EXACT, 1, -MAX_EXACT])).toBe(1)
    expect(sumOf([MAX_EXACT, 2])).toBe(9_007_199_254_740_000)
    const whole = fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 1_000 })
    fc.assert(
      fc.property(whole, (values) => {
        expect(sumOf(values)).toBe(Number(values.reduce((sum, value) => sum + BigInt(value), 0n)))
      }),
    )
  })

  it('of other numbers has 12 significant digits', () => {
    expect(sumOf([0.1, 0.2])).toBe(0.3)
    expect(runningSums([0.1, 0.2, 0.3, 0.4])).toEqual([0.1, 0.3, 0.6, 1])
    expect(sumOf([MAX_EXACT - 1.5, 0.5, 0])).toBe(9_007_199_254_740_000)
    expect(sumOf([1, 1e100, 1, -1e100])).toBe(2)
    expect(roundedSum(1_234_567_890_123_456, false)).toBe(1_234_567_890_120_000)
  })

  it('is 0 of nothing, and infinite beyond the largest number', () => {
    expect(sumOf([])).toBe(0)
    expect(sumOf([-0])).toBe(0)
    expect(sumOf([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.POSITIVE_INFINITY)
    expect(sumOf([Number.NEGATIVE_INFINITY, 1])).toBe(Number.NEGATIVE_INFINITY)
  })

  it('does not depend on the order', () => {
    const cents = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 500 })
    fc.assert(
      fc.property(cents, (values) => {
        const prices = values.map((value) => value / 100)
        const expected = values.reduce((sum, value) => sum + value, 0) / 100
        expect([sumOf(prices), sumOf(prices.toReversed()), sumOf(prices.toSorted((a, b) => a - b))]).toEqual(
          Array.from({ length: 3 }, () => expected),
        )
      }),
    )
  })
})

it('a rounded number is the double nearest to its digits', () => {
  expect(rounded(2 / 3)).toBe(0.666666666667)
  expect(rounded(-1 / 3e300)).toBe(-3.33333333333e-301)
  expect(rounded(Number.MAX_VALUE)).toBe(1.79769313486e308)
  expect(rounded(5e-324)).toBe(5e-324)
  expect(rounded(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
})
