/**
 * Carries what is in the outbox to the event store, once over. Rows go together, in portions. Of a portion that is
 * refused each row goes alone, so that it holds up no other; a row that was refused five times goes in parts, and parts
 * that are refused again are parked, for as long as the event store takes other batches. A fault of the event store
 * itself (see EventStore.apply) ends the pass at once: nothing is parked for that.
 *
 * A kill at any point neither loses nor doubles anything. In order, each step on the disk before the next:
 * 1. The row is marked: from now on nobody applies it whole.
 * 2. Parts are applied, each with its id in the same transaction of the event store. Whoever goes over the row again
 *    applies only those whose id is not there; and none, should the row have been stored although its call failed.
 *    Ids are forgotten only after a pass that left no row behind.
 * 3. In one transaction the row goes and what was refused is parked, under new ids: no part of it was ever applied, so
 *    that it can come back as a batch like any other.
 */

import { AppError, errorText } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { NewParkedBatch, OutboxBatch, OutboxReader, OutboxWriter } from '../../model/events/outbox.ts'
import { type BatchPart, joinRefused, partsOf, type RefusedPart } from './batch-parts.ts'
import { writeContent } from './batch-text.ts'

export interface RelayParts {
  outbox: OutboxReader
  /** A change of the outbox in a transaction of its own. */
  change: (work: (outbox: OutboxWriter) => Promise<void>) => Promise<void>
  /** Removes applied rows in a transaction of its own, which a crash of the machine may undo. */
  remove: (ids: string[]) => Promise<void>
  events: Pick<EventStore, 'apply' | 'removeProject'>
  clock: Clock
  /** Rows have left the outbox. */
  gone: () => void
  /** So many batches were parked, the first with this error. */
  parked: (batches: number, error: string) => void
}

export interface RelayResult {
  /** Rows that have left the outbox. */
  rows: number
  /** Why others stay. */
  refusal: unknown
}

const BATCHES_AT_ONCE = 50
/** Characters in one transaction of the event store. */
const PORTION = 2_000_000
const MAX_REFUSALS = 5
/** No project has this id. */
const NO_PROJECT = 0

function portionsOf(batches: OutboxBatch[]): OutboxBatch[][] {
  const portions: OutboxBatch[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const batch of batches) {
    if (batch.inParts || size + batch.text.length > PORTION) {
      portions.push([])
      size = 0
    }
    portions.at(-1)?.push(batch)
    size = batch.inParts ? Number.POSITIVE_INFINITY : size + batch.text.length
  }
  return portions
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.kind === 'unprocessable'

/** An event, a person and its id like any other, of a project that nobody has. */
function sampleBatch(now: number): OutboxBatch {
  const uuid = uuidV7(now)
  const event = { projectId: NO_PROJECT, uuid, event: 'sample', distinctId: uuid, timestamp: now, sessionId: null }
  const person = { projectId: NO_PROJECT, personId: 1, uuid, properties: {}, createdAt: now, deleted: false }
  const text = writeContent({
    events: [{ ...event, properties: {} }],
    persons: [person],
    distinctIds: [{ projectId: NO_PROJECT, distinctId: uuid, personId: 1 }],
  })
  return { id: uuid, seq: 1, text }
}

export class Relay {
  readonly #parts: RelayParts
  /** How often a row that is still there was refused, by id. */
  readonly #refusals = new Map<string, number>()

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /** Rejects when the event store, or the outbox itself, does not work. */
  async run(signal: AbortSignal): Promise<RelayResult> {
    const result: RelayResult = { rows: 0, refusal: null }
    let after = ''
    for (;;) {
      const batches = await this.#parts.outbox.peek(BATCHES_AT_ONCE, after)
      for (const portion of portionsOf(batches)) if (!signal.aborted) await this.#take(portion, result, signal)
      // When it takes nothing at all, more of the same would only be a burden. What has come meanwhile is gathered first.
      const isStuck = result.refusal !== null && result.rows === 0
      if (signal.aborted || isStuck || batches.length < BATCHES_AT_ONCE) return result
      after = batches.at(-1)?.id ?? ''
    }
  }

  async #take(portion: OutboxBatch[], result: RelayResult, signal: AbortSignal): Promise<void> {
    const [first] = portion
    if (!first || signal.aborted) return
    if (first.inParts) return this.#takeInParts(first, result, signal)
    const refusal = await this.#refusalOf(portion)
    if (refusal === null) {
      await this.#parts.remove(portion.map(({ id }) => id))
      this.#left(portion, result)
    } else if (portion.length > 1) {
      for (const batch of portion) await this.#take([batch], result, signal)
    } else {
      const times = (this.#refusals.get(first.id) ?? 0) + 1
      this.#refusals.set(first.id, times)
      if (times >= MAX_REFUSALS) await this.#takeInParts(first, result, signal)
      else result.refusal = refusal
    }
  }

  /** Applies them; null when they were taken, else why the event store does not want them. */
  async #refusalOf(batches: OutboxBatch[]): Promise<AppError | null> {
    try {
      await this.#parts.events.apply(batches, this.#parts.clock.now())
      return null
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  }

  async #takeInParts(batch: OutboxBatch, result: RelayResult, signal: AbortSignal): Promise<void> {
    const { change, clock, parked } = this.#parts
    const refused = await this.#refusedOf(batch, signal)
    if (refused.length > 0) await this.#trySample()
    const now = clock.now()
    await change((outbox) => (refused.length > 0 ? outbox.park(batch.id, refused, now) : outbox.remove([batch.id])))
    const [first] = refused
    if (first) parked(refused.length, first.error)
    this.#left([batch], result)
  }

  /** Applies what can be applied of the batch; gives what can not. */
  async #refusedOf(batch: OutboxBatch, signal: AbortSignal): Promise<NewParkedBatch[]> {
    const { change, clock } = this.#parts
    const newId = () => uuidV7(clock.now())
    let parts: BatchPart[]
    try {
      parts = partsOf(batch)
    } catch (error) {
      const unreadable = `It cannot be read: ${errorText(error)}`
      return [{ id: newId(), projectId: null, text: null, events: 0, changes: 0, error: unreadable }]
    }
    if (!batch.inParts) await change((outbox) => outbox.beginParts(batch.id))
    return joinRefused(await this.#refusedParts(parts, signal), newId)
  }

  /** Halves what is refused until only single parts are left; each of these has a second try. */
  async #refusedParts(parts: BatchPart[], signal: AbortSignal): Promise<RefusedPart[]> {
    signal.throwIfAborted()
    const batches = parts.map(({ batch }) => batch)
    const [part, ...more] = parts
    const refusal = part ? await this.#refusalOf(batches) : null
    if (!part || refusal === null) return []
    if (more.length === 0) {
      const again = await this.#refusalOf(batches)
      return again === null ? [] : [{ part, error: errorText(again) }]
    }
    const half = Math.ceil(parts.length / 2)
    const first = await this.#refusedParts(parts.slice(0, half), signal)
    return first.concat(await this.#refusedParts(parts.slice(half), signal))
  }

  /** Rejects unless the event store takes another batch right now: then it is not this one's fault. */
  async #trySample(): Promise<void> {
    const { events, clock } = this.#parts
    const now = clock.now()
    try {
      await events.apply([sampleBatch(now)], now)
      await events.removeProject(NO_PROJECT)
    } catch (cause) {
      throw new Error('The event store takes no other batch either; nothing is parked.', { cause })
    }
  }

  #left(batches: OutboxBatch[], result: RelayResult): void {
    for (const { id } of batches) this.#refusals.delete(id)
    result.rows += batches.length
    this.#parts.gone()
  }
}
