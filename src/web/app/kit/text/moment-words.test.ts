import { expect, it } from 'vitest'
import { agoInWords, inZone } from './moment-words.ts'

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
})
