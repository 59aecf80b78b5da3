/**
 * One reader of events as they arrive: at most so many a second, how many others matched, and a sign of life. It ends with
 * its credential, and when it takes nothing for a minute. What the client does not take in time is left out, never kept.
 */
import { EventStream } from '../../../http/output/event-stream.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { MINUTE, SECOND } from '../../../lib/time/time.ts'
import type { LiveEvent, LivePart } from '../../../model/events/live-events.ts'

export interface LiveReaderParts {
  clock: Clock
  /** The event as the API shows it, in one line. */
  write: (event: LiveEvent) => Promise<string>
  /** Whether its credential still holds; rejects when that cannot be found out. */
  isStillAdmitted: () => Promise<boolean>
  /** Called once. */
  ended: () => void
}

const EVENTS_A_SECOND = 20
const HEARTBEAT_MS = 15 * SECOND
/** A store that is away for a moment ends nothing. */
const UNKNOWN_MS = 10 * SECOND

export class LiveReader {
  readonly stream = new EventStream()
  readonly #parts: LiveReaderParts
  /** When each of the last second's events was taken, as all instants here in steady time. */
  #takenAt: number[] = []
  #unsent = 0
  #leftOut = 0
  #isComplete = true
  #sending = Promise.resolve()
  #toldAt: number
  #beatAt: number
  #checkedAt: number
  #admittedAt: number
  #isChecking = false
  #fullSince: number | null = null
  #hasEnded = false

  constructor(parts: LiveReaderParts) {
    this.#parts = parts
    const now = parts.clock.steady()
    this.#toldAt = now
    this.#beatAt = now
    this.#checkedAt = now
    this.#admittedAt = now
  }

  take({ events, isComplete }: LivePart): void {
    if (this.#hasEnded) return
    if (!isComplete) this.#isComplete = false
    const now = this.#parts.clock.steady()
    this.#takenAt = this.#takenAt.filter((at) => now - at < SECOND)
    const room = this.stream.isFull ? 0 : EVENTS_A_SECOND - Math.max(this.#takenAt.length, this.#unsent)
    const taken = events.slice(0, Math.max(0, room))
    this.#leftOut += events.length - taken.length
    if (taken.length === 0) return
    for (const _ of taken) this.#takenAt.push(now)
    this.#unsent += taken.length
    this.#sending = this.#sending.then(() => this.#send(taken))
  }

  /** To be called a few times a second. */
  tick(): void {
    const now = this.#parts.clock.steady()
    this.#endIfStuck(now)
    if (now - this.#toldAt >= SECOND) this.#tellLeftOut(now)
    if (now - this.#beatAt >= HEARTBEAT_MS) {
      this.#beatAt = now
      this.stream.comment()
    }
    if (now - this.#checkedAt >= SECOND && !this.#isChecking) void this.#check(now)
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    // A client that takes nothing would not get to know of the end.
    if (this.stream.isFull) this.stream.destroy()
    else this.stream.end()
    this.#parts.ended()
  }

  async #send(events: LiveEvent[]): Promise<void> {
    // Not shown when its person cannot be read just now.
    const texts = await Promise.all(events.map((event) => this.#parts.write(event).catch(() => null)))
    for (const text of texts) if (text === null || !this.stream.send(text)) this.#leftOut++
    this.#unsent -= events.length
  }

  #tellLeftOut(now: number): void {
    if (this.#leftOut === 0 && this.#isComplete) return
    const told = JSON.stringify({ count: this.#leftOut, more: !this.#isComplete })
    if (!this.stream.send(told, 'left_out')) return
    this.#toldAt = now
    this.#leftOut = 0
    this.#isComplete = true
  }

  #endIfStuck(now: number): void {
    if (!this.stream.isFull) this.#fullSince = null
    else this.#fullSince ??= now
    if (this.#fullSince !== null && now - this.#fullSince >= MINUTE) this.end()
  }

  async #check(now: number): Promise<void> {
    this.#isChecking = true
    this.#checkedAt = now
    try {
      if (await this.#parts.isStillAdmitted()) this.#admittedAt = now
      else this.end()
    } catch {
      if (now - this.#admittedAt >= UNKNOWN_MS) this.end()
    }
    this.#isChecking = false
  }
}
