/**
 * A worker thread that is started with its first call and ended when there was none for some time: a server that does
 * not need it should not hold its memory. When it crashes, the calls in progress fail, and the next one starts another.
 */
import { type Closable, openThread } from './worker-thread.ts'

export interface OnDemandOptions {
  /** The thread's entry file; see `threadFile`. */
  file: URL
  /** What the thread is opened with. */
  given: unknown
  idleMs: number
}

export class OnDemandThread<T extends Closable> {
  readonly #options: OnDemandOptions
  #thread: Promise<T> | null = null
  #idle: NodeJS.Timeout | undefined
  #atWork = 0
  #isClosed = false

  constructor(options: OnDemandOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#thread !== null
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  async use<R>(call: (thread: T) => Promise<R>): Promise<R> {
    if (this.#isClosed) throw new Error('The thread is closed.')
    clearTimeout(this.#idle)
    this.#atWork += 1
    try {
      return await call(await this.#opened())
    } finally {
      this.#atWork -= 1
      if (this.#atWork === 0) this.#rest()
    }
  }

  /** Waits for the calls in progress; every later one is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endThread()
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = null
    await (await thread?.catch(() => undefined))?.close()
  }

  #opened(): Promise<T> {
    if (this.#thread) return this.#thread
    const { file, given } = this.#options
    const opening = openThread<T>(file, given, () => this.#forget(opening))
    opening.catch(() => this.#forget(opening))
    this.#thread = opening
    return opening
  }

  #forget(thread: Promise<T>): void {
    if (this.#thread === thread) this.#thread = null
  }

  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#isClosed) return
    this.#idle = setTimeout(() => void this.#endThread(), this.#options.idleMs).unref()
  }
}
