import { expect, it } from 'vitest'
import { countdown, isLate, reasonOf } from './deletion-words.ts'

const DUE = Date.parse('2026-05-10T05:00:00Z')

it.each([
  [0, '0 min 00 s'],
  [-5_000, '0 min 00 s'],
  [129_000, '2 min 09 s'],
  [4 * 3_600_000 + 5 * 60_000, '4 h 05 min'],
  [86_400_000, '1 d 0 h'],
  [3 * 86_400_000 + 17.9 * 3_600_000, '3 d 17 h'],
])('%i ms are %s', (ms, words) => expect(countdown(ms)).toBe(words))

it('what waits is late from its time on, what is done never', () => {
  const waiting = { status: 'pending' as const, scheduled_for: '2026-05-10T05:00:00Z' }
  expect(isLate(waiting, DUE - 1)).toBe(false)
  expect(isLate(waiting, DUE)).toBe(true)
  expect(isLate({ ...waiting, status: 'completed' }, DUE)).toBe(false)
})

it('says why something is late', () => {
  expect(reasonOf(DUE, { phase: 'deleting', last_run: null })).toMatch(/^A run is under way/)
  expect(reasonOf(DUE, { phase: 'idle', last_run: null })).toMatch(/^No run has come to its end/)
  expect(reasonOf(DUE, { phase: 'idle', last_run: { finished_at: '2026-05-03T05:00:00Z' } })).toMatch(/^No run/)
  expect(reasonOf(DUE, { phase: 'idle', last_run: { finished_at: '2026-05-10T05:00:09Z' } })).toMatch(
    /^A run has ended/,
  )
})
