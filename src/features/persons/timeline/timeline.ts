/**
 * A person's properties over time: its events, in order, split into points wherever one of the crucial properties
 * differs from its value at the event before. The values come from the property history. The cost depends on the events and
 * changes given.
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

  apply({ set, once, removed }: Pick<PropertyChange, 'set' | 'once' | 'removed'>): void {
    for (const properties of [once, set]) {
      for (const key of Object.keys(properties)) this.#set(key, properties[key])
    }
    for (const key of removed) {
      this.#values.delete(key)
      this.#resize(key, 0)
    }
  }

  #set(key: string, value: unknown): void {
    this.#values.set(key, value)
    this.#resize(key, key.length + JSON.stringify(value).length)
  }

  #resize(key: string, size: number): void {
    this.size += size - (this.#sizes.get(key) ?? 0)
    this.#sizes.set(key, size)
  }

  /** Undefined where a key is missing, which is not the same as null. */
  valuesOf(keys: string[]): unknown[] {
    return keys.map((key) => this.#values.get(key))
  }

  snapshot(): Properties {
    return Object.fromEntries(this.#values)
  }
}

/** Changes oldest first, in portions. */
export type History = AsyncIterable<PropertyChange[]>

/** The changes one after the other: `next` is the one that `take` takes, null at the end. */
class Changes {
  readonly #portions: AsyncIterator<PropertyChange[]>
  #portion: PropertyChange[] = []
  #place = 0

  constructor(history: History) {
    this.#portions = history[Symbol.asyncIterator]()
  }

  async next(): Promise<PropertyChange | null> {
    while (this.#place >= this.#portion.length) {
      const { value, done } = await this.#portions.next()
      if (done) return null
      this.#portion = value
      this.#place = 0
    }
    return this.#portion[this.#place] ?? null
  }

  take(): void {
    this.#place++
  }
}

/** `events` and `history` oldest first; an event already sees the change that it made. */
export async function buildTimeline(
  events: EventMoment[],
  history: History,
  crucialKeys: string[],
): Promise<TimelinePoint[]> {
  const placeOf = new Map(events.map(({ uuid }, place) => [uuid, place]))
  /** Of events at the same moment, the earlier ones do not see what the later ones change. */
  const isDue = (change: PropertyChange, timestamp: number, place: number): boolean =>
    change.at < timestamp || (change.at === timestamp && (placeOf.get(change.eventUuid ?? '') ?? place) <= place)
  const replay = new Replay()
  const points: TimelinePoint[] = []
  const changes = new Changes(history)
  let change = events.length > 0 ? await changes.next() : null
  let bytes = 0
  let seen: unknown[] = []
  for (const [place, { timestamp }] of events.entries()) {
    let isChanged = false
    while (change && isDue(change, timestamp, place)) {
      replay.apply(change)
      isChanged = true
      changes.take()
      change = await changes.next()
    }
    const values = isChanged ? replay.valuesOf(crucialKeys) : seen
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
export async function propertiesAfter(history: History, includeSetOnce: boolean): Promise<Properties> {
  const replay = new Replay()
  for await (const changes of history) {
    for (const change of changes) replay.apply(includeSetOnce ? change : { ...change, once: {} })
  }
  return replay.snapshot()
}
