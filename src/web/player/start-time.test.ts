import { expect, it } from 'vitest'
import { startTime } from './start-time.ts'

const start = Date.parse('2024-05-10T08:00:00Z')
const recording = { start, end: start + 3_600_000 }

it.each([
  ['', 0],
  ['7', 7_000],
  ['3005.25', 3_005_250],
  ['2024-05-10T08:30:00Z', 1_800_000],
  ['2024-05-10T10:30:00+02:00', 1_800_000],
  ['99999', 3_600_000],
  ['2025-01-01T00:00:00Z', 3_600_000],
  ['2020-01-01T00:00:00Z', 0],
  ['-5', 0],
  ['soon', 0],
  ['NaN', 0],
])('“%s” is %d ms after the start', (t, after) => {
  expect(startTime(t, recording) - start).toBe(after)
})
