/** For lines of the log about what happens again and again: true at most once in `ms` of steady time. */
import type { Clock } from './clock.ts'

export function atMostEvery(ms: number, clock: Pick<Clock, 'steady'>): () => boolean {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.steady()
    if (now - last < ms) return false
    last = now
    return true
  }
}
