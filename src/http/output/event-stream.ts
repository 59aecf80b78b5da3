/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) as a body. It never holds more than
 * some kilobytes and one event that the client has not taken: what is sent then is refused, and the sender says what that
 * means.
 */
import { Readable } from 'node:stream'
import { type Answer, rawAnswer } from '../route.ts'

export const EVENT_STREAM = 'text/event-stream'

const MOST_WAITING = 64_000

export class EventStream extends Readable {
  #isFull = false
  #hasEnded = false

  constructor() {
    super({ highWaterMark: MOST_WAITING })
  }

  override _read(): void {
    this.#isFull = false
  }

  /** Whether the client has not taken what was sent before. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** False when the client does not keep up, or has left: nothing is sent. */
  #write(text: string): boolean {
    if (this.#isFull || this.#hasEnded || this.destroyed) return false
    this.#isFull = !this.push(text)
    return true
  }

  /** `data` is one line; without a name it is a plain message. */
  send(data: string, name?: string): boolean {
    return this.#write(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`)
  }

  /** What clients ignore; shows that the connection is alive. */
  comment(text = ''): boolean {
    return this.#write(`: ${text}\n\n`)
  }

  end(): void {
    if (!this.destroyed && !this.#hasEnded) this.push(null)
    this.#hasEnded = true
  }
}

/** Not kept by any cache, not held back by a proxy; the connection is of no use afterwards. */
export const streamAnswer = (stream: EventStream): Answer =>
  rawAnswer(stream, EVENT_STREAM, { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' })
