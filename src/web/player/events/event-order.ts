/**
 * Sorts events of blocks that overlap in time and removes duplicates. Events after the horizon wait: a block that is not
 * read yet may contain earlier ones.
 */
import type { WindowEvent } from './recorded-event.ts'

/** Removes events identical to another one of the same instant, aside from `delay`, which the player sets. */
function withoutRepeats(sorted: WindowEvent[]): WindowEvent[] {
  const seen = new Set<string>()
  let instant = Number.NaN
  return sorted.filter((item, index) => {
    const { timestamp } = item.event
    if (timestamp !== instant) {
      instant = timestamp
      seen.clear()
      if (sorted[index + 1]?.event.timestamp !== timestamp) return true
    }
    const text = JSON.stringify({ ...item, event: { ...item.event, delay: undefined } })
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

export class EventOrder {
  #waiting: WindowEvent[] = []
  #given = Number.NEGATIVE_INFINITY

  /** Drops events before those already returned: they cannot be played any more. */
  add(events: WindowEvent[]): void {
    for (const item of events) if (item.event.timestamp >= this.#given) this.#waiting.push(item)
  }

  /** Everything before `horizon`, by time; events of one instant in order of arrival. */
  take(horizon: number): WindowEvent[] {
    const ready = this.#waiting.filter(({ event }) => event.timestamp < horizon)
    this.#waiting = this.#waiting.filter(({ event }) => event.timestamp >= horizon)
    this.#given = Math.max(this.#given, horizon)
    return withoutRepeats(ready.sort((a, b) => a.event.timestamp - b.event.timestamp))
  }
}
