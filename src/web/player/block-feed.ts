/**
 * Reads the events of a recording, a few blocks at a time: few at first, so that the first frame appears quickly, more
 * later. It reads on from its first block, which may be in the middle, and on demand what comes before that one. A block
 * that cannot be read is counted and skipped; the rest plays.
 */
import { EventOrder } from './events/event-order.ts'
import type { WindowEvent } from './events/recorded-event.ts'
import { firstBlockFor } from './first-block.ts'
import type { Block, SnapshotSource } from './snapshot-source.ts'

const FIRST_READ = 2
const MOST_BLOCKS = 32

/** Blocks that are consecutive both in time and by key: one request reads them. */
function nextRun(blocks: Block[], from: number, most: number): Block[] {
  const run = blocks.slice(from, from + 1)
  for (const block of blocks.slice(from + 1, from + most)) {
    if (block.key !== (run.at(-1) as Block).key + 1) break
    run.push(block)
  }
  return run
}

export class BlockFeed {
  readonly #source: Pick<SnapshotSource, 'read'>
  readonly #blocks: Block[]
  readonly #order = new EventOrder()
  /** All that was returned. */
  #given: WindowEvent[] = []
  #first: number
  #next: number
  #size = FIRST_READ
  #lost = 0

  /** `blocks`: by the time they start; `first`: the index of the one to begin with. */
  constructor(source: Pick<SnapshotSource, 'read'>, blocks: Block[], first = 0) {
    this.#source = source
    this.#blocks = blocks
    this.#first = first
    this.#next = first
  }

  /** From this time on, up to the horizon, everything has been returned. */
  get begin(): number {
    return this.#first === 0 ? Number.NEGATIVE_INFINITY : (this.#blocks[this.#first]?.start ?? 0)
  }

  /** Everything between the begin and this time has been returned. */
  get horizon(): number {
    return this.#blocks[this.#next]?.start ?? Number.POSITIVE_INFINITY
  }

  get lost(): number {
    return this.#lost
  }

  /** Reads on; returns, in order, the events now before the horizon. One call at a time, also of `readBack`. */
  async read(): Promise<WindowEvent[]> {
    const run = nextRun(this.#blocks, this.#next, this.#size)
    if (run.length === 0) return []
    const events = await this.#load(run)
    if (events === null && run.length > 1) {
      // One of them is faulty: read one block at a time until it works again.
      this.#size = 1
      return []
    }
    this.#order.add(events ?? [])
    this.#next += run.length
    this.#size = Math.min(this.#size * 2, MOST_BLOCKS)
    const ready = this.#order.take(this.horizon)
    for (const item of ready) this.#given.push(item)
    return ready
  }

  /** Whether there is, or may be, a full snapshot of the window in the blocks before those that were read. */
  hasBefore(windowId: string): boolean {
    const before = this.#blocks.slice(0, this.#first)
    return before.some(({ full }) => full?.some((snapshot) => snapshot.windowId === windowId) ?? true)
  }

  /** Reads what comes before, from the last full snapshot up to this time on; returns all events before the horizon anew. */
  async readBack(time: number, windowId?: string): Promise<WindowEvent[]> {
    const first = Math.min(firstBlockFor(this.#blocks, time, windowId), this.#first)
    const order = new EventOrder()
    let most = MOST_BLOCKS
    for (let at = first; at < this.#first; ) {
      const run = nextRun(this.#blocks, at, Math.min(most, this.#first - at))
      const events = await this.#load(run)
      if (events === null && run.length > 1) {
        most = 1
        continue
      }
      order.add(events ?? [])
      // Events that are later than what was read on wait there.
      this.#order.add(events ?? [])
      at += run.length
      most = Math.min(most * 2, MOST_BLOCKS)
    }
    order.add(this.#given)
    this.#given = order.take(this.horizon)
    this.#first = first
    return this.#given
  }

  /** Null when they cannot be read; one that is asked for alone is lost then. */
  async #load(run: Block[]): Promise<WindowEvent[] | null> {
    const [first, last] = [run[0] as Block, run.at(-1) as Block]
    const events = await this.#source.read(first.key, last.key).catch(() => null)
    if (events === null && run.length === 1) this.#lost += 1
    return events
  }
}
