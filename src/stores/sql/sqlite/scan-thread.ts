/** The scans in a worker thread, called as if they were local. */
import { OnDemandThread } from '../../../lib/concurrency/on-demand-thread.ts'
import { type Closable, threadFile } from '../../../lib/concurrency/worker-thread.ts'
import { MINUTE } from '../../../lib/time/time.ts'
import { type Method, SCANS, type ScanReaders } from '../scan-readers.ts'
import { noMoreScans } from '../scan-scope.ts'
import { type ScanOptions, scanName } from './scans.ts'

const FILE = threadFile(import.meta.url, './scan-entry.cjs')

const IDLE_MS = 5 * MINUTE

export class ScanThread {
  readonly #thread: OnDemandThread<Closable & Record<string, Method>>

  constructor(options: ScanOptions, idleMs = IDLE_MS) {
    this.#thread = new OnDemandThread({ file: FILE, given: options, idleMs })
  }

  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  readonly readers: ScanReaders = Object.fromEntries(
    Object.entries(SCANS).map(([reader, methods]) => [reader, this.#methodsOf(reader, Object.keys(methods))]),
  ) as unknown as ScanReaders

  /** Waits for the scans in progress; every later one is refused. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  #methodsOf(reader: string, names: string[]): Record<string, Method> {
    return Object.fromEntries(
      names.map((name) => [name, (...args: unknown[]) => this.#call(scanName(reader, name), args)]),
    )
  }

  async #call(name: string, args: unknown[]): Promise<unknown> {
    if (this.#thread.isClosed) throw noMoreScans()
    // A caller without a signal leaves the last argument undefined.
    const given = args.at(-1) === undefined ? args.slice(0, -1) : args
    return this.#thread.use((thread) => (thread[name] as Method)(...given))
  }
}
