/**
 * Reads the whole body of a raw route as bytes: bounded by the route's limit, whether its length is announced or not,
 * and charged to the budget as it arrives. Memory is allocated for bytes that arrived only, however small the pieces.
 */

import type { IncomingMessage } from 'node:http'
import { errorCodes } from 'fastify'
import { ByteCollector } from '../../lib/bytes/byte-collector.ts'
import { overloaded } from '../../lib/errors.ts'
import type { Holding } from './byte-budget.ts'

type Done = (error: Error | null, body?: Buffer) => void

/** One body while it is being received: ends exactly once, with its bytes or with an error. */
class Receiving {
  readonly #payload: IncomingMessage
  readonly #holding: Holding
  readonly #expected: Expected
  readonly #bytes: ByteCollector
  readonly #done: Done
  #hasEnded = false

  constructor(payload: IncomingMessage, holding: Holding, expected: Expected, done: Done) {
    this.#payload = payload
    this.#holding = holding
    this.#expected = expected
    this.#bytes = new ByteCollector(expected.announced || 0)
    this.#done = done
    holding.revoke = () => this.#end(overloaded('memory'))
    payload.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError)
    payload.resume()
  }

  #onData = (chunk: Buffer): void => {
    if (this.#bytes.length + chunk.length > this.#expected.limit) {
      this.#end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      return
    }
    try {
      this.#holding.take(chunk.length)
    } catch (error) {
      this.#end(error as Error)
      return
    }
    this.#bytes.add(chunk)
  }

  #onEnd = (): void => {
    const { announced } = this.#expected
    const isWhole = Number.isNaN(announced) || announced === this.#bytes.length
    this.#end(isWhole ? null : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
  }

  #onError = (error: Error): void => {
    if (this.#hasEnded) return
    this.#end(Object.assign(error, { statusCode: 400 }))
  }

  #end(error: Error | null): void {
    this.#holding.revoke = null
    if (error === null) {
      // Of a stream that has ended nothing more is heard but an error, and `off` would cost more than the reading.
      this.#hasEnded = true
      this.#done(null, this.#bytes.take())
      return
    }
    this.#payload.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError)
    this.#bytes.discard()
    this.#holding.release()
    this.#done(error)
  }
}

export interface Expected {
  /** Maximum length in bytes. */
  limit: number
  /** The Content-Length; NaN when there is none. */
  announced: number
}

export function readRawBody(payload: IncomingMessage, holding: Holding, expected: Expected, done: Done): void {
  if (expected.announced > expected.limit) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else new Receiving(payload, holding, expected, done)
}
