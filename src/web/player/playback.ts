/**
 * Feeds the player. It is created as soon as there is something to show, with a marker event at the end so
 * that its timeline has the full length from the start; blocks are read ahead of the current time, and a seek
 * to a time that has not been read yet waits for it.
 */
import type { BlockFeed } from './block-feed.ts'
import { CUSTOM, FULL_SNAPSHOT, type RecordedEvent, type WindowEvent } from './recorded-event.ts'
import { Player } from './rrweb-player.js'
import { WindowStream } from './window-stream.ts'

export interface PlaybackParts {
  feed: BlockFeed
  target: HTMLElement
  /** Time of the last event of the recording. */
  end: number
  size: () => { width: number; height: number }
  /** Gets every event, of every window, in order. */
  seen: (events: WindowEvent[]) => void
  /** Called when the player starts or stops waiting for data. */
  waiting: (isWaiting: boolean) => void
}

const AHEAD_MS = 60_000
const INVISIBLE = 'transparent'

const marker = (tag: string, timestamp: number): RecordedEvent => ({
  type: CUSTOM,
  timestamp,
  data: { tag, payload: {} },
})

export class Playback {
  /** Time of the first frame. */
  readonly start: number
  readonly #parts: PlaybackParts
  readonly #stream: WindowStream
  readonly #player: Player
  #now: number
  #isPlaying = false
  #isWaiting = false
  #reading: Promise<void> | null = null

  private constructor(parts: PlaybackParts, stream: WindowStream, events: RecordedEvent[]) {
    this.#parts = parts
    this.#stream = stream
    this.start = (events[0] as RecordedEvent).timestamp
    this.#now = this.start
    this.#player = new Player({
      target: parts.target,
      props: {
        events: [...events, marker('end', Math.max(parts.end, this.start + 1))],
        ...parts.size(),
        autoPlay: false,
        skipInactive: true,
        showWarning: false,
        triggerFocus: false,
        speedOption: [1, 2, 4, 8],
        tags: { end: INVISIBLE },
        inactiveColor: INVISIBLE,
      },
    })
    this.#player.addEventListener('ui-update-player-state', ({ payload }) => {
      this.#isPlaying = payload === 'playing'
    })
    this.#player.addEventListener('ui-update-current-time', ({ payload }) => {
      this.#now = this.start + Number(payload)
      this.#supply()
    })
  }

  /** Reads up to the first frame; null when the recording has none. */
  static async open(parts: PlaybackParts): Promise<Playback | null> {
    const stream = new WindowStream()
    const events: RecordedEvent[] = []
    while (!events.some((event) => event.type === FULL_SNAPSHOT)) {
      if (parts.feed.horizon === Number.POSITIVE_INFINITY) return null
      const read = await parts.feed.read()
      parts.seen(read)
      for (const item of read) events.push(...stream.take(item))
    }
    return new Playback(parts, stream, events)
  }

  /** Seeks to a time; `play` undefined: plays on if it was playing. */
  seek(time: number, play?: boolean): void {
    // The player reports the new time before it reports that it plays.
    if (play !== undefined) this.#isPlaying = play
    this.#player.goto(Math.max(0, Math.min(time, this.#parts.end) - this.start), play)
  }

  resize(): void {
    this.#player.$set(this.#parts.size())
    this.#player.triggerResize()
  }

  /** Called at each frame: reads on if there is not enough ahead. */
  #supply(): void {
    const { horizon } = this.#parts.feed
    if (this.#now >= horizon && !this.#isWaiting) void this.#wait()
    if (horizon < this.#now + AHEAD_MS) void this.#readOn()
  }

  /** Pauses the player until the current time has been read; the user may seek meanwhile. */
  async #wait(): Promise<void> {
    const { feed, waiting } = this.#parts
    const wasPlaying = this.#isPlaying
    this.#isWaiting = true
    waiting(true)
    this.#player.pause()
    while (this.#now >= feed.horizon) await this.#readOn()
    this.#isWaiting = false
    waiting(false)
    this.#player.goto(this.#now - this.start, wasPlaying)
  }

  #readOn(): Promise<void> {
    this.#reading ??= this.#read()
    return this.#reading
  }

  async #read(): Promise<void> {
    const read = await this.#parts.feed.read()
    this.#parts.seen(read)
    for (const item of read) for (const event of this.#stream.take(item)) this.#player.addEvent(event)
    this.#reading = null
  }
}
