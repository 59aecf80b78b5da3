import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  activeMs,
  activityOf,
  activityUntil,
  joinActivity,
  NO_ACTIVITY,
  readActivity,
  writeActivity,
} from './activity.ts'
import type { RrwebEvent } from './event.ts'
import { isActive } from './event.ts'

const active = (timestamp: number): RrwebEvent => ({ type: 3, data: { source: 2, type: 0 }, timestamp })
const idle = (timestamp: number): RrwebEvent => ({ type: 3, data: { source: 0 }, timestamp })

/** The rule computed directly: go through all events by time, segment by segment. */
function walk(events: RrwebEvent[]): number {
  let total = 0
  let segment: { active: boolean; from: number; end: number } | null = null
  let lastActive = Number.NEGATIVE_INFINITY
  const close = () => {
    if (segment?.active) total += Math.max(1, segment.end - segment.from)
  }
  for (const event of [...events].sort((a, b) => a.timestamp - b.timestamp)) {
    const at = event.timestamp
    const begins =
      segment === null || (isActive(event) && !segment.active) || (segment.active && at - lastActive > 5_000)
    if (begins) {
      close()
      segment = { active: isActive(event), from: at, end: at }
    } else if (segment) segment.end = at
    if (isActive(event)) lastActive = at
  }
  close()
  return total
}

/** Events around the borders that matter: gaps of just under, exactly and just over 5 s. */
const anyEvents = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.nat(12_000), fc.constantFrom(0, 1, 4_999, 5_000, 5_001, 10_000, 10_001)),
      isActive: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 1_700_000_000_000
    return steps.map((step) => {
      at += step.gap
      return step.isActive ? active(at) : idle(at)
    })
  })

const joinAll = (pieces: RrwebEvent[][], maxKept?: number) =>
  pieces.reduce((sum, piece) => {
    const joined = joinActivity(sum, activityOf(piece), maxKept)
    return readActivity(writeActivity(joined))
  }, NO_ACTIVITY)

/** The events dealt out to pieces, the pieces in any order. */
const anyPieces = anyEvents.chain((events) =>
  fc
    .array(fc.nat(7), { minLength: events.length, maxLength: events.length })
    .map((places) => Array.from({ length: 8 }, (_, p) => events.filter((_event, i) => places[i] === p)))
    .chain((pieces) => fc.shuffledSubarray(pieces, { minLength: 8, maxLength: 8 }))
    .map((pieces) => ({ events, pieces })),
)

describe('active time', () => {
  it('counts trailing events within 5 s, and a lone click as 1 ms', () => {
    const events = [active(1), active(1_001), active(4_001), idle(8_501), active(20_001)]
    expect(activeMs(activityOf(events))).toBe(8_501)
  })
  it('is zero without user activity', () => {
    expect(activeMs(activityOf([idle(1), idle(2), idle(9_000)]))).toBe(0)
    expect(activeMs(NO_ACTIVITY)).toBe(0)
  })
  it('is what walking over all events at once gives', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        expect(activeMs(activityOf(events))).toBe(walk(events))
      }),
      { numRuns: 2_000 },
    )
  })
  it('is the same however the events are split, in any order of the pieces', () => {
    fc.assert(
      fc.property(anyPieces, ({ events, pieces }) => {
        expect(activeMs(joinAll(pieces))).toBe(walk(events))
      }),
      { numRuns: 2_000 },
    )
  })
  it('does not change when a piece comes twice', () => {
    fc.assert(
      fc.property(anyPieces, ({ events, pieces }) => {
        expect(activeMs(joinAll([...pieces, ...pieces]))).toBe(walk(events))
      }),
    )
  })
  it('is never longer than the recording, but for the 1 ms of a single instant', () => {
    fc.assert(
      fc.property(anyPieces, ({ events, pieces }) => {
        const times = events.map((event) => event.timestamp)
        const duration = Math.max(...times, 0) - Math.min(...times, Number.MAX_VALUE)
        expect(activeMs(joinAll(pieces))).toBeLessThanOrEqual(Math.max(1, duration))
      }),
    )
  })
})

describe('a bounded digest', () => {
  it('keeps the exact sum when everything comes in order', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const pieces = events.map((event) => [event])
        expect(activeMs(joinAll(pieces, 8))).toBe(walk(events))
      }),
    )
  })
  it('never holds more than it may, and never counts more than there was', () => {
    fc.assert(
      fc.property(anyPieces, ({ events, pieces }) => {
        const { stretches, idle: kept } = joinAll(pieces, 8)
        expect(stretches.length + kept.length).toBeLessThanOrEqual(8)
        const times = events.map((event) => event.timestamp)
        const duration = Math.max(...times, 0) - Math.min(...times, Number.MAX_VALUE)
        expect(activeMs(joinAll(pieces, 8))).toBeLessThanOrEqual(Math.max(1, duration))
      }),
    )
  })
  it('goes on from a past of which only the sum is known', () => {
    const before = activityUntil(7_000, 100_000)
    expect(activeMs(joinActivity(before, activityOf([active(50_000), active(60_000)])))).toBe(7_000)
    expect(activeMs(joinActivity(before, activityOf([active(110_000), active(112_000)])))).toBe(9_000)
  })
})
