import { describe, expect, it } from 'vitest'
import { clockHold, nextClockState, type TrustedClock } from './clock-trust.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 2, 4, 12)

const known = (input: Partial<TrustedClock> = {}): TrustedClock => ({
  seenAt: NOON,
  trustedAt: NOON,
  holdLeft: null,
  ...input,
})

/** Looks at a clock that is moved by `jump` and then by as much as steady time, a minute at a time. */
function drive(state: TrustedClock, jump: number, lasting: number): TrustedClock {
  let last = nextClockState(state, { now: state.seenAt + jump, elapsed: 0 })
  for (let ms = 0; ms < lasting; ms += MINUTE) {
    last = nextClockState(last, { now: last.seenAt + MINUTE, elapsed: MINUTE })
  }
  return last
}
const ahead = (state: TrustedClock) => clockHold(state)?.ahead

describe('a clock is trusted', () => {
  it('that goes on as steady time does, however long the time between two looks', () => {
    const state = nextClockState(known(), { now: NOON + 400 * DAY, elapsed: 400 * DAY })
    expect(state).toEqual({ seenAt: NOON + 400 * DAY, trustedAt: NOON + 400 * DAY, holdLeft: null })
  })
  it('up to a day ahead of it', () => {
    expect(clockHold(drive(known(), DAY, 0))).toBeNull()
    expect(clockHold(drive(known(), DAY + 1, 0))).toEqual({ ahead: DAY + 1, left: HOUR })
  })
  it('that went back, and that comes forward again to where it was', () => {
    const back = drive(known(), -40 * DAY, 3 * HOUR)
    expect([clockHold(back), back.trustedAt]).toEqual([null, NOON])
    expect(clockHold(drive(back, 40 * DAY, 0))).toBeNull()
    expect(ahead(drive(back, 45 * DAY, 0))).toBeGreaterThan(DAY)
  })
})

describe('a clock that is ahead', () => {
  it('by up to 7 days is trusted after an hour of steady time, which readings and restarts do not extend', () => {
    expect(clockHold(drive(known(), 7 * DAY, 59 * MINUTE))).toEqual({ ahead: 7 * DAY, left: MINUTE })
    const later = drive(known(), 7 * DAY, HOUR)
    expect([clockHold(later), later.trustedAt]).toEqual([null, later.seenAt])
    const restarted = nextClockState(drive(known(), 3 * DAY, 40 * MINUTE), { now: NOON + 3 * DAY + HOUR, elapsed: 0 })
    expect(clockHold(restarted)?.left).toBe(20 * MINUTE)
  })
  it('by more is not trusted, however long it lasts', () => {
    expect(clockHold(drive(known(), 7 * DAY + 1, 3 * HOUR))).toEqual({ ahead: 7 * DAY + 1, left: null })
  })
  it('is trusted when an operator accepts it, and when it is corrected', () => {
    const held = drive(known(), 40 * DAY, 3 * HOUR)
    expect(clockHold(nextClockState({ ...held, trustedAt: held.seenAt }, { now: held.seenAt, elapsed: 0 }))).toBeNull()
    expect(clockHold(drive(held, -40 * DAY, 0))).toBeNull()
  })
  it('and jumps again is held for another hour, or until an operator accepts it', () => {
    const held = drive(known(), 2 * DAY, 50 * MINUTE)
    expect(clockHold(drive(held, 2 * DAY, 0))).toEqual({ ahead: 4 * DAY, left: HOUR })
    expect(clockHold(drive(held, 6 * DAY, 5 * HOUR))).toEqual({ ahead: 8 * DAY, left: null })
    expect(clockHold(drive(drive(held, 6 * DAY, HOUR), -5 * DAY, 0))).toEqual({ ahead: 3 * DAY, left: HOUR })
  })
})
