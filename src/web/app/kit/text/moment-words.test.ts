import { expect, it } from 'vitest'
import { agoInWords, countdown, dayInZone, inZone, timeInZone } from './moment-words.ts'

const NOW = Date.parse('2026-03-04T10:00:00Z')

it.each([
  ['2026-03-04T09:59:30Z', 'just now'],
  ['2026-03-04T09:59:00Z', '1 minute ago'],
  ['2026-03-04T08:00:00Z', '2 hours ago'],
  ['2026-03-01T10:00:00Z', '3 days ago'],
  ['2026-03-06T11:00:00Z', 'in 2 days'],
  ['2025-12-24T10:00:00Z', '24 Dec 2025'],
])('%s is %s', (at, words) => expect(agoInWords(Date.parse(at), NOW)).toBe(words))

it('is told in any zone', () => {
  expect(inZone(NOW, 'Europe/Berlin')).toBe('4 Mar 2026 11:00:00')
  expect(inZone(NOW, 'UTC')).toBe('4 Mar 2026 10:00:00')
  expect([dayInZone(NOW, 'UTC'), timeInZone(NOW, 'UTC')]).toEqual(['4 Mar 2026', '10:00'])
})

it.each([
  ['2026-03-08T13:30:00Z', 'in 4 days and 3 hours'],
  ['2026-03-05T10:10:00Z', 'in 1 day'],
  ['2026-03-04T12:59:00Z', 'in 2 hours'],
  ['2026-03-04T10:01:00Z', 'in 1 minute'],
  ['2026-03-04T09:00:00Z', 'now'],
])('%s is %s', (at, words) => expect(countdown(Date.parse(at), NOW)).toBe(words))
