/** Recorded events, with the fields that the player needs. */

export interface RecordedEvent {
  type: number
  /** Milliseconds since the epoch, by the visitor's clock. */
  timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: every kind of event has its own shape, and most are only passed on
  data: any
  /** Set if parts of `data` are compressed. */
  cv?: string
}

/** Tabs of one session record in parallel; node ids are unique within one of them only. */
export interface WindowEvent {
  windowId: string
  event: RecordedEvent
}

export const FULL_SNAPSHOT = 2
export const INCREMENTAL = 3
export const META = 4
export const CUSTOM = 5
export const PLUGIN = 6

export const MUTATION = 0
export const MOUSE_MOVE = 1
export const MOUSE_INTERACTION = 2
export const SCROLL = 3
export const INPUT = 5
export const TOUCH_MOVE = 6
export const STYLE_SHEET_RULE = 8
export const DRAG = 12

export const CLICK = 2
export const BLUR = 6
