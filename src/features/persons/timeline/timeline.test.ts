import { describe, expect, test } from 'vitest'
import { chunks } from '../../../lib/lists/lists.ts'
import type { EventMoment } from '../../../model/events/event.ts'
import type { PropertyChange } from '../../../model/persons/person.ts'
import { buildTimeline, propertiesAfter, type TimelinePoint } from './timeline.ts'

const event = (timestamp: number, uuid = `event-${timestamp}`): EventMoment => ({ uuid, timestamp })

const NOTHING = { personId: 1, set: {}, once: {}, removed: [], seq: 1, eventUuid: null }

const set = (at: number, key: string, value: unknown, more: Partial<PropertyChange> = {}): PropertyChange => ({
  ...NOTHING,
  at,
  set: Object.fromEntries([[key, value]]),
  ...more,
})

const unset = (at: number, key: string): PropertyChange => ({ ...NOTHING, at, removed: [key] })

/** In portions of two. */
async function* portions(changes: PropertyChange[]): AsyncGenerator<PropertyChange[]> {
  for (const portion of chunks(changes, 2)) yield portion
}

const timeline = (events: EventMoment[], history: PropertyChange[], crucialKeys: string[]) =>
  buildTimeline(events, portions(history), crucialKeys)

const short = (points: TimelinePoint[]) =>
  points.map((point) => [point.timestamp, point.properties, point.relevantEventCount])

describe('a timeline', () => {
  test('without events has no points, whatever changed', async () => {
    expect(await timeline([], [set(1, 'a', 1)], ['a'])).toEqual([])
  })

  test('without crucial properties is one point that counts every event', async () => {
    const points = await timeline([event(10), event(20)], [set(1, 'a', 1), set(15, 'a', 2)], [])
    expect(short(points)).toEqual([[10, { a: 1 }, 2]])
  })

  test('has a point where a crucial property differs, with all properties as they were', async () => {
    const history = [set(1, 'a', 1), set(1, 'other', 'x'), set(15, 'a', 2), set(25, 'other', 'y')]
    const points = await timeline([event(10), event(12), event(20), event(30)], history, ['a'])
    expect(short(points)).toEqual([
      [10, { a: 1, other: 'x' }, 2],
      [20, { a: 2, other: 'x' }, 2],
    ])
  })

  test('returning to an earlier value makes a new point, changes between two events none', async () => {
    const history = [set(1, 'a', 1), set(11, 'a', 2), set(21, 'a', 1), set(31, 'a', 9), set(32, 'a', 1)]
    const points = await timeline([event(10), event(20), event(30), event(40)], history, ['a'])
    expect(points.map((point) => point.timestamp)).toEqual([10, 20, 30])
  })

  test('distinguishes a missing property from null', async () => {
    const points = await timeline([event(10), event(20), event(30)], [set(15, 'a', null), unset(25, 'a')], ['a'])
    expect(short(points)).toEqual([
      [10, {}, 1],
      [20, { a: null }, 1],
      [30, {}, 1],
    ])
  })

  test('compares objects by what they hold', async () => {
    const history = [set(1, 'a', { x: [1] }), set(15, 'a', { x: [1] }), set(25, 'a', { x: [2] })]
    expect(await timeline([event(10), event(20), event(30)], history, ['a'])).toHaveLength(2)
  })

  test('an event sees its own change, and those made through the API at the same moment', async () => {
    const history = [set(10, 'a', 1, { eventUuid: 'event-10' }), set(10, 'b', 2)]
    expect(short(await timeline([event(10)], history, ['a']))).toEqual([[10, { a: 1, b: 2 }, 1]])
  })

  test('of two events at one moment the first does not see the change of the second', async () => {
    const history = [set(10, 'a', 1, { eventUuid: 'first' }), set(10, 'a', 2, { eventUuid: 'second' })]
    expect(short(await timeline([event(10, 'first'), event(10, 'second')], history, ['a']))).toEqual([
      [10, { a: 1 }, 1],
      [10, { a: 2 }, 1],
    ])
  })

  test('keeps keys that exist on every object', async () => {
    const [point] = await timeline([event(10)], [set(1, '__proto__', 1), set(1, 'constructor', 2)], [])
    expect(Object.entries(point?.properties ?? {})).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ])
  })

  test('is refused when its points together would be too large', async () => {
    const big = set(0, 'big', 'x'.repeat(900_000))
    const flips = Array.from({ length: 200 }, (_, i) => set(i + 1, 'a', i))
    const events = Array.from({ length: 200 }, (_, i) => event(i + 1))
    await expect(timeline(events, [big, ...flips], ['a'])).rejects.toThrow('too large')
    expect(await timeline(events.slice(0, 100), [big, ...flips], ['a'])).toHaveLength(100)
  })
})

describe('properties after a history', () => {
  const history = [set(1, 'a', 1), { ...NOTHING, at: 2, once: { b: 2 } }, set(3, 'a', 3), set(4, 'c', 4), unset(5, 'c')]

  test('are what the last change of each key left', async () => {
    expect(await propertiesAfter(portions(history), true)).toEqual({ a: 3, b: 2 })
  })

  test('leave out what was set once unless it is requested', async () => {
    expect(await propertiesAfter(portions(history), false)).toEqual({ a: 3 })
  })
})
