import { describe, expect, it } from 'vitest'
import { DAY } from '../../../lib/time/time.ts'
import { microsOf } from '../values/literal.ts'
import { EVER, type TimeRange, windowsOf } from './time-windows.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
const at = (days: number): bigint => microsOf(NOW + days * DAY)

/** Each begins where the one before ends. */
function expectToCover(range: TimeRange, windows: TimeRange[]): void {
  const sorted = windows.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  expect(sorted[0]?.from).toBe(range.from)
  expect(sorted.at(-1)?.to).toBe(range.to)
  for (const [place, { from, to }] of sorted.entries()) {
    expect(from < to).toBe(true)
    if (place > 0) expect(from).toBe(sorted[place - 1]?.to)
  }
}

describe('the windows of a search', () => {
  it.each<[string, TimeRange]>([
    ['all', EVER],
    ['the past', { from: EVER.from, to: at(0) }],
    ['what is to come', { from: at(1), to: EVER.to }],
    ['a month', { from: at(-40), to: at(-10) }],
    ['an instant', { from: at(-3), to: at(-3) + 1n }],
    ['a century', { from: at(-36_500), to: at(5) }],
  ])('cover %s once, in the order of the search', (_name, range) => {
    const older = [...windowsOf(range, 'older', NOW)]
    expectToCover(range, older)
    expect(older.toSorted((a, b) => (a.from > b.from ? -1 : 1))).toEqual(older)
    const newer = [...windowsOf(range, 'newer', NOW)]
    expectToCover(range, newer)
    expect(newer.toSorted((a, b) => (a.from < b.from ? -1 : 1))).toEqual(newer)
  })

  it('are none where there is no time', () => {
    const none = { from: at(1), to: at(0) }
    expect([...windowsOf(none, 'older', NOW), ...windowsOf(none, 'newer', NOW)]).toEqual([])
  })

  it('begin with an hour, and are few', () => {
    const [first, ...others] = windowsOf(EVER, 'older', NOW)
    expect(first).toEqual({ from: at(-1 / 24), to: EVER.to })
    expect(others.length).toBeLessThan(6)
    const [next] = windowsOf({ from: at(-100), to: EVER.to }, 'newer', NOW)
    expect(next).toEqual({ from: at(-100), to: at(-100 + 1 / 24) })
  })
})
