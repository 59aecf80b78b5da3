/** What the server has noted of its clock, so that a jump shows at the next look or at the next start. */

export interface ClockState {
  /** What the clock said at the last look. */
  seenAt: number
  /** The newest instant that is believed. It never goes back. */
  trustedAt: number
  /** Milliseconds of steady time for which destructive work is held at the least; null: nothing is held. */
  holdLeft: number | null
}

export interface ClockStateReader {
  /** Null when no server has looked at its clock yet. */
  find(): Promise<ClockState | null>
}

export interface ClockStateWriter extends ClockStateReader {
  /** Replaces what was there, but for `trustedAt`, of which the newer one stays. */
  save(state: ClockState): Promise<void>
}
