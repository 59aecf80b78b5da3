/**
 * One pass of the outbox relay: applies outbox rows to the event store in portions. If a portion is refused, its
 * halves are applied, down to single rows, so that a bad row holds up no other. A row refused five times is applied in parts; parts
 * refused again are parked, as long as the event store accepts other batches. An error of the event store itself (see
 * EventStore.apply) ends the pass and parks nothing.
 *
 * A kill at any point neither loses nor duplicates anything. In order, each step synced to disk before the next:
 * 1. The row is marked: from now on it is never applied as a whole.
 * 2. Parts are applied, each with its id in the same transaction of the event store. A pass that retries the row
 *    applies only those whose id is not there; and none, if the row was stored although its call failed.
 *    Ids are forgotten only after a pass that left no row behind.
 * 3. In one transaction the row is removed and what was refused is parked, under new ids: no part of it was ever
 *    applied, so that it can come back as a batch like any other.
 */

import { AppError, errorText } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { NewParkedBatch, OutboxBatch, OutboxWriter } from '../../model/events/outbox.ts'
import { type BatchPart, joinRefused, partsOf, type RefusedPart } from './batch-parts.ts'
import { writeContent } from './batch-text.ts'
import type { OutboxRows } from './outbox-rows.ts'

export interface RelayParts {
  rows: OutboxRows
  /** A change of the outbox in a transaction of its own. */
  change: (work: (outbox: OutboxWriter) => Promise<void>) => Promise<void>
  events: Pick<EventStore, 'apply' | 'removeProject'>
  clock: Clock
  /** Called when rows have left the outbox. */
  gone: () => void
  /** Called with the number of batches parked, and the error of the first. */
  parked: (batches: number, error: string) => void
}

export interface RelayResult {
  /** Rows that have left the outbox. */
  rows: number
  /** Why other rows stay. */
  refusal: unknown
}

const MAX_REFUSALS = 5
/** No project has this id. */
const NO_PROJECT = 0

function portionsOf(batches: OutboxBatch[], most: number): OutboxBatch[][] {
  const portions: OutboxBatch[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const batch of batches) {
    if (batch.inParts || size + batch.text.length > most) {
      portions.push([])
      size = 0
    }
    portions.at(-1)?.push(batch)
    size = batch.inParts ? Number.POSITIVE_INFINITY : size + batch.text.length
  }
  return portions
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.kind === 'unprocessable'

/** An event, a person and its id like any other, of a project that does not exist. */
function sampleBatch(now: number): OutboxBatch {
  const uuid = uuidV7(now)
  const event = { projectId: NO_PROJECT, uuid, event: 'sample', distinctId: uuid, timestamp: now, sessionId: null }
  const times = { createdAt: now, updatedAt: now, lastSeenAt: now }
  const person = {
    projectId: NO_PROJECT,
    personId: 1,
    uuid,
    properties: '{}',
    ...times,
    isIdentified: false,
    deleted: false,
  }
  const text = writeContent({
    events: [{ ...event, properties: {} }],
    persons: [person],
    distinctIds: [{ projectId: NO_PROJECT, distinctId: uuid, personId: 1 }],
  })
  return { id: uuid, seq: 1, text }
}

export class Relay {
  readonly #parts: RelayParts
  /** How often a row that still exists was refused, by id. */
  readonly #refusals = new Map<string, number>()

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /** Rejects when the event store, or the outbox itself, does not work. */
  async run(signal: AbortSignal): Promise<RelayResult> {
    const result: RelayResult = { rows: 0, refusal: null }
    let after = ''
    for (;;) {
      const { batches, isLast } = await this.#parts.rows.take(after)
      await this.#takeAll(batches, result, signal)
      // When it accepts nothing at all, more rows would only add load. Rows that arrived meanwhile are gathered first.
      const isStuck = result.refusal !== null && result.rows === 0
      if (signal.aborted || isStuck || isLast) return result
      after = batches.at(-1)?.id ?? ''
    }
  }

  async #takeAll(batches: OutboxBatch[], result: RelayResult, signal: AbortSignal): Promise<void> {
    try {
      for (const portion of portionsOf(batches, this.#parts.rows.gathering.portion))
        if (!signal.aborted) await this.#take(portion, result, signal)
    } finally {
      await this.#parts.rows.ended()
    }
  }

  async #take(portion: OutboxBatch[], result: RelayResult, signal: AbortSignal): Promise<void> {
    const [first] = portion
    if (!first || signal.aborted) return
    if (first.inParts) return this.#takeInParts(first, result, signal)
    const refusal = await this.#refusalOf(portion)
    if (refusal === null) {
      await this.#parts.rows.applied(portion.map(({ id }) => id))
      this.#left(portion, result)
    } else if (portion.length > 1) {
      const half = Math.ceil(portion.length / 2)
      await this.#take(portion.slice(0, half), result, signal)
      await this.#take(portion.slice(half), result, signal)
    } else {
      const times = (this.#refusals.get(first.id) ?? 0) + 1
      this.#refusals.set(first.id, times)
      if (times >= MAX_REFUSALS) await this.#takeInParts(first, result, signal)
      else result.refusal = refusal
    }
  }

  /** Applies them; null when they were accepted, else why the event store refuses them. */
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

  /** Applies what can be applied of the batch; returns what cannot. */
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

  /** Halves what is refused until only single parts are left; each of these is tried a second time. */
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

  /** Rejects unless the event store accepts another batch right now: only then is the batch itself the reason. */
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
    const ids = batches.map(({ id }) => id)
    for (const id of ids) this.#refusals.delete(id)
    this.#parts.rows.left(ids)
    result.rows += ids.length
    this.#parts.gone()
  }
}
