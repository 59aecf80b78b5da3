import { describe, expect, it } from 'vitest'
import { formatInstant, parseInstant, readInstant } from './time.ts'

describe('readInstant', () => {
  it.each([
    ['2022-01-01T00:00:00Z', Date.UTC(2022, 0, 1)],
    ['2022-01-01T02:00:00+02:00', Date.UTC(2022, 0, 1)],
    ['2022-01-01T02:00+0200', Date.UTC(2022, 0, 1)],
    ['2021-12-31 19:00:00-05', Date.UTC(2022, 0, 1)],
    ['2022-01-01T00:00:00', Date.UTC(2022, 0, 1)],
    ['2022-01-01', Date.UTC(2022, 0, 1)],
    ['2022-01-01T00:00:00.123456Z', Date.UTC(2022, 0, 1) + 123.456],
    ['2022-01-01T00:00:00.5Z', Date.UTC(2022, 0, 1) + 500],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['9999-12-31T23:59:59Z', 253402300799000],
    ['0001-01-01T00:00:00Z', -62135596800000],
  ])('reads %s', (text, instant) => {
    expect(readInstant(text)).toBe(instant)
  })
  it.each([
    '2026-02-30',
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+25:00',
    '-1',
    '9999999',
    '',
    'yesterday',
    '2026-1-1',
    '0000-01-01',
    '99999-01-01',
  ])('does not take %j for a date', (text) => {
    expect(readInstant(text)).toBeNull()
  })
  it('names the field in the error', () => {
    expect(() => parseInstant('2026-02-30', 'start_date')).toThrow(/Datetime has wrong format/)
  })
})

describe('formatInstant', () => {
  it.each([
    [Date.UTC(2022, 0, 1), '2022-01-01T00:00:00Z'],
    [Date.UTC(2022, 0, 1) + 252, '2022-01-01T00:00:00.252000Z'],
    [Date.UTC(2022, 0, 1) + 123.456, '2022-01-01T00:00:00.123456Z'],
    [Date.UTC(2022, 0, 1) + 999.9999, '2022-01-01T00:00:01Z'],
    [-1, '1969-12-31T23:59:59.999000Z'],
  ])('prints %d as %s', (instant, text) => {
    expect(formatInstant(instant)).toBe(text)
  })
  it('gives back what was read, to the microsecond', () => {
    expect(formatInstant(parseInstant('2026-03-04T05:06:07.000001Z', null))).toBe('2026-03-04T05:06:07.000001Z')
  })
})
