/**
 * Feeds the player. It is created as soon as there is something to show, with a marker event at the end so
 * that its timeline has the full length from the start; blocks are read ahead of the current time, and a seek
 * to a time that has not been read yet waits for it.
 *
 * The feed may begin in the middle: then another marker is at the start, and what comes before is read when the current
 * time comes near, or when the visitor turns to a window that was last drawn before.
 */
import type { BlockFeed } from './block-feed.ts'
import { CUSTOM, FULL_SNAPSHOT, type RecordedEvent, type WindowEvent } from './recorded-event.ts'
import { Player } from './rrweb-player.js'
import { WindowStream } from './window-stream.ts'

export interface PlaybackParts {
  feed: BlockFeed
  target: HTMLElement
  /** Time of the first full snapshot, for a feed that begins in the middle. */
  firstFrame: number
  /** Time of the last event of the recording. */
  end: number
  size: () => { width: number; height: number }
  /** Gets every event, of every window, in order. */
  seen: (events: WindowEvent[]) => void
  /** Gets all events again, with earlier ones. */
  seenAnew: (events: WindowEvent[]) => void
  /** Called when the player starts or stops waiting for data. */
  waiting: (isWaiting: boolean) => void
}

/** What is read around the current time. */
const AROUND_MS = 60_000
const INVISIBLE = 'transparent'

const marker = (tag: string, timestamp: number): RecordedEvent => ({
  type: CUSTOM,
  timestamp,
  data: { tag, payload: {} },
})

const hasFrame = (events: RecordedEvent[]): boolean => events.some(({ type }) => type === FULL_SNAPSHOT)

/** What the player plays of these events. */
function streamOf(items: WindowEvent[]): { stream: WindowStream; events: RecordedEvent[] } {
  const stream = new WindowStream()
  return { stream, events: items.flatMap((item) => stream.take(item)) }
}

export class Playback {
  /** Time of the first frame. */
  readonly start: number
  readonly #parts: PlaybackParts
  /** At the start, if something may come before what was read first, and at the end. */
  readonly #markers: { start: RecordedEvent[]; end: RecordedEvent }
  readonly #player: Player
  #stream: WindowStream
  #now: number
  #isPlaying = false
  #isWaiting = false
  #reading: Promise<void> | null = null

  private constructor(parts: PlaybackParts, stream: WindowStream, events: RecordedEvent[]) {
    const isWhole = parts.feed.begin === Number.NEGATIVE_INFINITY
    this.#parts = parts
    this.#stream = stream
    this.start = isWhole ? (events[0] as RecordedEvent).timestamp : parts.firstFrame
    this.#now = this.start
    this.#markers = {
      start: isWhole ? [] : [marker('start', this.start)],
      end: marker('end', Math.max(parts.end, this.start + 1)),
    }
    this.#player = new Player({
      target: parts.target,
      props: {
        events: [...this.#markers.start, ...events, this.#markers.end],
        ...parts.size(),
        autoPlay: false,
        skipInactive: true,
        showWarning: false,
        triggerFocus: false,
        speedOption: [1, 2, 4, 8],
        tags: { start: INVISIBLE, end: INVISIBLE },
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
    const { feed, seen, seenAnew } = parts
    const stream = new WindowStream()
    const events: RecordedEvent[] = []
    while (!hasFrame(events) && feed.horizon !== Number.POSITIVE_INFINITY) {
      const read = await feed.read()
      seen(read)
      for (const item of read) events.push(...stream.take(item))
    }
    if (hasFrame(events)) return new Playback(parts, stream, events)
    if (feed.begin === Number.NEGATIVE_INFINITY) return null
    // What it was to begin with is lost.
    const all = await feed.readBack(Number.NEGATIVE_INFINITY)
    seenAnew(all)
    const whole = streamOf(all)
    return hasFrame(whole.events) ? new Playback(parts, whole.stream, whole.events) : null
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

  get #isRead(): boolean {
    const { begin, horizon } = this.#parts.feed
    return this.#now >= begin && this.#now < horizon
  }

  /** Called at each frame: reads on if there is not enough ahead, then if there is not enough behind. */
  #supply(): void {
    const { begin, horizon } = this.#parts.feed
    if (!this.#isRead && !this.#isWaiting) void this.#wait()
    if (this.#now < begin) return
    if (horizon < this.#now + AROUND_MS) void this.#inTurn(() => this.#readOn())
    else if (begin > this.#now - AROUND_MS) void this.#inTurn(() => this.#readBack(this.#now - AROUND_MS))
  }

  /** Pauses the player until the current time has been read; the user may seek meanwhile. */
  async #wait(): Promise<void> {
    const { feed, waiting } = this.#parts
    const wasPlaying = this.#isPlaying
    this.#isWaiting = true
    waiting(true)
    this.#player.pause()
    while (!this.#isRead)
      await this.#inTurn(() => (this.#now < feed.begin ? this.#readBack(this.#now) : this.#readOn()))
    this.#isWaiting = false
    waiting(false)
    this.#player.goto(this.#now - this.start, wasPlaying)
  }

  /** One at a time: who comes while another reads waits for that one only. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    this.#reading ??= read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOn(): Promise<void> {
    const { feed, seen } = this.#parts
    const read = await feed.read()
    seen(read)
    for (const item of read) for (const event of this.#stream.take(item)) this.#player.addEvent(event)
    for (const windowId of this.#stream.unseen) {
      if (feed.hasBefore(windowId)) return this.#readBack(feed.begin, windowId)
    }
  }

  /** From the last full snapshot up to this time on, of this window or of any; the player goes on where it is. */
  async #readBack(time: number, windowId?: string): Promise<void> {
    const { feed, seenAnew } = this.#parts
    const all = await feed.readBack(time, windowId)
    seenAnew(all)
    const { stream, events } = streamOf(all)
    const { context } = this.#player.getReplayer().service.state
    context.events.length = 0
    for (const event of [...this.#markers.start, ...events, this.#markers.end]) context.events.push(event)
    // Nothing can be built on what is shown, as the same time may look different now.
    context.lastPlayedEvent = null
    this.#stream = stream
    if (windowId !== undefined && !this.#isWaiting) this.#player.goto(this.#now - this.start, this.#isPlaying)
  }
}
