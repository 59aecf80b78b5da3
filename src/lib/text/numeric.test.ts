import { expect, it } from 'vitest'
import { readNumeric } from './numeric.ts'

it.each([
  ['42', 42],
  [' 1 000.50 ', 1000.5],
  ['-3', -3],
  ['+3', 3],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
])('%j is %d', (text, expected) => {
  expect(readNumeric(text)).toBe(expected)
})

it.each(['', ' ', 'x', '1x', '0x10', '1,5', 'Infinity', 'NaN', '1e999', '1\n', '--1', '.'])(
  '%j is no number',
  (text) => {
    expect(readNumeric(text)).toBeNull()
  },
)
