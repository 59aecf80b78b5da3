import { expect, it } from 'vitest'
import { Activity } from './activity.ts'
import { BLUR, CLICK, INCREMENTAL, MOUSE_INTERACTION, MUTATION, type RecordedEvent } from './recorded-event.ts'

const click = (timestamp: number, type = CLICK): RecordedEvent => ({
  type: INCREMENTAL,
  timestamp,
  data: { source: MOUSE_INTERACTION, type },
})
const change = (timestamp: number): RecordedEvent => ({ type: INCREMENTAL, timestamp, data: { source: MUTATION } })

function activityOf(...events: RecordedEvent[]): Activity {
  const activity = new Activity()
  activity.add(events)
  return activity
}

const ALL = Number.POSITIVE_INFINITY

it('is idle until a second before the visitor goes on', () => {
  const activity = activityOf(click(1_000), click(61_000), click(62_000))
  expect(activity.idleAt(1_000, ALL)).toEqual({ until: 60_000, isStill: true })
  expect(activity.idleAt(0, ALL)).toBeNull()
  expect(activity.idleAt(50_000, ALL)).toEqual({ until: 60_000, isStill: true })
  expect(activity.idleAt(50_001, ALL)).toBeNull()
  expect(activity.idleAt(61_000, ALL)).toBeNull()
})

it('is still only if the page does not change meanwhile', () => {
  const activity = activityOf(click(1_000), change(30_000), click(61_000))
  expect(activity.idleAt(1_000, ALL)?.isStill).toBe(false)
  expect(activity.idleAt(30_000, ALL)?.isStill).toBe(true)
})

it('is idle up to what is known, and to the end after the last activity', () => {
  const activity = activityOf(click(1_000))
  expect(activity.idleAt(1_000, 90_000)).toEqual({ until: 90_000, isStill: true })
  expect(activity.idleAt(85_000, 90_000)).toBeNull()
})

it('does not take the leaving of a window for activity', () => {
  const activity = activityOf(click(1_000), click(20_000, BLUR), click(61_000))
  expect(activity.idleAt(1_000, ALL)).toEqual({ until: 60_000, isStill: false })
})

it('finds its way among many', () => {
  const activity = activityOf(...Array.from({ length: 10_000 }, (_, n) => click(n * 20_000)))
  for (const n of [0, 1, 4_999, 9_998]) expect(activity.idleAt(n * 20_000, ALL)?.until).toBe((n + 1) * 20_000 - 1_000)
})
