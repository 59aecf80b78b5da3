/**
 * The one comparison of an insight's answer with another way of computing it. Counts, texts, order, minimum and maximum
 * are equal. Sums and averages have 12 significant digits, unless they are exact sums of whole numbers, and differ by at
 * most one in the last of them. Percentiles lie between two values; engines equal each other, but a computation may
 * interpolate in another order and so differ as little.
 */
import { expect } from 'vitest'
import { MAX_EXACT, rounded } from '../../lib/numbers/sums.ts'

type Closeness = 'equal' | 'rounded' | 'interpolated'

/** Of a measure, or of `math` as the API calls it. */
export function closenessOf(measure: string): Closeness {
  if (measure === 'sum' || measure === 'avg') return 'rounded'
  return /^(?:median|p\d\d)$/.test(measure) ? 'interpolated' : 'equal'
}

/** Fields that are averages, whatever the others are. */
const AVERAGES = ['averageMs', 'average_conversion_time']

const isRounded = (value: number): boolean =>
  rounded(value) === value || (Number.isInteger(value) && Math.abs(value) <= MAX_EXACT)

/** What is left of two values of some hundred that cancel each other out. */
const NOTHING = 1e-12

function isClose(a: number, b: number, closeness: Closeness): boolean {
  if (a === b || (closeness === 'interpolated' && Math.abs(a - b) <= NOTHING)) return true
  const lastDigit = 10 ** (Math.floor(Math.log10(Math.max(Math.abs(a), Math.abs(b)))) - 11)
  return Math.abs(a - b) <= lastDigit
}

/** The answer, with each number that is close enough to the expected one replaced by that. */
function settled(answer: unknown, expected: unknown, closeness: Closeness): unknown {
  if (typeof answer === 'number' && typeof expected === 'number') {
    const isFit = closeness !== 'equal' && isClose(answer, expected, closeness)
    return isFit && (closeness === 'interpolated' || isRounded(answer)) ? expected : answer
  }
  if (Array.isArray(answer) && Array.isArray(expected))
    return answer.map((item, place) => settled(item, expected[place], closeness))
  if (typeof answer !== 'object' || answer === null || typeof expected !== 'object' || expected === null) return answer
  const entries = Object.entries(answer).map(([key, item]) => {
    const own = AVERAGES.includes(key) ? 'rounded' : closeness
    return [key, settled(item, expected[key as never], own)]
  })
  return Object.fromEntries(entries)
}

export function expectSame(
  answer: unknown,
  expected: unknown,
  question: unknown,
  closeness: Closeness = 'equal',
): void {
  expect(settled(answer, expected, closeness), `Asked: ${JSON.stringify(question)}`).toEqual(expected)
}
