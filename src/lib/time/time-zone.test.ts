import { describe, expect, test } from 'vitest'
import { toInstant, toWall } from './time-zone.ts'

const at = (text: string): number => Date.parse(text)

describe('local time', () => {
  test.each([
    ['UTC', '2026-03-04T12:00:00Z', '2026-03-04T12:00:00Z'],
    ['Europe/Berlin', '2026-01-04T12:00:00Z', '2026-01-04T13:00:00Z'],
    ['Europe/Berlin', '2026-07-04T12:00:00Z', '2026-07-04T14:00:00Z'],
    ['Asia/Kathmandu', '2026-01-04T12:00:00Z', '2026-01-04T17:45:00Z'],
    ['America/Los_Angeles', '2026-01-04T05:00:00Z', '2026-01-03T21:00:00Z'],
  ])('in %s shows at %s %s', (zone, instant, wall) => {
    expect(toWall(at(instant), zone)).toBe(at(wall))
    expect(toInstant(at(wall), zone)).toBe(at(instant))
  })

  test('a midnight that the clock skips is the first moment after the gap', () => {
    // Santiago, 2026-09-06: from 23:59:59 -04 to 01:00 -03.
    expect(toInstant(at('2026-09-06T00:00:00Z'), 'America/Santiago')).toBe(at('2026-09-06T04:00:00Z'))
  })

  test('of an hour that comes twice the first one is meant', () => {
    expect(toInstant(at('2026-10-25T02:30:00Z'), 'Europe/Berlin')).toBe(at('2026-10-25T00:30:00Z'))
  })
})
