/** The parts of rrweb-player that the page uses. The file itself comes from the installed package. */
import type { RecordedEvent } from './recorded-event.ts'

export interface PlayerProps {
  events: RecordedEvent[]
  width: number
  height: number
  autoPlay: boolean
  skipInactive: boolean
  showWarning: boolean
  /** Whether replayed focus takes the page's own. */
  triggerFocus: boolean
  speedOption: number[]
  /** Colours of custom events on the timeline. */
  tags: Record<string, string>
  inactiveColor: string
}

/** What it plays, by time, and what it has played last; both may be replaced. */
interface Replayer {
  service: { state: { context: { events: RecordedEvent[]; lastPlayedEvent: RecordedEvent | null } } }
}

export class Player {
  constructor(options: { target: HTMLElement; props: PlayerProps })
  addEventListener(event: string, handler: (detail: { payload: never }) => void): void
  addEvent(event: RecordedEvent): void
  getReplayer(): Replayer
  /** `offset`: milliseconds from the first event; `play` undefined: plays on if it was playing. */
  goto(offset: number, play?: boolean): void
  pause(): void
  triggerResize(): void
  $set(props: Partial<PlayerProps>): void
}
