/** A clock that tests drive. */
import type { Clock } from '../../src/lib/clock.ts'

export interface TestClock extends Clock {
  set(instant: number): void
  advance(ms: number): void
}

export function testClock(start: number = Date.UTC(2026, 2, 4, 12)): TestClock {
  let now = start
  return {
    now: () => now,
    set: (instant) => {
      now = instant
    },
    advance: (ms) => {
      now += ms
    },
  }
}
