/** How answers are compared: exactly, but for percentiles. */
import { expect } from 'vitest'

/**
 * Percentiles are interpolated between two values, which may be computed in several ways that differ in the last bit.
 * Everything else is counted, or added up from multiples of a quarter, which doubles represent exactly.
 */
const LAST_BITS = 1e-12

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= LAST_BITS * Math.max(Math.abs(a), Math.abs(b), 1)

/** The answer, with each number that is close enough to the expected one replaced by that. */
function settled(answer: unknown, expected: unknown): unknown {
  if (typeof answer === 'number' && typeof expected === 'number') return isClose(answer, expected) ? expected : answer
  if (Array.isArray(answer) && Array.isArray(expected))
    return answer.map((item, place) => settled(item, expected[place]))
  if (typeof answer !== 'object' || answer === null || typeof expected !== 'object' || expected === null) return answer
  const entries = Object.entries(answer).map(([key, item]) => [key, settled(item, expected[key as never])])
  return Object.fromEntries(entries)
}

export function expectSame(answer: unknown, expected: unknown, question: unknown, isInterpolated = false): void {
  const seen = isInterpolated ? settled(answer, expected) : answer
  expect(seen, `Asked: ${JSON.stringify(question)}`).toEqual(expected)
}
