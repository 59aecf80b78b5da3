/**
 * Bounds how far the heaps of a large process grow between two collections. By default V8 lets a heap grow to several
 * times what was alive at the last collection. That is fast, and costs little while the process is small; but under a
 * flood of requests 50 MB of live objects become a heap of 230 MB. So above a bound, heaps grow by a third at most.
 */
import { setFlagsFromString } from 'node:v8'

const LARGE_BYTES = 400_000_000
/** Below LARGE_BYTES, so that a process near it does not switch back and forth. */
const SMALL_BYTES = 330_000_000
const LOOK_EVERY_MS = 250

const BY_A_THIRD = '--heap-growing-percent=30'
const BY_DEFAULT = '--heap-growing-percent=0'

interface HeapGrowthParts {
  /** Bytes of memory that the process has. */
  memory: () => number
  setFlag: (flag: string) => void
}

export class HeapGrowth {
  readonly #parts: HeapGrowthParts
  #isBounded = false

  constructor(parts: HeapGrowthParts = { memory: () => process.memoryUsage.rss(), setFlag: setFlagsFromString }) {
    this.#parts = parts
  }

  /** Looks again and again, until the process ends. */
  start(): void {
    setInterval(() => this.look(), LOOK_EVERY_MS).unref()
  }

  look(): void {
    const bytes = this.#parts.memory()
    const isBounded = bytes > (this.#isBounded ? SMALL_BYTES : LARGE_BYTES)
    if (isBounded === this.#isBounded) return
    this.#isBounded = isBounded
    this.#parts.setFlag(isBounded ? BY_A_THIRD : BY_DEFAULT)
  }
}
