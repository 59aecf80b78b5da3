/**
 * Batches that any process on the same SQL store commits: four times a second, the rows that were added to the outbox.
 * Numbers are no part of transactions, so that a row may appear after one with a greater number: rows above the number up
 * to which all are known are looked at again, and those that were seen are remembered. Rows have to stay for longer
 * than the pause between two looks after they were applied.
 */
import type { AddedRow, AddedRows, OutboxReader } from '../../model/events/outbox.ts'
import type { LiveSource, TakeBatches } from './live-feed.ts'

const PAUSE_MS = 250
/** Of one look; when there are more, the newest. The bytes are compressed ones. */
const AT_ONCE = { rows: 10_000, bytes: 2_000_000 }

interface PollParts {
  outbox: Pick<OutboxReader, 'addedSince' | 'textsOf'>
  /** Called when a look fails after one that did not; it is repeated. */
  failed: (error: unknown) => void
  pauseMs?: number
}

/** The newest of them that fit, by number. */
function fitting(rows: AddedRow[]): AddedRow[] {
  let bytes = 0
  const first = rows.findLastIndex((row) => {
    bytes += row.bytes
    return bytes > AT_ONCE.bytes
  })
  return rows.slice(Math.min(first + 1, Math.max(0, rows.length - 1)))
}

class OutboxPoll {
  readonly #parts: PollParts
  #after = 0
  #seen = new Set<number>()
  #hasEnded = false
  #hasFailed = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: PollParts) {
    this.#parts = parts
  }

  async open(take: TakeBatches): Promise<() => void> {
    this.#note(await this.#parts.outbox.addedSince(Number.MAX_SAFE_INTEGER, 1))
    this.#note(await this.#parts.outbox.addedSince(this.#after, AT_ONCE.rows))
    this.#wait(take)
    return () => {
      this.#hasEnded = true
      clearTimeout(this.#timer)
    }
  }

  #wait(take: TakeBatches): void {
    this.#timer = setTimeout(() => void this.#tryToLook(take), this.#parts.pauseMs ?? PAUSE_MS).unref()
  }

  async #tryToLook(take: TakeBatches): Promise<void> {
    try {
      await this.#look(take)
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed && !this.#hasEnded) this.#parts.failed(error)
      this.#hasFailed = true
    }
    if (!this.#hasEnded) this.#wait(take)
  }

  async #look(take: TakeBatches): Promise<void> {
    const { outbox } = this.#parts
    const added = await outbox.addedSince(this.#after, AT_ONCE.rows)
    const fresh = added.rows.filter(({ seq }) => !this.#seen.has(seq))
    const wanted = fitting(fresh)
    const texts = wanted.length === 0 ? new Map<string, string>() : await outbox.textsOf(wanted.map(({ id }) => id))
    if (this.#hasEnded) return
    this.#note(added)
    const found = wanted.flatMap(({ id }) => texts.get(id) ?? [])
    const isComplete = found.length === fresh.length && added.rows.length < AT_ONCE.rows
    if (found.length > 0 || !isComplete) take(found, isComplete)
  }

  #note({ settled, rows }: AddedRows): void {
    this.#after = Math.max(this.#after, settled)
    this.#seen = new Set(rows.map(({ seq }) => seq).filter((seq) => seq > this.#after))
  }
}

export const polledOutbox =
  (parts: PollParts): LiveSource =>
  (take) =>
    new OutboxPoll(parts).open(take)
