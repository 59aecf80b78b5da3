import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf, localText, OWN, rangeInWords, rangeOf } from './time-range.ts'

it('an instant is the same after the field that shows it, to the minute', () => {
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      const iso = new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString()
      // An hour that a clock shows twice is the first of them.
      const again = Date.parse(instantOf(localText(iso)))
      expect([0, 3_600_000]).toContain(Math.abs(again - Date.parse(iso)))
    }),
  )
})

it('nothing is nothing', () => expect([localText('-7d'), localText(''), instantOf('')]).toEqual(['', '', '']))

it('a range is one of the usual ones, or one’s own', () => {
  expect(rangeOf('', '')).toBe('')
  expect(rangeOf('-7d', '')).toBe('-7d')
  expect(rangeOf('-7d', '2026-01-01')).toBe(OWN)
  expect(rangeOf('-3d', '')).toBe(OWN)
})

it('is said in words', () => {
  expect(rangeInWords('-7d', '')).toBe('last 7 days')
  expect(rangeInWords('2026-01-01', '2026-02-01')).toBe('after 2026-01-01, before 2026-02-01')
  expect(rangeInWords('', '2026-02-01')).toBe('before 2026-02-01')
})
