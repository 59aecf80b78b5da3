/**
 * Decides when the outbox is emptied into the event store; relay.ts does it. Modes: idle (no row known to wait),
 * gathering (rows wait, and more may come: one transaction for many costs hardly more than for one), draining (applying
 * the rows that are there), backing off (the event store failed: retried after a pause that doubles up to 30 s; or it
 * refuses a row: after a second), stopped. Woken by each local commit, by those of other processes that tell of them,
 * and, as that may get lost, every second; a waiting reader ends the gathering at once. A row is removed only after its
 * batch is applied or parked.
 */
import { exponentialBackoff } from '../../lib/concurrency/backoff.ts'
import { StoreUnavailable, unavailable } from '../../lib/errors.ts'
import { HOUR, MINUTE, SECOND } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import { Relay, type RelayParts } from './relay.ts'

export interface DrainerParts extends Omit<RelayParts, 'gone'> {
  /** Ids of all rows that wait. */
  pending: () => Promise<string[]>
  events: RelayParts['events'] & Pick<EventStore, 'forgetBatches'>
  failed: (error: unknown) => void
}

const POLL_MS = SECOND
const WAIT_MS = 5 * SECOND
const KEEP_BATCH_IDS_MS = HOUR
const TIDY_MS = 5 * SECOND
const backoff = exponentialBackoff({ first: SECOND, factor: 2, max: 30 * SECOND })

/** Each of them ends with a drain: at once, after gathering, or after the time of a poll or pause. */
type Mode = 'drain' | 'gather' | 'poll'

export class Drainer {
  readonly #parts: DrainerParts
  readonly #relay: Relay
  readonly #stop = new AbortController()
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  /** What the timer is for. */
  #armed: Mode = 'poll'
  /** The mode after the running drain. */
  #next: Mode = 'poll'
  #gatheringSince = 0
  /** Of the event store, in a row; how long it is left alone depends on it. */
  #failures = 0
  #forgotAt = Number.NEGATIVE_INFINITY
  #tidiedAt = Number.NEGATIVE_INFINITY
  #clockAt: { now: number; steady: number }

  constructor(parts: DrainerParts) {
    this.#parts = parts
    this.#relay = new Relay({ ...parts, gone: () => this.#tellWaiting() })
    this.#clockAt = { now: parts.clock.now(), steady: parts.clock.steady() }
  }

  start(): void {
    this.#arm('drain')
  }

  /** Rows may be waiting, with at least this many characters: drain soon. Cheap; may be called after every commit. */
  wake(waiting: number): void {
    if (this.#stop.signal.aborted) return
    const { enough, longestMs } = this.#parts.rows.gathering
    if (waiting >= enough) this.#hurry()
    else if (this.#running) this.#next = this.#next === 'poll' ? 'gather' : this.#next
    else if (this.#failures > 0) return
    else if (this.#armed === 'poll') this.#arm('gather')
    else if (this.#armed === 'gather' && performance.now() - this.#gatheringSince < longestMs) this.#timer?.refresh()
  }

  /** Resolves once every row visible now has been applied; `unavailable` when that takes more than 5 s. */
  async caughtUp(): Promise<void> {
    const pending = await this.#parts.pending()
    if (pending.length === 0) return
    this.#hurry()
    const timeout = AbortSignal.timeout(WAIT_MS)
    const open = new Set(pending)
    while (open.size > 0) {
      if (timeout.aborted || this.#stop.signal.aborted)
        throw unavailable('The event store is behind. Try again shortly.', 5)
      await this.#nextRound()
      const left = new Set(await this.#parts.pending())
      for (const id of open) if (!left.has(id)) open.delete(id)
      if (open.size > 0) this.#hurry()
    }
  }

  /** Finishes the portion in progress and stops; waiting rows stay for the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  /** Ends the gathering: a reader waits for what is there now, or there is enough. */
  #hurry(): void {
    if (this.#running) this.#next = 'drain'
    else if (this.#armed !== 'drain' && this.#failures === 0) this.#arm('drain')
  }

  #nextRound(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, 100)
      this.#waiting.add(done)
    })
  }

  #delay(mode: Mode): number {
    if (mode === 'poll') return this.#failures > 0 ? backoff(this.#failures) : POLL_MS
    return mode === 'gather' ? this.#parts.rows.gathering.quietMs : 0
  }

  #arm(mode: Mode): void {
    clearTimeout(this.#timer)
    if (this.#stop.signal.aborted) return
    this.#armed = mode
    if (mode === 'gather') this.#gatheringSince = performance.now()
    this.#timer = setTimeout(() => {
      this.#running = this.#drain().finally(() => {
        this.#running = undefined
        const next = this.#failures > 0 ? 'poll' : this.#next
        this.#next = 'poll'
        this.#arm(next)
      })
    }, this.#delay(mode))
    this.#timer.unref()
  }

  async #drain(): Promise<void> {
    try {
      const { refusal } = await this.#relay.run(this.#stop.signal)
      if (refusal === null) {
        if (!this.#stop.signal.aborted) await this.#tidy()
        this.#failures = 0
      } else {
        // After a few times it is parked, or the relay rejects: until then readers wait for it.
        this.#failed(refusal, 1)
      }
    } catch (error) {
      // If it is the SQL store that is away or busy, the event store need not be left alone.
      const isSql = error instanceof StoreUnavailable && error.reason !== 'events_away'
      this.#failed(error, isSql ? 1 : this.#failures + 1)
    }
    this.#tellWaiting()
  }

  #failed(error: unknown, failures: number): void {
    this.#failures = failures
    if (!this.#stop.signal.aborted) this.#parts.failed(error)
  }

  #tellWaiting(): void {
    for (const done of [...this.#waiting]) done()
  }

  async #tidy(): Promise<void> {
    await this.#forget()
    const steady = this.#parts.clock.steady()
    if (steady - this.#tidiedAt < TIDY_MS) return
    this.#tidiedAt = steady
    await this.#parts.rows.tidy()
  }

  /**
   * Only after a pass over all rows that left none that may be applied in part: its parts are recognized by these ids.
   */
  async #forget(): Promise<void> {
    const { clock, events } = this.#parts
    const steady = clock.steady()
    if (steady - this.#forgotAt < KEEP_BATCH_IDS_MS) return
    const now = clock.now()
    const elapsed = steady - this.#clockAt.steady
    const isSteady = Math.abs(now - this.#clockAt.now - elapsed) < MINUTE
    this.#forgotAt = steady
    this.#clockAt = { now, steady }
    // With a clock that has jumped, current ids would look old.
    if (isSteady) await events.forgetBatches(now - KEEP_BATCH_IDS_MS)
  }
}
