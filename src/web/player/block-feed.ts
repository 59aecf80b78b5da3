/**
 * Reads the events of a recording from its first block on, a few blocks at a time: few at first, so that the first frame
 * appears quickly, more later. A block that cannot be read is counted and skipped; the rest plays.
 */
import { EventOrder } from './event-order.ts'
import type { WindowEvent } from './recorded-event.ts'
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
  #next = 0
  #size = FIRST_READ
  #lost = 0

  /** `blocks`: by the time they start. */
  constructor(source: Pick<SnapshotSource, 'read'>, blocks: Block[]) {
    this.#source = source
    this.#blocks = blocks
  }

  /** Everything before this time has been returned. */
  get horizon(): number {
    return this.#blocks[this.#next]?.start ?? Number.POSITIVE_INFINITY
  }

  get lost(): number {
    return this.#lost
  }

  /** Reads on; returns, in order, the events now before the horizon. One call at a time. */
  async read(): Promise<WindowEvent[]> {
    const run = nextRun(this.#blocks, this.#next, this.#size)
    const [first, last] = [run[0], run.at(-1)]
    if (!first || !last) return []
    const events = await this.#source.read(first.key, last.key).catch(() => null)
    if (events === null && run.length > 1) {
      // One of them is faulty: read one block at a time until it works again.
      this.#size = 1
      return []
    }
    if (events === null) this.#lost += 1
    else this.#order.add(events)
    this.#next += run.length
    this.#size = Math.min(this.#size * 2, MOST_BLOCKS)
    return this.#order.take(this.horizon)
  }
}
