/**
 * Limits the bytes of capture requests in memory: those received, and those made by inflating and parsing. Bytes that
 * are only announced cost nothing. Requests beyond the budget are refused and should be retried later.
 *
 * One address gets at most half of the budget while others are active, that is while another address holds bytes or has
 * requested some within the last ten seconds; alone it may use all. The only request of an address may take more than
 * half if there is space: otherwise such a request would be refused for as long as any other client sends. If another
 * address finds no space, requests still being received from an address with more than half are revoked, the newest
 * first. Requests that have arrived are processed, never revoked.
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
  /** Set while the request is being received: aborts it. */
  revoke: (() => void) | null = null

  constructor(budget: ByteBudget, address: string) {
    this.#budget = budget
    this.address = address
  }

  /** Throws when there is no space; bytes taken before stay taken. */
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
  /** The two addresses that requested bytes last. */
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
    if (!isAll && held + bytes > this.#max / 2 && this.#othersActive(address)) throw overloaded('memory')
    if (this.#held + bytes > this.#max) this.#makeRoom(address, bytes)
    if (this.#held + bytes > this.#max) throw overloaded('memory')
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

  #othersActive(address: string): boolean {
    if (this.#shares.size > (this.#shares.has(address) ? 1 : 0)) return true
    const since = this.#clock.steady() - REMEMBERED
    return [this.#last, this.#before].some((recent) => recent.address !== address && recent.at > since)
  }

  /** Revokes requests still being received from another address that has more than half. */
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
