/**
 * A clock that tests drive. `set` and `advance` let time pass: wall time and steady time move together. `jump` sets the
 * machine's clock: only wall time moves.
 */
import type { Clock } from '../../src/lib/time/clock.ts'

export interface TestClock extends Clock {
  set(instant: number): void
  advance(ms: number): void
  jump(ms: number): void
}

export function testClock(start: number = Date.UTC(2026, 2, 4, 12)): TestClock {
  let now = start
  let steady = 0
  const advance = (ms: number) => {
    now += ms
    steady += ms
  }
  return {
    now: () => now,
    steady: () => steady,
    set: (instant) => advance(instant - now),
    advance,
    jump: (ms) => {
      now += ms
    },
  }
}
