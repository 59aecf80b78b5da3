/**
 * Hands committed events to those who follow them. It reads batches in slices, so that requests do not wait for it, and
 * keeps at most some megabytes of them: what comes faster than it is read is left out, and followers are told so. The
 * source is open only while somebody follows.
 */
import { Slices } from '../../lib/concurrency/time-slices.ts'
import type { LiveEvent, LiveEvents, LiveFilter, LivePart } from '../../model/events/live-events.ts'
import type { Properties } from '../../model/persons/person.ts'
import { tryReadContent } from '../outbox/batch-text.ts'
import { type EventMatch, eventMatch } from './event-match.ts'

/** Texts of batches that were committed. `isComplete`: these are all since the last ones. */
export type TakeBatches = (texts: string[], isComplete: boolean) => void

/**
 * Calls `take` with each batch that is committed once this has resolved, until the function that it returns is called.
 */
export type LiveSource = (take: TakeBatches) => Promise<() => void>

interface Follower {
  projectId: number
  matches: EventMatch
  listener: (part: LivePart) => void
}

/** In characters, of all batches that wait. */
const MOST_WAITING = 8_000_000

export class LiveFeed implements LiveEvents {
  readonly #source: LiveSource
  readonly #mostWaiting: number
  readonly #followers = new Set<Follower>()
  #opened: Promise<() => void> | null = null
  #waiting: string[] = []
  #size = 0
  #isComplete = true
  #isWorking = false

  constructor(source: LiveSource, mostWaiting = MOST_WAITING) {
    this.#source = source
    this.#mostWaiting = mostWaiting
  }

  async follow(projectId: number, filter: LiveFilter, listener: (part: LivePart) => void): Promise<() => void> {
    const follower = { projectId, matches: eventMatch(filter), listener }
    this.#followers.add(follower)
    this.#opened ??= this.#source((texts, isComplete) => this.#take(texts, isComplete))
    try {
      await this.#opened
    } catch (error) {
      this.#leave(follower)
      throw error
    }
    return () => this.#leave(follower)
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower)
    if (this.#followers.size > 0) return
    const opened = this.#opened
    this.#opened = null
    this.#waiting = []
    this.#size = 0
    this.#isComplete = true
    opened?.then(
      (close) => close(),
      () => {},
    )
  }

  #take(texts: string[], isComplete: boolean): void {
    if (this.#followers.size === 0) return
    if (!isComplete) this.#isComplete = false
    for (const text of texts) {
      if (this.#size + text.length > this.#mostWaiting && this.#size > 0) this.#isComplete = false
      else {
        this.#waiting.push(text)
        this.#size += text.length
      }
    }
    if (this.#isWorking) return
    this.#isWorking = true
    // Whoever waits for the commit is answered first.
    setImmediate(() => void this.#work())
  }

  async #work(): Promise<void> {
    const slices = new Slices()
    do {
      const text = this.#waiting.shift() ?? ''
      this.#size -= text.length
      await this.#tell(text, slices)
    } while (this.#waiting.length > 0)
    this.#isWorking = false
  }

  async #tell(text: string, slices: Slices): Promise<void> {
    const isComplete = this.#isComplete
    this.#isComplete = true
    const parts = new Map([...this.#followers].map((follower): [Follower, LiveEvent[]] => [follower, []]))
    for (const event of tryReadContent(text)?.events ?? []) {
      let read: Properties | undefined
      const properties = () => {
        read ??= JSON.parse(event.properties) as Properties
        return read
      }
      for (const [{ projectId, matches }, events] of parts) {
        if (event.projectId === projectId && matches(event, properties)) events.push(event)
      }
      if (slices.isOver) await slices.rest()
    }
    for (const [follower, events] of parts) {
      const isWanted = this.#followers.has(follower) && (events.length > 0 || !isComplete)
      if (isWanted) follower.listener({ events, isComplete })
    }
  }
}
