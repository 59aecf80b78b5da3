/**
 * Whether the clock is trusted. It is compared with the newest trusted instant plus the steady time since. States:
 * trusted (jobs that remove data run); held for an hour of steady time (the clock is ahead by more than a day: a wrong
 * clock, a long downtime and a suspended machine look the same); held until an operator accepts the clock (ahead by more
 * than 7 days). A hold also ends when the clock is corrected. A clock that went back is trusted: it makes nothing due
 * that was not due before.
 */
import { DAY, HOUR, MINUTE } from './time.ts'

const JUMP = DAY
const LONG_JUMP = 7 * DAY
const HOLD = HOUR

/** What is remembered of a clock from one reading to the next. */
export interface TrustedClock {
  /** Its time at the last reading. */
  seenAt: number
  /** The newest trusted instant. */
  trustedAt: number
  /** Minimum steady time until the hold ends; null: no hold. */
  holdLeft: number | null
}

export interface ClockReading {
  now: number
  /** Steady time since the last reading; 0 at a start, where it is not known. */
  elapsed: number
}

/** How far the clock is ahead of the trusted time. */
const aheadOf = (trustedAt: number, { now, elapsed }: ClockReading): number => now - (trustedAt + elapsed)

export function nextClockState(before: TrustedClock, reading: ClockReading): TrustedClock {
  const { now, elapsed } = reading
  const trusted = { seenAt: now, trustedAt: Math.max(before.trustedAt, now), holdLeft: null }
  const ahead = aheadOf(before.trustedAt, reading)
  if (ahead <= JUMP) return trusted
  const isNew = before.holdLeft === null || aheadOf(before.seenAt, reading) > JUMP
  const left = isNew || ahead > LONG_JUMP ? HOLD : (before.holdLeft ?? HOLD) - elapsed
  if (left <= 0) return trusted
  return { seenAt: now, trustedAt: before.trustedAt + elapsed, holdLeft: left }
}

export interface Hold {
  /** Milliseconds by which the clock is ahead of the trusted time. */
  ahead: number
  /** Milliseconds until it ends by itself; null: only `hedgerow clock accept` ends it. */
  left: number | null
}

/** Null when there is no hold. */
export function clockHold({ seenAt, trustedAt, holdLeft }: TrustedClock): Hold | null {
  if (holdLeft === null) return null
  const ahead = seenAt - trustedAt
  return { ahead, left: ahead > LONG_JUMP ? null : holdLeft }
}

const days = (ms: number): string => `${(ms / DAY).toFixed(1)} days`

/** For operators. */
export const describeHold = ({ ahead, left }: Hold): string =>
  `ahead by ${days(ahead)}: nothing is removed for its age ${
    left === null
      ? 'until "hedgerow clock accept" says that the clock is right'
      : `for ${Math.ceil(left / MINUTE)} minutes, in case the clock is wrong`
  }`
