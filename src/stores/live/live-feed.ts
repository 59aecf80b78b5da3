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

type Listener = (part: LivePart) => void

/** Those who follow the same: what is asked of an event is asked once for all of them. */
interface Group {
  projectId: number
  matches: EventMatch
  /** By whom they are for: one function may follow twice. */
  listeners: Map<symbol, Listener>
}

/** Its properties, parsed when they are first asked for. */
function readOnce({ properties }: LiveEvent): () => Properties {
  let read: Properties | undefined
  return () => {
    read ??= JSON.parse(properties) as Properties
    return read
  }
}

const isMeant = ({ projectId, matches }: Group, event: LiveEvent, properties: () => Properties): boolean =>
  event.projectId === projectId && matches(event, properties)

function tellAll({ listeners }: Group, part: LivePart): void {
  for (const listener of [...listeners.values()]) listener(part)
}

/** In characters, of all batches that wait. */
const MOST_WAITING = 8_000_000

export class LiveFeed implements LiveEvents {
  readonly #source: LiveSource
  readonly #mostWaiting: number
  readonly #groups = new Map<string, Group>()
  #opened: Promise<() => void> | null = null
  #waiting: string[] = []
  #size = 0
  #isComplete = true
  #isWorking = false

  constructor(source: LiveSource, mostWaiting = MOST_WAITING) {
    this.#source = source
    this.#mostWaiting = mostWaiting
  }

  async follow(projectId: number, filter: LiveFilter, listener: Listener): Promise<() => void> {
    const key = JSON.stringify([projectId, filter])
    const group = this.#groups.get(key) ?? { projectId, matches: eventMatch(filter), listeners: new Map() }
    const follower = Symbol(key)
    group.listeners.set(follower, listener)
    this.#groups.set(key, group)
    const leave = () => {
      if (group.listeners.delete(follower) && group.listeners.size === 0) this.#drop(key)
    }
    this.#opened ??= this.#source((texts, isComplete) => this.#take(texts, isComplete))
    try {
      await this.#opened
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }

  #drop(key: string): void {
    this.#groups.delete(key)
    if (this.#groups.size > 0) return
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
    if (this.#groups.size === 0) return
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
    const parts = [...this.#groups.values()].map((group) => ({ group, events: [] as LiveEvent[] }))
    for (const event of tryReadContent(text)?.events ?? []) {
      const properties = readOnce(event)
      for (const { group, events } of parts) if (isMeant(group, event, properties)) events.push(event)
      if (slices.isOver) await slices.rest()
    }
    for (const { group, events } of parts) {
      if (events.length > 0 || !isComplete) tellAll(group, { events, isComplete })
    }
  }
}
