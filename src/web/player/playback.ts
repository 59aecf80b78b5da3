/**
 * Plays a recording, without controls: whoever draws those is told what there is to show. It is created as soon as there is
 * a frame, with a marker event at the end so that the whole length counts from the start; blocks are read ahead of the
 * current time, and a seek to a time that has not been read yet waits for it.
 *
 * The feed may begin in the middle: then another marker is at the start, and what comes before is read when the current
 * time comes near, or when the visitor turns to a window that was last drawn before.
 */
import { Replayer } from '@rrweb/replay'
import type { PlayerState } from '../../model/recordings/player-messages.ts'
import type { BlockFeed } from './block-feed.ts'
import { Activity } from './events/activity.ts'
import { CUSTOM, FULL_SNAPSHOT, type RecordedEvent, type WindowEvent } from './events/recorded-event.ts'
import { WindowStream } from './events/window-stream.ts'
import { fitPage } from './stage.ts'

export interface PlaybackParts {
  feed: BlockFeed
  target: HTMLElement
  /** Time of the first full snapshot, for a feed that begins in the middle. */
  firstFrame: number
  /** Time of the last event of the recording. */
  end: number
  /** Gets every event, of every window, in order. */
  seen: (events: WindowEvent[]) => void
  /** Gets all events again, with earlier ones. */
  seenAnew: (events: WindowEvent[]) => void
  /** At each frame while it plays, and whenever something else changes. */
  tell: (state: PlayerState) => void
}

/** What is read around the current time. */
const AROUND_MS = 60_000
/** What somebody has asked to see is shown for so long, idle or not. */
const STAY_MS = 3_000
/** Idle time in which the page changes passes in about so long, but no faster than this. */
const SKIP_MS = 3_000
const MOST_SPEED = 120

/** As the replayer names them. */
type Played = Exclude<Parameters<Replayer['addEvent']>[0], string>

const marker = (tag: string, timestamp: number): RecordedEvent => ({
  type: CUSTOM,
  timestamp,
  data: { tag, payload: {} },
})

const hasFrame = (events: RecordedEvent[]): boolean => events.some(({ type }) => type === FULL_SNAPSHOT)

/** What is played of these events. */
function streamOf(items: WindowEvent[]): { stream: WindowStream; events: RecordedEvent[] } {
  const stream = new WindowStream()
  return { stream, events: items.flatMap((item) => stream.take(item)) }
}

function activityOf(events: RecordedEvent[]): Activity {
  const activity = new Activity()
  activity.add(events)
  return activity
}

export class Playback {
  /** Time of the first frame. */
  readonly start: number
  readonly #parts: PlaybackParts
  /** At the start, if something may come before what was read first, and at the end. */
  readonly #markers: { start: RecordedEvent[]; end: RecordedEvent }
  readonly #replayer: Replayer
  #stream: WindowStream
  #activity: Activity
  #now: number
  #isPlaying = false
  #isWaiting = false
  #speed = 1
  #skipsIdle = true
  /** Until this time it plays faster. */
  #fastUntil = Number.NEGATIVE_INFINITY
  /** Of the browser's own clock: until then nothing is skipped. */
  #stayUntil = 0
  #ticking = 0
  #reading: Promise<void> | null = null

  private constructor(parts: PlaybackParts, stream: WindowStream, events: RecordedEvent[]) {
    const isWhole = parts.feed.begin === Number.NEGATIVE_INFINITY
    this.#parts = parts
    this.#stream = stream
    this.#activity = activityOf(events)
    this.start = isWhole ? (events[0] as RecordedEvent).timestamp : parts.firstFrame
    this.#now = this.start
    this.#markers = {
      start: isWhole ? [] : [marker('start', this.start)],
      end: marker('end', Math.max(parts.end, this.start + 1)),
    }
    const all = [...this.#markers.start, ...events, this.#markers.end]
    this.#replayer = new Replayer(all as Played[], {
      root: parts.target,
      showWarning: false,
      // Replayed focus does not take the page's own.
      triggerFocus: false,
    })
    fitPage(this.#replayer, parts.target)
    this.#replayer.on('finish', () => this.#finish())
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

  /** Time of the last event. */
  get end(): number {
    return this.#markers.end.timestamp
  }

  get isPlaying(): boolean {
    return this.#isPlaying
  }

  get time(): number {
    return this.#now
  }

  /** From the start again, at the end. */
  play(): void {
    this.seek(this.#now >= this.end ? this.start : this.#now, true)
  }

  pause(): void {
    this.#isPlaying = false
    this.#replayer.pause()
    this.#tell()
  }

  /** Plays on if it was playing. */
  seek(time: number, play = this.#isPlaying): void {
    this.#stayUntil = performance.now() + STAY_MS
    this.#isPlaying = play
    this.#go(time)
  }

  set speed(speed: number) {
    this.#speed = speed
    this.#setSpeed()
  }

  set skipsIdle(skips: boolean) {
    this.#skipsIdle = skips
    if (!skips) this.#endSkipping()
  }

  /** What has not been read yet is waited for; who waits already goes to this time instead. */
  #go(time: number): void {
    this.#endSkipping()
    this.#now = Math.max(this.start, Math.min(time, this.end))
    if (!this.#isRead) {
      if (!this.#isWaiting) void this.#wait()
    } else if (!this.#isWaiting) this.#show()
    this.#tell()
  }

  #show(): void {
    const offset = this.#now - this.start
    if (this.#isPlaying) this.#replayer.play(offset)
    else this.#replayer.pause(offset)
    cancelAnimationFrame(this.#ticking)
    if (this.#isPlaying) this.#ticking = requestAnimationFrame(this.#tick)
    else this.#supply()
  }

  readonly #tick = (): void => {
    if (!this.#isPlaying || this.#isWaiting) return
    this.#ticking = requestAnimationFrame(this.#tick)
    this.#now = Math.min(this.start + this.#replayer.getCurrentTime(), this.end)
    this.#skip()
    this.#supply()
    this.#tell()
  }

  /** Jumps over what is still, and plays what changes faster. */
  #skip(): void {
    if (this.#now < this.#fastUntil) return
    if (this.#fastUntil > 0) this.#endSkipping()
    if (!this.#skipsIdle || performance.now() < this.#stayUntil) return
    const idle = this.#activity.idleAt(this.#now, Math.min(this.#parts.feed.horizon, this.end))
    if (idle?.isStill) this.#go(idle.until)
    else if (idle) {
      this.#fastUntil = idle.until
      this.#setSpeed()
    }
  }

  #endSkipping(): void {
    this.#fastUntil = Number.NEGATIVE_INFINITY
    this.#setSpeed()
  }

  #setSpeed(): void {
    const fast = Math.min(MOST_SPEED, (this.#fastUntil - this.#now) / SKIP_MS)
    this.#replayer.setConfig({ speed: Math.max(this.#speed, fast) })
  }

  #finish(): void {
    if (!this.#isRead || this.#isWaiting || !this.#isPlaying) return
    this.#isPlaying = false
    this.#now = this.end
    this.#endSkipping()
    this.#tell()
  }

  #tell(): void {
    this.#parts.tell({
      time: this.#now,
      isPlaying: this.#isPlaying,
      isWaiting: this.#isWaiting,
      isSkipping: this.#now < this.#fastUntil,
      windowId: this.#stream.windowAt(this.#now),
    })
  }

  get #isRead(): boolean {
    const { begin, horizon } = this.#parts.feed
    return this.#now >= begin && this.#now < horizon
  }

  /** Reads on if there is not enough ahead, then if there is not enough behind. */
  #supply(): void {
    const { begin, horizon } = this.#parts.feed
    if (!this.#isRead && !this.#isWaiting) void this.#wait()
    if (this.#now < begin) return
    if (horizon < this.#now + AROUND_MS) void this.#inTurn(() => this.#readOn())
    else if (begin > this.#now - AROUND_MS) void this.#inTurn(() => this.#readBack(this.#now - AROUND_MS))
  }

  /** Until the current time has been read; it may become another meanwhile. */
  async #wait(): Promise<void> {
    const { feed } = this.#parts
    this.#isWaiting = true
    // Meanwhile it shows the closest that there is.
    this.#replayer.pause(this.#now - this.start)
    this.#tell()
    while (!this.#isRead)
      await this.#inTurn(() => (this.#now < feed.begin ? this.#readBack(this.#now) : this.#readOn()))
    this.#isWaiting = false
    this.#show()
    this.#tell()
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
    const events = read.flatMap((item) => this.#stream.take(item))
    this.#activity.add(events)
    for (const event of events) this.#replayer.addEvent(event as Played)
    for (const windowId of this.#stream.unseen) {
      if (feed.hasBefore(windowId)) return this.#readBack(feed.begin, windowId)
    }
  }

  /** From the last full snapshot up to this time on, of this window or of any; it goes on where it is. */
  async #readBack(time: number, windowId?: string): Promise<void> {
    const { feed, seenAnew } = this.#parts
    const all = await feed.readBack(time, windowId)
    seenAnew(all)
    const { stream, events } = streamOf(all)
    const { context } = this.#replayer.service.state
    context.events.length = 0
    for (const event of [...this.#markers.start, ...events, this.#markers.end]) context.events.push(event as Played)
    // Nothing can be built on what is shown, as the same time may look different now.
    context.lastPlayedEvent = null
    this.#stream = stream
    this.#activity = activityOf(events)
    if (windowId !== undefined && !this.#isWaiting) this.#show()
  }
}
