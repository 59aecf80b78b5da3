import { expect, it } from 'vitest'
import { formatInstant } from '../../lib/time/time.ts'
import { readRelativeDate } from './relative-date.ts'

it.each([
  ['-1h', '2024-03-31T10:30:00Z', '2024-03-31T09:30:00Z', false],
  ['-7d', '2024-03-31T10:30:00Z', '2024-03-24T10:30:00Z', true],
  ['7d', '2024-03-31T10:30:00Z', '2024-03-24T10:30:00Z', true],
  ['-2w', '2024-03-31T10:30:00Z', '2024-03-17T10:30:00Z', true],
  ['-1m', '2024-03-31T10:30:00Z', '2024-02-29T10:30:00Z', true],
  ['-1m', '2024-01-15T10:30:00Z', '2023-12-15T10:30:00Z', true],
  ['-13m', '2024-03-31T10:30:00Z', '2023-02-28T10:30:00Z', true],
  ['-1y', '2024-02-29T10:30:00.000001Z', '2023-02-28T10:30:00.000001Z', true],
  ['-0d', '2024-03-31T10:30:00Z', '2024-03-31T10:30:00Z', true],
  ['-100y', '2024-03-31T10:30:00Z', '1924-03-31T10:30:00Z', true],
])('%s from %s is %s', (text, now, expected, wholeDays) => {
  const whole = Date.parse(now)
  const relative = readRelativeDate(text, now.endsWith('.000001Z') ? whole + 0.001 : whole)
  expect(relative && { at: formatInstant(relative.instant), wholeDays: relative.wholeDays }).toEqual({
    at: expected,
    wholeDays,
  })
})

it.each(['', 'd', '-d', '-7', '-7M', '-7 d', '+7d', '-12345d', 'all', '2024-01-01'])('%j is not relative', (text) => {
  expect(readRelativeDate(text, 0)).toBeNull()
})
