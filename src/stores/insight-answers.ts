/** Answers to insight questions, put together from counts as engines return them. */
import type { BreakdownValue, FunnelStepAnswer, LifecycleAnswer } from '../model/insights/insight-question.ts'

/** Kinds of breakdown values, in the order of their lines. */
export const VALUE = 0
export const NONE = 1
export const OTHER = 2

export function breakdownOf(kind: number, text: string): BreakdownValue {
  if (kind === VALUE) return { kind: 'value', text }
  return { kind: kind === NONE ? 'none' : 'other' }
}

/** A step of a funnel that nobody made. */
export const NO_ACTORS: FunnelStepAnswer = { count: 0, averageMs: null, medianMs: null }

/** Who began in which interval, and how many of them returned so many intervals later; 0 later: how many there were. */
export type RetentionCount = [begun: number, later: number, count: number]

export function retentionAnswer(found: RetentionCount[], intervals: number): number[][] {
  const counts = Array.from({ length: intervals }, (_, begun) => new Array<number>(intervals - begun).fill(0))
  for (const [begun, later, count] of found) {
    const row = counts[begun]
    if (row) row[later] = count
  }
  return counts
}

/** Of each interval: its actors, those of them that were in the one before, and those that began in it. */
export interface LifecycleCounts {
  here: number[]
  again: number[]
  fresh: number[]
}

export function noCounts(intervals: number): LifecycleCounts {
  const none = () => new Array<number>(intervals).fill(0)
  return { here: none(), again: none(), fresh: none() }
}

export function lifecycleAnswer({ here, again, fresh }: LifecycleCounts): LifecycleAnswer {
  const later = <T>(of: (here: number, again: number, fresh: number, before: number) => T): T[] =>
    here.slice(1).map((now, place) => of(now, again[place + 1] ?? 0, fresh[place + 1] ?? 0, here[place] ?? 0))
  return {
    fresh: fresh.slice(1),
    returning: again.slice(1),
    resurrecting: later((now, back, first) => now - back - first),
    dormant: later((_now, back, _first, before) => before - back),
  }
}
