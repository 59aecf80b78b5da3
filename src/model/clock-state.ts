/** The saved state of the server's clock, so that a jump is detected at the next reading or the next start. */

export interface ClockState {
  /** The clock's time at the last reading. */
  seenAt: number
  /** The newest trusted instant. It never goes back. */
  trustedAt: number
  /** Minimum steady time in milliseconds for which destructive work is held; null: no hold. */
  holdLeft: number | null
}

export interface ClockStateReader {
  /** Null when no server has saved it yet. */
  find(): Promise<ClockState | null>
}

export interface ClockStateWriter extends ClockStateReader {
  /** Replaces the saved state, but keeps the newer `trustedAt`. */
  save(state: ClockState): Promise<void>
}
