/**
 * Sliding-log rate limits of this process, and of others as far as it is told of them (shared-limits.ts). A bucket holds
 * the request times of the last window, as steady time: setting the machine's clock must not lock clients out. A refused
 * request does not extend it. Idle buckets are removed, so memory is proportional to the active keys.
 */

import { throttled } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { HOUR, MINUTE } from '../../lib/time/time.ts'

export interface Limit {
  max: number
  windowMs: number
}

/** platform.md 2.8: what keys may do when limits are switched on. */
export const KEY_LIMITS: Limit[] = [
  { max: 480, windowMs: MINUTE },
  { max: 4_800, windowMs: HOUR },
]
export const QUERY_LIMITS: Limit[] = [
  { max: 240, windowMs: MINUTE },
  { max: 1_200, windowMs: HOUR },
]

export interface Standing {
  limit: number
  remaining: number
  resetSeconds: number
}

const SWEEP_EVERY = 10_000

export class RateLimiter {
  readonly #clock: Clock
  readonly #times = new Map<string, number[]>()
  /** Counted since they were last told to others; null: to nobody. */
  #untold: Map<string, number> | null = null
  #calls = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one request against each limit of `bucket`; throws `throttled` when one is exhausted. */
  take(bucket: string, limits: Limit[]): Standing {
    const now = this.#clock.steady()
    const longest = Math.max(...limits.map((limit) => limit.windowMs))
    if (++this.#calls % SWEEP_EVERY === 0) this.#sweep(now)
    const times = (this.#times.get(bucket) ?? []).filter((time) => time > now - longest)
    let standing: Standing | undefined
    for (const { max, windowMs } of limits) {
      const recent = times.filter((time) => time > now - windowMs)
      const resetSeconds = Math.ceil(((recent[0] ?? now) + windowMs - now) / 1_000)
      if (recent.length >= max) throw throttled(resetSeconds, max)
      const here = { limit: max, remaining: max - recent.length - 1, resetSeconds }
      if (!standing || here.remaining < standing.remaining) standing = here
    }
    times.push(now)
    this.#times.set(bucket, times)
    this.#untold?.set(bucket, (this.#untold.get(bucket) ?? 0) + 1)
    return standing ?? { limit: 0, remaining: 0, resetSeconds: 0 }
  }

  /** What was counted since the last call, to be told to others; the first call begins to keep it. */
  takeUntold(): Map<string, number> {
    const untold = this.#untold ?? new Map<string, number>()
    this.#untold = new Map()
    return untold
  }

  /** It could not be told. */
  giveBack(untold: Map<string, number>): void {
    for (const [bucket, count] of untold) this.#untold?.set(bucket, (this.#untold.get(bucket) ?? 0) + count)
  }

  /** Another process has counted them, so long ago. */
  addOthers(bucket: string, count: number, agoMs: number): void {
    const at = this.#clock.steady() - agoMs
    const times = [...(this.#times.get(bucket) ?? []), ...Array.from({ length: count }, () => at)]
    this.#times.set(
      bucket,
      times.sort((a, b) => a - b),
    )
    if (++this.#calls % SWEEP_EVERY === 0) this.#sweep(this.#clock.steady())
  }

  #sweep(now: number): void {
    for (const [bucket, times] of this.#times) {
      if ((times.at(-1) ?? 0) < now - HOUR) this.#times.delete(bucket)
    }
  }
}
