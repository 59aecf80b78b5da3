/**
 * Keeps a player supplied. The player is made as soon as there is something to show, with a mark at the very end so
 * that its timeline has the whole length from the start; blocks are read ahead of what is being shown, and a jump
 * to what has not been read yet waits for it.
 */
import type { BlockFeed } from './block-feed.ts'
import { CUSTOM, FULL_SNAPSHOT, type RecordedEvent, type WindowEvent } from './recorded-event.ts'
import { Player } from './rrweb-player.js'
import { WindowStream } from './window-stream.ts'

export interface PlaybackParts {
  feed: BlockFeed
  target: HTMLElement
  /** When the last event of the recording was. */
  end: number
  size: () => { width: number; height: number }
  /** Sees every event, of every window, in order. */
  seen: (events: WindowEvent[]) => void
  /** Whether the player waits for data. */
  waiting: (isWaiting: boolean) => void
}

const AHEAD_MS = 60_000
const INVISIBLE = 'transparent'

const mark = (tag: string, timestamp: number): RecordedEvent => ({
  type: CUSTOM,
  timestamp,
  data: { tag, payload: {} },
})

export class Playback {
  /** When the first frame is. */
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
        events: [...events, mark('end', Math.max(parts.end, this.start + 1))],
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

  /** Goes to a time; plays from there, or as before. */
  seek(time: number, play?: boolean): void {
    // The player tells of the new time before it tells that it plays.
    if (play !== undefined) this.#isPlaying = play
    this.#player.goto(Math.max(0, Math.min(time, this.#parts.end) - this.start), play)
  }

  resize(): void {
    this.#player.$set(this.#parts.size())
    this.#player.triggerResize()
  }

  /** Is called at each frame: looks whether there is enough to go on, and reads when there is not. */
  #supply(): void {
    const { horizon } = this.#parts.feed
    if (this.#now >= horizon && !this.#isWaiting) void this.#wait()
    if (horizon < this.#now + AHEAD_MS) void this.#readOn()
  }

  /** Holds the player until what it is to show has been read; it may be sent elsewhere meanwhile. */
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
