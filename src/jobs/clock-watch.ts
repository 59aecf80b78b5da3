/**
 * Reads the clock at the start and before each poll for jobs, and saves its state in the SQL store: at once when
 * something changed, otherwise once a minute, so that the next start can detect a jump. lib/time/clock-trust.ts decides on `hold`.
 *
 * When the clock goes back, waiting jobs would wait until it has caught up: so everything in its future is moved back by
 * the same amount. If the process dies before that is saved, it is repeated at the next start.
 */
import { createSerialQueue } from '../lib/concurrency/serial-queue.ts'
import type { Clock } from '../lib/time/clock.ts'
import { clockHold, type Hold, nextClockState } from '../lib/time/clock-trust.ts'
import { MINUTE } from '../lib/time/time.ts'
import type { ClockState } from '../model/clock-state.ts'
import type { SqlStores } from '../model/stores.ts'

export interface ClockWatchParts {
  stores: Pick<SqlStores, 'clockState' | 'relaxed' | 'transaction'>
  clock: Clock
  /** A hold began, or became one that only an operator can end. */
  held: (hold: Hold) => void
  /** The hold ended: destructive jobs run again. */
  released: () => void
  /** The clock went back by `by` milliseconds; jobs have been moved by the same amount. */
  wentBack: (now: number, by: number) => Promise<void>
}

const SAVE_EVERY = MINUTE
/** Less is not a jump: clocks are corrected by seconds all the time. */
const SLACK = MINUTE

/** What the operator is notified of when it changes: whether there is a hold, and what ends it. */
const kindOf = (hold: Hold | null): string => (hold === null ? 'none' : hold.left === null ? 'accept' : 'hour')

export class ClockWatch {
  readonly #parts: ClockWatchParts
  readonly #inTurn = createSerialQueue()
  #state: ClockState | null = null
  #lookedAt = 0
  #savedAt = Number.NEGATIVE_INFINITY
  #reported = 'none'
  #stopped: Promise<number> | undefined

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /** The clock's time now, to be used for everything in this round. One reading at a time. */
  look(): Promise<number> {
    return this.#inTurn(() => this.#look())
  }

  /** At the end of the process: saves the clock's state. A second stop does nothing. */
  stop(): Promise<unknown> {
    this.#savedAt = Number.NEGATIVE_INFINITY
    this.#stopped ??= this.look()
    return this.#stopped
  }

  /** The hold as of now: a jump since the last reading counts. Null: no hold. */
  hold(): Hold | null {
    const state = this.#current()
    return state && clockHold(state)
  }

  /** The clock's time; while it is not trusted, the time it would have without the jump. */
  trustedNow(): number {
    const state = this.#current()
    return state === null || state.holdLeft === null ? this.#parts.clock.now() : state.trustedAt
  }

  #current(): ClockState | null {
    const { clock } = this.#parts
    if (this.#state === null) return null
    return nextClockState(this.#state, { now: clock.now(), elapsed: clock.steady() - this.#lookedAt })
  }

  async #look(): Promise<number> {
    const { clock, stores } = this.#parts
    const stored = await stores.clockState.find()
    const now = clock.now()
    const steady = clock.steady()
    const elapsed = this.#state === null ? 0 : steady - this.#lookedAt
    const before = this.#knownState(stored, now)
    const back = before.seenAt + elapsed - now
    if (back > SLACK) await this.#moveBack(now, back)
    const state = nextClockState(before, { now, elapsed })
    const isChanged = stored === null || (stored.holdLeft === null) !== (state.holdLeft === null) || back > SLACK
    if (isChanged || steady - this.#savedAt >= SAVE_EVERY) {
      await stores.relaxed((tx) => tx.clockState.save(state))
      this.#savedAt = steady
    }
    this.#state = state
    this.#lookedAt = steady
    this.#report(clockHold(state))
    return now
  }

  /** The state before this reading. An operator may have accepted the clock meanwhile, which the stored state shows. */
  #knownState(stored: ClockState | null, now: number): ClockState {
    const known = this.#state ?? stored ?? { seenAt: now, trustedAt: now, holdLeft: null }
    return { ...known, trustedAt: Math.max(known.trustedAt, stored?.trustedAt ?? 0) }
  }

  async #moveBack(now: number, by: number): Promise<void> {
    await this.#parts.stores.transaction((tx) => tx.jobs.moveBack(now, by))
    await this.#parts.wentBack(now, by)
  }

  #report(hold: Hold | null): void {
    const kind = kindOf(hold)
    if (kind === this.#reported) return
    this.#reported = kind
    if (hold === null) this.#parts.released()
    else this.#parts.held(hold)
  }
}
