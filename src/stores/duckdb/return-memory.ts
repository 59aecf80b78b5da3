/**
 * Returns freed memory of a large process to the system. glibc keeps what was freed, in one heap per thread, for later
 * allocations: under a flood of requests this was 150 of 740 MB. Only a native call returns it (malloc_trim), and the
 * engine makes it whenever its memory limit is set. It takes 20 to 30 ms in a thread of libuv's. Elsewhere than on
 * glibc this returns only what the engine itself has freed.
 */
import type { DuckDBConnection } from '@duckdb/node-api'

/** Smaller processes keep what they have, which is faster. */
const LARGE_BYTES = 400_000_000
/** A process that has grown less than this since the last time has little to return. */
const WORTH_BYTES = 10_000_000
const LOOK_EVERY_MS = 150

export class MemoryReturn {
  readonly #setLimit: () => Promise<unknown>
  readonly #memory: () => number
  readonly #timer: NodeJS.Timeout
  /** Bytes after the last return. */
  #lowest = 0
  #returning: Promise<void> | null = null

  /** `limit`: the engine's own, set again and so unchanged. `memory`: bytes that the process has. */
  constructor(connection: DuckDBConnection, limit: string, memory = () => process.memoryUsage.rss()) {
    this.#setLimit = () => connection.run(`SET GLOBAL memory_limit = '${limit}'`)
    this.#memory = memory
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  /** Resolves when what it began has ended. */
  async look(): Promise<void> {
    if (this.#returning) return this.#returning
    const bytes = this.#memory()
    this.#lowest = Math.min(this.#lowest, bytes)
    if (bytes < LARGE_BYTES || bytes < this.#lowest + WORTH_BYTES) return
    this.#returning = this.#return()
    await this.#returning
  }

  /** The engine refuses while statements use all that it may: then nothing can be returned, until a later look. */
  async #return(): Promise<void> {
    await this.#setLimit().catch(() => undefined)
    this.#lowest = this.#memory()
    this.#returning = null
  }

  /** Begins nothing more, and waits for what is running. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#returning
  }
}
