import { expect, it } from 'vitest'
import { clockTime } from './clock-time.ts'

it.each([
  [0, '0:00'],
  [999, '0:00'],
  [7_000, '0:07'],
  [59_999, '0:59'],
  [600_000, '10:00'],
  [3_600_000, '1:00:00'],
  [3_725_000, '1:02:05'],
  [360_000_000, '100:00:00'],
  [-5, '0:00'],
])('%d ms is %s', (ms, text) => {
  expect(clockTime(ms)).toBe(text)
})
