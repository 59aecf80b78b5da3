/**
 * The rows of one claim while this process applies them. Another one may take them when their lease is over, so it is made
 * longer for as long as the work goes on, and asked for before anything is stored: a process that has stood still in the
 * middle, and goes on when others have stored the rows, stores nothing. Between that look and the insert a process may stand
 * still for the rest of the lease.
 */
import { unavailable } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'
import type { ClaimedRow, ClaimRequest } from '../../model/events/outbox.ts'
import type { SqlStores } from '../../model/stores.ts'

/** Rows of a process that was killed wait for so long. */
const LEASE_MS = 10 * SECOND
/** A look at the lease counts for so long. */
export const HOLD_MS = 3 * SECOND
/** What is given back is not taken again in the same pass. */
const PAUSE_MS = SECOND

interface LeaseParts {
  stores: Pick<SqlStores, 'queueTransaction'>
  clock: Clock
}

export class Lease {
  readonly #parts: LeaseParts
  readonly rows: ClaimedRow[]
  readonly #attempt: number
  /** Those that have not left the outbox. */
  readonly #ids: Set<string>
  #heldAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** By the timer. */
  #renewing: Promise<void> = Promise.resolve()

  /** Null: there is nothing to claim. */
  static async claim(parts: LeaseParts, most: Pick<ClaimRequest, 'rows' | 'bytes'>): Promise<Lease | null> {
    const now = parts.clock.now()
    const rows = await parts.stores.queueTransaction((tx) => tx.outbox.claim({ ...most, now, until: now + LEASE_MS }))
    const [first] = rows
    return first ? new Lease(parts, rows, first.claim.attempt) : null
  }

  private constructor(parts: LeaseParts, rows: ClaimedRow[], attempt: number) {
    this.#parts = parts
    this.rows = rows
    this.#attempt = attempt
    this.#ids = new Set(rows.map(({ id }) => id))
  }

  /** See OutboxBatch. */
  async hold(): Promise<void> {
    if (this.#parts.clock.steady() - this.#heldAt >= HOLD_MS) await this.#renew()
    this.#timer ??= this.#keepRenewing()
  }

  left(ids: string[]): void {
    for (const id of ids) this.#ids.delete(id)
  }

  /** Gives back what has not left the outbox. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
    if (this.#ids.size === 0) return
    const { stores, clock } = this.#parts
    await stores.queueTransaction((tx) => tx.outbox.giveBack(this.#held, clock.now() + PAUSE_MS))
  }

  get #held() {
    return { ids: [...this.#ids], attempt: this.#attempt }
  }

  async #renew(): Promise<void> {
    const { stores, clock } = this.#parts
    const [now, steady] = [clock.now(), clock.steady()]
    const isOurs = await stores.queueTransaction((tx) => tx.outbox.hold(this.#held, { now, until: now + LEASE_MS }))
    if (!isOurs) throw unavailable('Another process has taken over rows of the outbox.', 1)
    this.#heldAt = steady
    // Who applies them again in this claim has to ask what is stored.
    for (const { claim } of this.rows) claim.sentAt = now
  }

  #keepRenewing(): NodeJS.Timeout {
    const timer = setInterval(() => {
      // Whoever is about to store something asks again, and is told why.
      this.#renewing = this.#renew().catch(() => {})
    }, HOLD_MS)
    return timer.unref()
  }
}
