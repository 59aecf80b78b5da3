/**
 * Rate limits over several processes. Twice a second each tells the others, through the SQL store, what it has counted, and
 * reads what they have: together they let through what one would, and what comes within a second at most. One row for each
 * process that has counted anything; a process that stands alone needs none of this.
 */
import { randomUUID } from 'node:crypto'
import { isStoreAway } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { HOUR, SECOND } from '../../lib/time/time.ts'
import type { SqlStores } from '../../model/stores.ts'
import type { RateLimiter } from './rate-limit.ts'

export interface SharedLimitsParts {
  limiter: RateLimiter
  stores: Pick<SqlStores, 'countedRequests' | 'relaxed'>
  clock: Clock
  /** It is tried again. */
  failed: (error: unknown) => void
}

const EVERY_MS = SECOND / 2
/** The longest window of a limit. */
const LONGEST = HOUR
/** A commit may become visible after others with a greater id: so many are read again. */
const OVERLAP = 100

export class SharedLimits {
  readonly #parts: SharedLimitsParts
  readonly #process = randomUUID()
  /** The greatest id that was read, null before the first look, and those that were read near it. */
  #newest: number | null = null
  #known = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #sharing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: SharedLimitsParts) {
    this.#parts = parts
    parts.limiter.takeUntold()
  }

  /** Knows what others have counted when it resolves. */
  async start(): Promise<void> {
    await this.#round()
    this.#arm()
  }

  /** Tells what is left to tell. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#sharing
    await this.#round()
  }

  #arm(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#sharing = this.#round().finally(() => this.#arm())
    }, EVERY_MS)
    this.#timer.unref()
  }

  async #round(): Promise<void> {
    try {
      await this.#tell()
      await this.#hear()
    } catch (error) {
      if (!isStoreAway(error)) this.#parts.failed(error)
    }
  }

  async #tell(): Promise<void> {
    const { limiter, stores, clock } = this.#parts
    const untold = limiter.takeUntold()
    if (untold.size === 0) return
    const counted = { process: this.#process, at: clock.now(), counts: Object.fromEntries(untold) }
    try {
      await stores.relaxed((tx) => tx.countedRequests.add(counted))
    } catch (error) {
      limiter.giveBack(untold)
      throw error
    }
  }

  /** At the start they count by their age; later from when they are read, whatever the others' clocks say. */
  async #hear(): Promise<void> {
    const { limiter, stores, clock } = this.#parts
    const now = clock.now()
    const isFirst = this.#newest === null
    const before = this.#newest ?? 0
    const rows = await stores.countedRequests.after(Math.max(0, before - OVERLAP), now - LONGEST)
    for (const { id, process, at, counts } of rows) {
      if (process === this.#process || this.#known.has(id)) continue
      const ago = isFirst ? Math.min(Math.max(0, now - at), LONGEST) : 0
      for (const [bucket, count] of Object.entries(counts)) limiter.addOthers(bucket, count, ago)
    }
    const newest = rows.at(-1)?.id ?? before
    this.#known = new Set(rows.map(({ id }) => id).filter((id) => id > newest - OVERLAP))
    this.#newest = newest
  }
}
