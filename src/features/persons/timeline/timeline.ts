/**
 * A person's properties over time: its events, in order, split into points wherever one of the crucial properties
 * differs from its value at the event before. The values come from the property history. Pure; the cost depends on the
 * events and changes given.
 */
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../../lib/errors.ts'
import type { EventMoment } from '../../../model/events/event.ts'
import type { Properties, PropertyChange } from '../../../model/persons/person.ts'

export interface TimelinePoint {
  /** Of the first event that saw these values. */
  timestamp: number
  /** All properties of the person at that event. */
  properties: Properties
  /** Events from here up to the next point. */
  relevantEventCount: number
}

/** All points together, as JSON; every point repeats all properties. */
const MAX_BYTES = 100_000_000

/** Properties after each change, one change after another. */
class Replay {
  readonly #values = new Map<string, unknown>()
  readonly #sizes = new Map<string, number>()
  size = 0

  apply({ key, value, removed }: PropertyChange): void {
    const size = removed ? 0 : key.length + JSON.stringify(value).length
    this.size += size - (this.#sizes.get(key) ?? 0)
    this.#sizes.set(key, size)
    if (removed) this.#values.delete(key)
    else this.#values.set(key, value)
  }

  /** Undefined where a key is missing, which is not the same as null. */
  valuesOf(keys: string[]): unknown[] {
    return keys.map((key) => this.#values.get(key))
  }

  snapshot(): Properties {
    return Object.fromEntries(this.#values)
  }
}

/** `events` and `history` oldest first; an event already sees the change that it made. */
export function buildTimeline(
  events: EventMoment[],
  history: PropertyChange[],
  crucialKeys: string[],
): TimelinePoint[] {
  const placeOf = new Map(events.map(({ uuid }, place) => [uuid, place]))
  /** Of events at the same moment, the earlier ones do not see what the later ones change. */
  const isDue = (change: PropertyChange, timestamp: number, place: number): boolean =>
    change.at < timestamp || (change.at === timestamp && (placeOf.get(change.eventUuid ?? '') ?? place) <= place)
  const replay = new Replay()
  const points: TimelinePoint[] = []
  let next = 0
  let bytes = 0
  let seen: unknown[] = []
  for (const [place, { timestamp }] of events.entries()) {
    const before = next
    for (let change = history[next]; change && isDue(change, timestamp, place); change = history[++next]) {
      replay.apply(change)
    }
    const values = next > before ? replay.valuesOf(crucialKeys) : seen
    if (points.length === 0 || !isDeepStrictEqual(values, seen)) {
      bytes += replay.size
      if (bytes > MAX_BYTES) throw invalid('The timeline is too large; narrow the dates.', 'date_from')
      points.push({ timestamp, properties: replay.snapshot(), relevantEventCount: 0 })
    }
    seen = values
    const last = points.at(-1)
    if (last) last.relevantEventCount += 1
  }
  return points
}

/** The properties after these changes, oldest first; without `$set_once` unless it is included. */
export function propertiesAfter(history: PropertyChange[], includeSetOnce: boolean): Properties {
  const replay = new Replay()
  for (const change of history) if (includeSetOnce || !change.once) replay.apply(change)
  return replay.snapshot()
}
