/** The injected clock: all code that needs the time gets a Clock, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction when the machine's clock is set. */
  now(): number
  /** Milliseconds since some moment of this process; never goes back and never jumps. For measuring how long things last. */
  steady(): number
}

export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() }
