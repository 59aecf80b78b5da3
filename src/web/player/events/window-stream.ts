/**
 * Merges the windows of a session into one stream that follows the window the visitor is active in. When it switches
 * to another window, that window's last full snapshot and all changes since are played at once, so that one player
 * can show them all. Nothing of a window is played before its first full snapshot: a recording whose beginning is
 * missing starts there. No two events of the stream have the same time, because the player does not keep their order.
 */
import { isActivity } from './activity.ts'
import {
  DRAG,
  FULL_SNAPSHOT,
  INCREMENTAL,
  META,
  MOUSE_INTERACTION,
  MOUSE_MOVE,
  type RecordedEvent,
  TOUCH_MOVE,
  type WindowEvent,
} from './recorded-event.ts'

/** A thousandth of a millisecond; the precision of a double for present-day times is a quarter of that. */
const TICK = 0.001
/** For a snapshot without a page size. */
const DEFAULT_SIZE = { href: '', width: 1_280, height: 720 }
/** Events without a lasting effect on the page. */
const TRANSIENT = new Set([MOUSE_MOVE, MOUSE_INTERACTION, TOUCH_MOVE, DRAG])

interface WindowState {
  /** The page's last known size and URL. */
  meta: RecordedEvent | null
  /** A meta event has come before the next full snapshot. */
  announced: boolean
  /** From the last full snapshot on; empty before the first. */
  since: RecordedEvent[]
}

const isPlayed = ({ type }: RecordedEvent): boolean => type === META || type === FULL_SNAPSHOT || type === INCREMENTAL

const lasts = ({ type, data }: RecordedEvent): boolean => type !== INCREMENTAL || !TRANSIENT.has(data?.source)

export class WindowStream {
  readonly #windows = new Map<string, WindowState>()
  readonly #unseen = new Set<string>()
  /** Which window is shown from when on. */
  readonly #switches: { windowId: string; from: number }[] = []
  #shown: string | null = null
  #last = Number.NEGATIVE_INFINITY

  /** Windows that the visitor was active in and of which no full snapshot has come. */
  get unseen(): ReadonlySet<string> {
    return this.#unseen
  }

  /** The window that is shown then; before the first it is that one already. */
  windowAt(time: number): string | null {
    const last = this.#switches.findLast(({ from }) => from <= time) ?? this.#switches[0]
    return last?.windowId ?? null
  }

  /** The player's events for this event; must be called in order of time. */
  take(item: WindowEvent): RecordedEvent[] {
    return this.#played(item).map((event) => {
      this.#last = Math.max(event.timestamp, this.#last + TICK)
      return event.timestamp === this.#last ? event : { ...event, timestamp: this.#last }
    })
  }

  #played({ windowId, event }: WindowEvent): RecordedEvent[] {
    if (!isPlayed(event)) return []
    const state = this.#stateOf(windowId)
    const played = this.#note(state, event)
    if (state.since.length === 0) {
      if (isActivity(event)) this.#unseen.add(windowId)
      return []
    }
    this.#unseen.delete(windowId)
    if (windowId === this.#shown) return played
    if (this.#shown !== null && !isActivity(event)) return []
    this.#shown = windowId
    this.#switches.push({ windowId, from: event.timestamp })
    const past = state.since.filter((earlier) => earlier !== event && lasts(earlier))
    return [...past, event].map((earlier) => ({ ...earlier, timestamp: event.timestamp }))
  }

  #stateOf(windowId: string): WindowState {
    const known = this.#windows.get(windowId)
    if (known) return known
    const state = { meta: null, announced: false, since: [] }
    this.#windows.set(windowId, state)
    return state
  }

  /** Records the event; returns the events for a player that shows this window. */
  #note(state: WindowState, event: RecordedEvent): RecordedEvent[] {
    if (event.type === META) {
      state.meta = event
      state.announced = true
    }
    if (event.type !== FULL_SNAPSHOT) {
      if (state.since.length > 0) state.since.push(event)
      return [event]
    }
    const { timestamp } = event
    const meta = { ...(state.meta ?? { type: META, data: DEFAULT_SIZE }), timestamp }
    const played = state.announced ? [event] : [meta, event]
    state.announced = false
    state.since = [meta, event]
    return played
  }
}
