/**
 * How many bytes of capture requests the process holds at once: as they arrive, and as they are inflated and read.
 * Bytes that were only announced cost nothing. What would go beyond the budget is refused, to be sent again later.
 *
 * One address has at most half of it while others ask, that is while another address holds bytes or has asked for
 * some within the last ten seconds; alone it may have all. A request that is all its address holds may take more, as
 * far as there is room: otherwise one of more than half would be refused for as long as anybody else sends. When somebody else finds no room, requests that an address
 * with more than its half is still sending are revoked, the newest first. What has arrived is worked off, never revoked.
 */

import { overloaded, tooLarge } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'

const REMEMBERED = 10 * SECOND

/** What one address holds. */
interface Share {
  bytes: number
  holdings: Set<Holding>
}

/** What one request holds; nothing until it takes. */
export class Holding {
  readonly #budget: ByteBudget
  readonly address: string
  bytes = 0
  /** Set while the request is being received: ends it. */
  revoke: (() => void) | null = null

  constructor(budget: ByteBudget, address: string) {
    this.#budget = budget
    this.address = address
  }

  /** Refuses what there is no room for; what was taken before stays taken. */
  take(bytes: number): void {
    this.#budget.take(this, bytes)
  }

  release(): void {
    this.#budget.release(this)
  }
}

export class ByteBudget {
  readonly #max: number
  readonly #clock: Clock
  readonly #shares = new Map<string, Share>()
  #held = 0
  /** The two addresses that asked last. */
  #last = { address: '', at: Number.NEGATIVE_INFINITY }
  #before = { address: '', at: Number.NEGATIVE_INFINITY }

  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  get held(): number {
    return this.#held
  }

  open(address: string): Holding {
    return new Holding(this, address)
  }

  take(holding: Holding, bytes: number): void {
    const { address } = holding
    this.#note(address)
    if (holding.bytes + bytes > this.#max) throw tooLarge(`maximum event size exceeded: more than ${this.#max} bytes`)
    const held = this.#shares.get(address)?.bytes ?? 0
    const isAll = held === holding.bytes
    if (!isAll && held + bytes > this.#max / 2 && this.#othersAsk(address)) throw overloaded()
    if (this.#held + bytes > this.#max) this.#makeRoom(address, bytes)
    if (this.#held + bytes > this.#max) throw overloaded()
    this.#add(holding, bytes)
  }

  release(holding: Holding): void {
    holding.revoke = null
    const share = this.#shares.get(holding.address)
    if (!share?.holdings.delete(holding)) return
    this.#held -= holding.bytes
    share.bytes -= holding.bytes
    holding.bytes = 0
    if (share.holdings.size === 0) this.#shares.delete(holding.address)
  }

  #add(holding: Holding, bytes: number): void {
    let share = this.#shares.get(holding.address)
    if (!share) {
      share = { bytes: 0, holdings: new Set() }
      this.#shares.set(holding.address, share)
    }
    share.holdings.add(holding)
    share.bytes += bytes
    holding.bytes += bytes
    this.#held += bytes
  }

  #note(address: string): void {
    if (address !== this.#last.address) {
      const given = this.#before
      this.#before = this.#last
      this.#last = given
      this.#last.address = address
    }
    this.#last.at = this.#clock.steady()
  }

  #othersAsk(address: string): boolean {
    if (this.#shares.size > (this.#shares.has(address) ? 1 : 0)) return true
    const since = this.#clock.steady() - REMEMBERED
    return [this.#last, this.#before].some((asker) => asker.address !== address && asker.at > since)
  }

  /** Ends what another address, having more than half, is still sending. */
  #makeRoom(address: string, bytes: number): void {
    for (const [other, share] of this.#shares) {
      if (other === address || share.bytes <= this.#max / 2) continue
      for (const holding of [...share.holdings].reverse()) {
        if (this.#held + bytes <= this.#max || share.bytes <= this.#max / 2) return
        if (!holding.revoke) continue
        const { revoke } = holding
        this.release(holding)
        revoke()
      }
    }
  }
}
