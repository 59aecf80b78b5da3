/**
 * Whether the clock is believed. It is compared with the newest instant that was believed before, moved on by the steady
 * time since. States: trusted (what removes data runs), held for an hour of steady time (the clock is ahead by more
 * than a day: a wrong clock, a long stop and a machine that slept look the same), held until a person accepts the clock
 * (ahead by more than 7 days). A hold also ends when the clock is set right. A clock that went back is believed: it
 * makes nothing due that was not due before.
 */
import { DAY, HOUR, MINUTE } from './time.ts'

const JUMP = DAY
const LONG_JUMP = 7 * DAY
const HOLD = HOUR

/** What is known of a clock from one look to the next. */
export interface ClockKnowledge {
  /** What it said at the last look. */
  seenAt: number
  /** The newest instant that is believed. */
  trustedAt: number
  /** Steady time for which the hold lasts at the least; null: nothing is held. */
  holdLeft: number | null
}

export interface Look {
  now: number
  /** Steady time since the last look; 0 at a start, where it is not known. */
  elapsed: number
}

/** How far the clock is ahead of what is believed. */
const aheadOf = (trustedAt: number, { now, elapsed }: Look): number => now - (trustedAt + elapsed)

export function stateAfter(before: ClockKnowledge, look: Look): ClockKnowledge {
  const { now, elapsed } = look
  const trusted = { seenAt: now, trustedAt: Math.max(before.trustedAt, now), holdLeft: null }
  const ahead = aheadOf(before.trustedAt, look)
  if (ahead <= JUMP) return trusted
  const isNew = before.holdLeft === null || aheadOf(before.seenAt, look) > JUMP
  const left = isNew || ahead > LONG_JUMP ? HOLD : (before.holdLeft ?? HOLD) - elapsed
  if (left <= 0) return trusted
  return { seenAt: now, trustedAt: before.trustedAt + elapsed, holdLeft: left }
}

export interface Hold {
  /** Milliseconds by which the clock is ahead of what is believed. */
  ahead: number
  /** Milliseconds until it ends by itself; null: only `hedgerow clock accept` ends it. */
  left: number | null
}

/** Null when nothing is held. */
export function holdOf({ seenAt, trustedAt, holdLeft }: ClockKnowledge): Hold | null {
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
