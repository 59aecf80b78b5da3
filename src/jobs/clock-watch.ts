/**
 * Looks at the clock at the start and before each look for work, and notes what it says in the SQL store: at once when
 * something changed, else once a minute, so that the next start can tell a jump. `hold` is what lib/time/clock-trust.ts says.
 *
 * When the clock went back, what waits would wait until it has caught up: everything that lies in its future is moved
 * back by as much. Should the process die before that is noted, it is done again at the next start.
 */
import { createSerialQueue } from '../lib/concurrency/serial-queue.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type Hold, holdOf, stateAfter } from '../lib/time/clock-trust.ts'
import { MINUTE } from '../lib/time/time.ts'
import type { ClockState } from '../model/clock-state.ts'
import type { SqlStores } from '../model/stores.ts'

export interface ClockWatchParts {
  stores: Pick<SqlStores, 'clockState' | 'relaxed' | 'transaction'>
  clock: Clock
  /** A hold began, or became one that only a person ends. */
  held: (hold: Hold) => void
  /** Destructive work goes on. */
  released: () => void
  /** The clock went back by so many milliseconds; jobs have been moved along. */
  wentBack: (now: number, by: number) => Promise<void>
}

const NOTE_EVERY = MINUTE
/** Less is no jump: clocks are set right by seconds all the time. */
const SLACK = MINUTE

/** Whether the operator has to be told of it: that there is a hold, and what ends it. */
const kindOf = (hold: Hold | null): string => (hold === null ? 'none' : hold.left === null ? 'accept' : 'hour')

export class ClockWatch {
  readonly #parts: ClockWatchParts
  readonly #inTurn = createSerialQueue()
  #state: ClockState | null = null
  #lookedAt = 0
  #notedAt = Number.NEGATIVE_INFINITY
  #told = 'none'
  #stopped: Promise<number> | undefined

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /** What the clock says now, for all that is done by this look. One look at a time. */
  look(): Promise<number> {
    return this.#inTurn(() => this.#look())
  }

  /** For the end of the process: notes what the clock says. A second stop does nothing. */
  stop(): Promise<unknown> {
    this.#notedAt = Number.NEGATIVE_INFINITY
    this.#stopped ??= this.look()
    return this.#stopped
  }

  /** As things are now: a jump since the last look counts. Null: nothing is held. */
  hold(): Hold | null {
    const state = this.#current()
    return state && holdOf(state)
  }

  /** What the clock says; while it is not believed, what it would say had it not jumped. */
  believedNow(): number {
    const state = this.#current()
    return state === null || state.holdLeft === null ? this.#parts.clock.now() : state.trustedAt
  }

  #current(): ClockState | null {
    const { clock } = this.#parts
    if (this.#state === null) return null
    return stateAfter(this.#state, { now: clock.now(), elapsed: clock.steady() - this.#lookedAt })
  }

  async #look(): Promise<number> {
    const { clock, stores } = this.#parts
    const stored = await stores.clockState.find()
    const now = clock.now()
    const steady = clock.steady()
    const elapsed = this.#state === null ? 0 : steady - this.#lookedAt
    const before = this.#believed(stored, now)
    const back = before.seenAt + elapsed - now
    if (back > SLACK) await this.#moveBack(now, back)
    const state = stateAfter(before, { now, elapsed })
    const isChanged = stored === null || (stored.holdLeft === null) !== (state.holdLeft === null) || back > SLACK
    if (isChanged || steady - this.#notedAt >= NOTE_EVERY) {
      await stores.relaxed((tx) => tx.clockState.save(state))
      this.#notedAt = steady
    }
    this.#state = state
    this.#lookedAt = steady
    this.#tell(holdOf(state))
    return now
  }

  /** What is known before this look. Somebody may have accepted the clock meanwhile, in the store. */
  #believed(stored: ClockState | null, now: number): ClockState {
    const known = this.#state ?? stored ?? { seenAt: now, trustedAt: now, holdLeft: null }
    return { ...known, trustedAt: Math.max(known.trustedAt, stored?.trustedAt ?? 0) }
  }

  async #moveBack(now: number, by: number): Promise<void> {
    await this.#parts.stores.transaction((tx) => tx.jobs.moveBack(now, by))
    await this.#parts.wentBack(now, by)
  }

  #tell(hold: Hold | null): void {
    const kind = kindOf(hold)
    if (kind === this.#told) return
    this.#told = kind
    if (hold === null) this.#parts.released()
    else this.#parts.held(hold)
  }
}
