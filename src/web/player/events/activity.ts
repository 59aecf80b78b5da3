/** When the visitor did something, and when the page changed: what is between is idle time, which can be skipped. */
import {
  BLUR,
  DRAG,
  INCREMENTAL,
  INPUT,
  MOUSE_INTERACTION,
  MOUSE_MOVE,
  type RecordedEvent,
  SCROLL,
  TOUCH_MOVE,
} from './recorded-event.ts'

const ACTIVE = new Set([MOUSE_MOVE, MOUSE_INTERACTION, SCROLL, INPUT, TOUCH_MOVE, DRAG])

/** Less is not worth skipping. */
const LEAST_MS = 10_000
/** What is shown of it before the visitor goes on. */
const LEAD_MS = 1_000

/** Leaving a window (blur) is not activity in it. */
export const isActivity = ({ type, data }: RecordedEvent): boolean =>
  type === INCREMENTAL && ACTIVE.has(data?.source) && !(data.source === MOUSE_INTERACTION && data.type === BLUR)

export interface Idle {
  /** Where to go on. */
  until: number
  /** Nothing changes up to then. */
  isStill: boolean
}

/** The index of the first of them that is later; they are in order. */
function firstAfter(times: number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) > time) high = middle
    else low = middle + 1
  }
  return low
}

export class Activity {
  readonly #active: number[] = []
  readonly #changes: number[] = []

  /** Must be called in order of time. */
  add(events: RecordedEvent[]): void {
    for (const event of events) (isActivity(event) ? this.#active : this.#changes).push(event.timestamp)
  }

  /** `known`: up to when everything was added. Null while the visitor is active, or soon will be. */
  idleAt(now: number, known: number): Idle | null {
    const next = this.#active[firstAfter(this.#active, now)] ?? Number.POSITIVE_INFINITY
    const until = Math.min(next - LEAD_MS, known)
    if (until - now < LEAST_MS) return null
    const change = this.#changes[firstAfter(this.#changes, now)] ?? Number.POSITIVE_INFINITY
    return { until, isStill: change > until }
  }
}
