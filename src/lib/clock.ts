/** Time as a value: everything that asks for "now" is handed a Clock, so that tests can drive it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
