/** What a timeline and the history say about properties: since when, by what, and what changed at a point. */
import type { Activity } from '../../../data/activity.ts'
import type { TimelinePoint } from '../../../data/people/person-past.ts'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const valueIn = ({ properties }: TimelinePoint, key: string): unknown =>
  Object.hasOwn(properties, key) ? properties[key] : undefined

export interface Since {
  /** Somebody edited it. */
  edit?: Activity
  /** The first event that saw the value. */
  at?: string
}

/** Where the last run of this value begins; as many as there are points when the last one has another. */
function beginningOf(points: readonly TimelinePoint[], key: string, value: unknown): number {
  const isOther = (point: TimelinePoint) => !isSame(valueIn(point, key), value)
  return points.findLastIndex(isOther) + 1
}

const isEditTo = ({ detail }: Activity, key: string, value: unknown): boolean =>
  detail.changes?.some((change) => change.key === key && isSame(change.after, value)) === true

/** `points` oldest first, with this property as crucial; `entries` newest first. */
export function sinceOf(
  points: readonly TimelinePoint[],
  entries: readonly Activity[],
  { key, value }: { key: string; value: unknown },
): Since {
  const begins = beginningOf(points, key, value)
  const before = points[begins - 1]
  const edit = entries.find((entry) => isEditTo(entry, key, value))
  // An edit before the last event with another value was undone by that one.
  if (edit && (!before || Date.parse(edit.created_at) >= Date.parse(before.timestamp))) return { edit }
  const point = points[begins]
  return point ? { at: point.timestamp } : {}
}

export interface PointChange {
  key: string
  before: unknown
  after: unknown
}

/** What differs from the point before; all that is set at the first one. */
export function changesAt(points: readonly TimelinePoint[], at: number, keys: readonly string[]): PointChange[] {
  const [point, before] = [points[at], points[at - 1]]
  if (!point) return []
  return keys
    .map((key) => ({ key, before: before && valueIn(before, key), after: valueIn(point, key) }))
    .filter(({ before: was, after }) => !isSame(was, after))
}

/** The point that is in force at an instant: the last one not after it, else the first. */
export function pointAt(points: readonly TimelinePoint[], instant: string): number {
  const when = Date.parse(instant)
  if (Number.isNaN(when)) return points.length - 1
  return Math.max(
    0,
    points.findLastIndex(({ timestamp }) => Date.parse(timestamp) <= when),
  )
}
