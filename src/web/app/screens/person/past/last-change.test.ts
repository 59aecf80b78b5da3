import { describe, expect, it } from 'vitest'
import type { Activity } from '../../../data/activity.ts'
import { changesAt, pointAt, sinceOf } from './last-change.ts'

const day = (n: number): string => `2026-03-0${n}T00:00:00Z`
const point = (n: number, properties: Record<string, unknown>) => ({
  timestamp: day(n),
  properties,
  relevant_event_count: 1,
})
const edit = (n: number, after: unknown) =>
  ({ created_at: day(n), detail: { changes: [{ key: 'plan', after }] } }) as unknown as Activity

const points = [point(1, { plan: 'free' }), point(3, { plan: 'paid' })]

describe('since when a property has its value', () => {
  const since = (value: unknown, entries: Activity[] = [], all = points) =>
    sinceOf(all, entries, { key: 'plan', value })

  it('is the first event that saw it', () => {
    expect(since('paid')).toEqual({ at: day(3) })
    expect(since('free', [], [point(1, { plan: 'free' }), point(2, { plan: 'free' })])).toEqual({ at: day(1) })
  })

  it('is an edit after the last event with another value', () => {
    const later = edit(2, 'paid')
    expect(since('paid', [later])).toEqual({ edit: later })
    expect(since('team', [edit(4, 'team')])).toEqual({ edit: edit(4, 'team') })
  })

  it('is not an edit that an event undid', () => {
    const all = [...points, point(4, { plan: 'free' }), point(5, { plan: 'paid' })]
    expect(since('paid', [edit(2, 'paid')], all)).toEqual({ at: day(5) })
    expect(since('paid', [edit(2, 'team')])).toEqual({ at: day(3) })
  })

  it('is not known without either', () => expect(since('team')).toEqual({}))
})

it('tells what changed at a point', () => {
  expect(changesAt(points, 0, ['plan', 'x'])).toEqual([{ key: 'plan', before: undefined, after: 'free' }])
  expect(changesAt(points, 1, ['plan'])).toEqual([{ key: 'plan', before: 'free', after: 'paid' }])
  expect(changesAt(points, 2, ['plan'])).toEqual([])
})

it('finds the point in force', () => {
  expect(['', day(1), day(2), day(3), '2020-01-01', 'x'].map((at) => pointAt(points, at))).toEqual([1, 0, 0, 1, 0, 1])
})
