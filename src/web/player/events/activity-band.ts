/**
 * Where in a recording the visitor was active, as coarse as it can be seen: of as many parts however long it is. What has not
 * been read is not known; events may come again, and those before others later.
 */
import type { ActivitySpan } from '../../../model/recordings/player-messages.ts'
import { isActivity } from './activity.ts'
import type { WindowEvent } from './recorded-event.ts'

/** As many as a wide screen shows apart. */
const PARTS = 400
/** A shorter pause is none, as for the active time that the server counts. */
const MOST_PAUSE_MS = 5_000

const [UNKNOWN, IDLE, ACTIVE] = [0, 1, 2]

export class ActivityBand {
  readonly #start: number
  readonly #length: number
  readonly #parts = new Uint8Array(PARTS).fill(UNKNOWN)
  /** The last active event of those that were added last. */
  #last = Number.NaN

  constructor(start: number, end: number) {
    this.#start = start
    this.#length = Math.max(1, end - start)
  }

  /** `events`, in order: all there are of this stretch of time. */
  add(events: WindowEvent[], from: number, to: number): void {
    this.#mark(from, to, IDLE)
    for (const { event } of events) {
      if (!isActivity(event)) continue
      const { timestamp } = event
      const pause = timestamp - this.#last
      this.#mark(pause >= 0 && pause <= MOST_PAUSE_MS ? this.#last : timestamp, timestamp, ACTIVE)
      this.#last = timestamp
    }
  }

  /** One after the other; between two that do not touch nothing is known. */
  spans(): ActivitySpan[] {
    const spans: ActivitySpan[] = []
    for (const [part, known] of this.#parts.entries()) {
      if (known === UNKNOWN) continue
      const [from, to, isActive] = [this.#timeOf(part), this.#timeOf(part + 1), known === ACTIVE]
      const last = spans.at(-1)
      if (last && last.to === from && last.isActive === isActive) last.to = to
      else spans.push({ from, to, isActive })
    }
    return spans
  }

  /** The parts of this stretch, ends included. */
  #mark(from: number, to: number, known: number): void {
    if (from > this.#start + this.#length || to < this.#start) return
    for (let part = this.#partOf(from); part <= this.#partOf(to); part++)
      this.#parts[part] = Math.max(this.#parts[part] as number, known)
  }

  #partOf(time: number): number {
    const share = (time - this.#start) / this.#length
    return Math.max(0, Math.min(PARTS - 1, Math.floor(share * PARTS)))
  }

  #timeOf(part: number): number {
    return this.#start + (part / PARTS) * this.#length
  }
}
