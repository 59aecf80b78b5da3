/**
 * Whether the server answers, as the statements of this process find it. That it does not is told once, and once that it
 * does again, however many statements fail meanwhile.
 */
import { isStoreAway } from '../../../../lib/errors.ts'
import type { PresenceParts } from '../../../presence-parts.ts'
import { translated, wordsOf } from './failures.ts'

/** How long a server that was killed may go on answering on connections of before. */
const LINGERS_MS = 10_000

export class Presence {
  readonly #parts: PresenceParts
  /** When the first statement failed; null while it answers. */
  #awayAt: number | null = null

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** A statement was answered, on a connection opened then (by `performance.now`). */
  answered(openedAt: number): void {
    if (this.#awayAt === null) return
    if (openedAt < this.#awayAt && performance.now() - this.#awayAt < LINGERS_MS) return
    this.#awayAt = null
    this.#parts.back()
  }

  /** A statement failed: what the caller is to be told. */
  failed(error: unknown): unknown {
    const told = translated(error)
    if (isStoreAway(told) && this.#awayAt === null) {
      this.#awayAt = performance.now()
      this.#parts.away(wordsOf(error))
    }
    return told
  }
}
