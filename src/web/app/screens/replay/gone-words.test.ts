import { expect, it } from 'vitest'
import { beganAt, goneWords } from './gone-words.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 2, 31, 12)
const idOf = (time: number): string =>
  time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000001')
const asked = (isDeleted: boolean, session: string, days?: number) =>
  goneWords({ isDeleted, session, days, now: NOW }).title

it('the id of a session has its time', () => {
  expect(beganAt(idOf(NOW))).toBe(NOW)
  expect(beganAt('session-1')).toBeNull()
})

it('each case has its own words', () => {
  expect(asked(true, 'session-1')).toBe('This recording was deleted')
  expect(asked(false, idOf(NOW - 30 * DAY), 30)).toBe('This recording has expired')
  expect(asked(false, idOf(NOW - 29 * DAY), 30)).toBe('There is no such recording')
  expect(asked(false, idOf(NOW - 90 * DAY))).toBe('There is no such recording')
  expect(asked(false, 'session-1', 30)).toBe('There is no such recording')
})
