import { expect, it } from 'vitest'
import { nextSize, PORTION } from './keyset-ranges.ts'

it.each([
  ['as large as it may be while it is quick', PORTION, 1, PORTION],
  ['smaller at once when it was slow', PORTION, 300, 500],
  ['small, but never nothing, for rows that take a second each', 10, 10_000, 10],
  ['twice as large at most, however quick', 10, 0.01, 20],
  ['the same when it was right', 400, 30, 400],
])('a portion is %s', (_, size, tookMs, next) => {
  expect(nextSize(size, tookMs)).toBe(next)
})
