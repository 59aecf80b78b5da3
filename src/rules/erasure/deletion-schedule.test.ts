import { describe, expect, it } from 'vitest'
import { formatInstant, parseInstant } from '../../lib/time/time.ts'
import { nextDeletionRun } from './deletion-schedule.ts'

describe('nextDeletionRun', () => {
  it.each([
    ['2026-03-04T12:00:00Z', '2026-03-08T05:00:00Z'],
    ['2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00Z'],
    ['2026-03-08T05:00:00Z', '2026-03-15T05:00:00Z'],
    ['2026-03-08T23:00:00Z', '2026-03-15T05:00:00Z'],
    ['1970-01-01T00:00:00Z', '1970-01-04T05:00:00Z'],
  ])('after %s comes %s', (now, next) => {
    expect(formatInstant(nextDeletionRun(parseInstant(now, null)))).toBe(next)
    expect(new Date(nextDeletionRun(parseInstant(now, null))).getUTCDay()).toBe(0)
  })
})
