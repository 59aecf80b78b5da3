/**
 * Calls the asynchronous methods of an object that lives in a worker thread as if it were local. Arguments and results
 * are copied, so they must be plain data; a large byte array that is a member of a result is transferred, so the worker
 * must not use it afterwards. An AbortSignal may be the last argument. An AppError or OperatorError
 * stays one, any other error keeps its message and stack.
 */
import { parentPort, Worker } from 'node:worker_threads'
import { AppError, type AppErrorOptions, type ErrorKind, OperatorError } from '../errors.ts'

export interface Closable {
  close(): Promise<void>
}

type Method = (...args: unknown[]) => Promise<unknown>

interface Failure {
  message: string
  stack: string | undefined
  cause: Failure | undefined
  isForOperator: boolean
  app: { kind: ErrorKind; code: string; options: AppErrorOptions } | null
}

/** The first message to the thread: what its object is opened with. */
interface Opening<Given> {
  given: Given
}
/** Instead of the first message: the thread is not needed. */
const NOTHING = null
/** To the thread after that: a call, with the state of its signal if it has one, or the abort of that signal. */
type Order =
  | { id: number; name: string; args: unknown[]; signal: { isAborted: boolean } | null }
  | { id: number; aborted: true }
type Answer = { id: number; value: unknown } | { id: number; failure: Failure }

/** Size of each thread's young generation: V8's default would grow to five times as much before it collects garbage. */
const YOUNG_MB = 12

/** Id of the first answer: the object is open, and the names of its methods. */
const OPENED = 0

function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { message, stack } = error
  const cause = error.cause === undefined ? undefined : failureOf(error.cause)
  const isForOperator = error instanceof OperatorError
  if (!(error instanceof AppError)) return { message, stack, cause, isForOperator, app: null }
  const { kind, code, attr, problems, retryAfterSeconds, limit, allow, reason } = error
  const options = { attr, problems, retryAfterSeconds, limit, allow, reason }
  const given = Object.entries(options).filter(([, value]) => value != null)
  return { message, stack, cause, isForOperator, app: { kind, code, options: Object.fromEntries(given) } }
}

function withCause({ message, isForOperator, app }: Failure, cause: Error | undefined): Error {
  if (isForOperator) return new OperatorError(message, cause)
  if (app) return new AppError(app.kind, app.code, message, { ...app.options, cause })
  return new Error(message, cause === undefined ? undefined : { cause })
}

function errorOf(failure: Failure): Error {
  const error = withCause(failure, failure.cause && errorOf(failure.cause))
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}

/** Fewer bytes are copied as quickly, and may be in a buffer pool that is shared. */
const MANY_BYTES = 64 * 1024

function transferListOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const bytes = Object.values(value).filter((member) => member instanceof Uint8Array && member.length >= MANY_BYTES)
  return bytes.map(({ buffer }) => buffer)
}

/**
 * In the thread: opens the object with what it is given first and answers calls until the thread is terminated, or is
 * given what to open next.
 */
export function serveThread<Given>(open: (given: Given) => Promise<object>): void {
  const port = parentPort
  if (!port) throw new Error('This file runs in a thread of its own.')
  const signals = new Map<number, AbortController>()
  const answer = async (id: number, work: () => Promise<unknown>) => {
    try {
      const value = await work()
      port.postMessage({ id, value }, transferListOf(value))
    } catch (error) {
      port.postMessage({ id, failure: failureOf(error) })
    }
  }
  let opening: Promise<Record<string, Method>>
  port.on('message', async (message: Opening<Given> | Order | typeof NOTHING) => {
    if (message === NOTHING) return port.close()
    if ('given' in message) {
      const opened = open(message.given) as Promise<Record<string, Method>>
      opening = opened
      return answer(OPENED, async () => Object.keys(await opened))
    }
    if ('aborted' in message) return signals.get(message.id)?.abort()
    const { id, name, args, signal } = message
    if (signal) {
      const controller = new AbortController()
      if (signal.isAborted) controller.abort()
      signals.set(id, controller)
      args.push(controller.signal)
    }
    await answer(id, async () => ((await opening)[name] as Method)(...args))
    signals.delete(id)
  })
}

interface Waiting {
  resolve: (value: never) => void
  reject: (error: Error) => void
}

/** The caller's side of the thread. It keeps the process alive only while an answer is awaited. */
class Thread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #calls = OPENED
  #ended: Error | null = null
  #idle: () => void = () => {}

  constructor(worker: Worker, given: unknown, died: (error: Error) => void) {
    this.#worker = worker
    this.#worker.on('message', (answer: Answer) => this.#take(answer))
    const die = (error: Error) => {
      if (this.#ended) return
      this.#end(error)
      died(error)
    }
    this.#worker.on('error', die)
    this.#worker.on('exit', () => die(new Error('The thread has ended.')))
    this.#worker.postMessage({ given } satisfies Opening<unknown>)
  }

  opened(): Promise<string[]> {
    return this.#answer(OPENED)
  }

  async call(name: string, given: unknown[]): Promise<unknown> {
    if (this.#ended) throw this.#ended
    const last = given.at(-1)
    const signal = last instanceof AbortSignal ? last : null
    const args = signal ? given.slice(0, -1) : given
    const id = ++this.#calls
    this.#send({ id, name, args, signal: signal && { isAborted: signal.aborted } })
    const answer = this.#answer(id)
    return signal ? this.#withSignal(id, signal, answer) : answer
  }

  /** Resolves when no answer is awaited any more. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) resolve()
      else this.#idle = resolve
    })
  }

  async terminate(reason: Error): Promise<void> {
    this.#end(reason)
    await this.#worker.terminate()
  }

  /** The worker, whose object is closed: it can open another. */
  release(reason: Error): Worker {
    this.#end(reason)
    for (const event of ['message', 'error', 'exit']) this.#worker.removeAllListeners(event)
    return this.#worker
  }

  #send(order: Order): void {
    this.#worker.postMessage(order)
  }

  #answer<T>(id: number): Promise<T> {
    this.#worker.ref()
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  async #withSignal<T>(id: number, signal: AbortSignal, answer: Promise<T>): Promise<T> {
    const abort = () => this.#send({ id, aborted: true })
    signal.addEventListener('abort', abort)
    try {
      return await answer
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) {
      this.#worker.unref()
      this.#idle()
    }
    if ('failure' in answer) waiting?.reject(errorOf(answer.failure))
    else waiting?.resolve(answer.value as never)
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
    this.#idle()
  }
}

/**
 * The file of a thread, named from the module that opens it. A thread runs built code only: when that module runs from
 * the sources, as in tests, it is the file at the same place in the built program.
 */
export function threadFile(module: string, name: string): URL {
  if (module.endsWith('.js')) return new URL(name, module)
  const sources = module.lastIndexOf('/src/')
  return new URL(name, `${module.slice(0, sources)}/dist/${module.slice(sources + '/src/'.length)}`)
}

/**
 * Ends a worker that was started to load a thread's file and is not used, as soon as it has loaded it: a thread that ends
 * while it loads an engine may take the process with it.
 */
export const endUnused = (worker: Worker): void => worker.postMessage(NOTHING)

/** Threads whose object is closed, by their file; null: they are ended. */
let kept: Map<string, Worker[]> | null = null

/** From now on a thread whose object is closed opens the next one of its file: tests open hundreds of them in a process. */
export function keepThreads(): void {
  kept ??= new Map()
}

/** A thread that has loaded this file, or will have, and waits for what to open. */
const startThread = (file: URL): Worker =>
  kept?.get(file.href)?.pop() ?? new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })

function keepThread(file: URL, worker: Worker): void {
  const others = kept?.get(file.href) ?? []
  kept?.set(file.href, [...others, worker])
}

/**
 * The object that the file's `serveThread` opens; the file may have been started before as a worker. After `close`, and
 * when the thread dies, every call rejects; `died` is called when an open thread ends without `close`.
 */
export async function openThread<T extends Closable>(
  file: URL | Worker,
  given: unknown,
  died: (error: Error) => void,
): Promise<T> {
  let isOpen = false
  const worker = file instanceof Worker ? file : startThread(file)
  const thread = new Thread(worker, given, (error) => isOpen && died(error))
  const closedError = new Error('The thread is closed.')
  const end = () => thread.terminate(closedError)
  const release = () => (kept && file instanceof URL ? keepThread(file, thread.release(closedError)) : end())
  let names: string[]
  try {
    names = await thread.opened()
    isOpen = true
  } catch (error) {
    await end()
    throw error
  }
  const methods = Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => thread.call(name, args)]))
  let closed: Promise<void> | undefined
  const close = () => {
    // The answer to `close` may arrive before the answers to earlier calls.
    closed ??= thread
      .call('close', [])
      .then(() => thread.answered())
      .then(release)
    return closed
  }
  return { ...methods, close } as unknown as T
}
