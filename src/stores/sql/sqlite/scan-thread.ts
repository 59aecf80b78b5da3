/**
 * The scans in a worker thread, called as if they were local. It is started with the first scan and ended when there
 * was none for some minutes: a server without list requests should not hold its memory. When it crashes, the scans in
 * progress fail, and the next scan starts another.
 */
import { type Closable, openThread, threadFile } from '../../../lib/concurrency/worker-thread.ts'
import { MINUTE } from '../../../lib/time/time.ts'
import { SCANS, type ScanReaders } from '../scan-readers.ts'
import { noMoreScans } from './scan-scope.ts'
import { type Method, type ScanOptions, scanName } from './scans.ts'

const FILE = threadFile(import.meta.url, './scan-worker.js')

const IDLE_MS = 5 * MINUTE

type Served = Closable & Record<string, Method>

export class ScanThread {
  readonly #options: ScanOptions
  readonly #idleMs: number
  #thread: Promise<Served> | null = null
  #idle: NodeJS.Timeout | undefined
  #atWork = 0
  #isClosed = false

  constructor(options: ScanOptions, idleMs = IDLE_MS) {
    this.#options = options
    this.#idleMs = idleMs
  }

  get isRunning(): boolean {
    return this.#thread !== null
  }

  readonly readers: ScanReaders = Object.fromEntries(
    Object.entries(SCANS).map(([reader, methods]) => [reader, this.#methodsOf(reader, Object.keys(methods))]),
  ) as unknown as ScanReaders

  /** Waits for the scans in progress; every later one is refused. */
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

  #methodsOf(reader: string, names: string[]): Record<string, Method> {
    return Object.fromEntries(
      names.map((name) => [name, (...args: unknown[]) => this.#call(scanName(reader, name), args)]),
    )
  }

  async #call(name: string, args: unknown[]): Promise<unknown> {
    if (this.#isClosed) throw noMoreScans()
    clearTimeout(this.#idle)
    this.#atWork += 1
    try {
      const thread = await this.#opened()
      // A caller without a signal leaves the last argument undefined.
      return await (thread[name] as Method)(...(args.at(-1) === undefined ? args.slice(0, -1) : args))
    } finally {
      this.#atWork -= 1
      if (this.#atWork === 0) this.#rest()
    }
  }

  #opened(): Promise<Served> {
    if (this.#thread) return this.#thread
    const opening = openThread<Served>(FILE, this.#options, () => this.#forget(opening))
    opening.catch(() => this.#forget(opening))
    this.#thread = opening
    return opening
  }

  #forget(thread: Promise<Served>): void {
    if (this.#thread === thread) this.#thread = null
  }

  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#isClosed) return
    this.#idle = setTimeout(() => void this.#endThread(), this.#idleMs).unref()
  }
}
