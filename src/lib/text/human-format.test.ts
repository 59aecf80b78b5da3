import { describe, expect, it } from 'vitest'
import { dayLabel, duration, fullDay, fullNumber, percent, shortNumber } from './human-format.ts'

describe('shortNumber', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [0.256, '0.26'],
    [3.147, '3.1'],
    [999, '999'],
    [999.97, '1K'],
    [1_000, '1K'],
    [12_345, '12.3K'],
    [999_940, '999.9K'],
    [999_990, '1M'],
    [1_250_000, '1.3M'],
    [-1_200_000, '-1.2M'],
    [4_200_000_000, '4.2B'],
    [5e12, '5T'],
    [2.5e18, '2.5e+18'],
    [Number.NaN, '–'],
  ])('writes %d as %s', (value, text) => expect(shortNumber(value)).toBe(text))
})

describe('fullNumber', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_234, '1,234'],
    [-1_234_567.891, '-1,234,567.89'],
    [0.5, '0.5'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('writes %d as %s', (value, text) => expect(fullNumber(value)).toBe(text))
})

it('writes shares as percent, and none where there is no whole', () => {
  expect(percent(0.1234)).toBe('12.3%')
  expect(percent(1)).toBe('100%')
  expect(percent(0.005, 0)).toBe('1%')
  expect(percent(0 / 0)).toBe('–')
})

it.each([
  [0, '0s'],
  [0.4, '<1s'],
  [59.6, '1m'],
  [192, '3m 12s'],
  [7_200, '2h'],
  [183_600, '2d 3h'],
])('writes %d seconds as %s', (seconds, text) => expect(duration(seconds)).toBe(text))

it('writes days as the interval wants them', () => {
  expect(dayLabel('2026-11-01')).toBe('1 Nov')
  expect(dayLabel('2026-11-01T00:00:00+01:00', 'Week')).toBe('1 Nov')
  expect(dayLabel('2026-11-01', 'month')).toBe('Nov 2026')
  expect(dayLabel('2026-11-01 13:00:00', 'hour')).toBe('1 Nov 13:00')
  expect(dayLabel('whenever')).toBe('whenever')
  expect(fullDay('2026-11-01')).toBe('1 Nov 2026')
})
