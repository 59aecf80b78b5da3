/**
 * Processes on one database tell one another that rows wait in the outbox, by NOTIFY on a connection of their own. It
 * only hurries: whoever drains also looks every second, so that what is lost here costs a second. NOTIFY takes a lock of
 * the whole server until its commit, so that it is sent after the transaction that added the rows, never in it, and for
 * all that were added in the meantime at once. A connection that was lost is opened again.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { exponentialBackoff } from '../../../../lib/concurrency/backoff.ts'
import { SECOND } from '../../../../lib/time/time.ts'
import { endSoon } from './pool.ts'

const CHANNEL = 'hedgerow_outbox'

/** Between two messages of a process: as long as the drainer gathers. */
const PAUSE_MS = 20
const backoff = exponentialBackoff({ first: SECOND / 10, factor: 2, max: 30 * SECOND })

export class OutboxSignal {
  readonly #connect: () => Promise<pg.Client>
  /** Tells its own messages from those of others. */
  readonly #name = randomUUID()
  readonly #end = new AbortController()
  #listener = () => {}
  /** Once it listens. */
  #client: pg.Client | null = null
  #keeping: Promise<void> | undefined
  /** Whether rows were added since the last message. */
  #isDue = false
  #isSending = false

  /** `connect` returns a connection that is not open yet. It is opened when first needed. */
  constructor(connect: () => Promise<pg.Client>) {
    this.#connect = connect
  }

  /** Calls it when another process has told of rows, or may have. */
  listen(listener: () => void): void {
    this.#listener = listener
    this.#keepOpen()
  }

  /** Rows were committed. Cheap; may be called after every commit. */
  tell(): void {
    this.#isDue = true
    this.#keepOpen()
    void this.#send()
  }

  async close(): Promise<void> {
    this.#end.abort()
    if (this.#client) await endSoon(this.#client)
    await this.#keeping
  }

  #keepOpen(): void {
    if (!this.#end.signal.aborted) this.#keeping ??= this.#openAgain()
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#end
    for (let failures = 0; !signal.aborted; ) {
      failures = (await this.#stayOpen()) ? 1 : failures + 1
      await sleep(backoff(failures), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** One connection, until it ends; false when it could not be opened. */
  async #stayOpen(): Promise<boolean> {
    const client = await this.#connect()
    const ended = new Promise((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    client.on('notification', ({ payload }) => {
      if (payload !== this.#name) this.#listener()
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      await endSoon(client)
      return false
    }
    if (this.#end.signal.aborted) await endSoon(client)
    else this.#client = client
    // What was told before is not known.
    this.#listener()
    void this.#send()
    await ended
    this.#client = null
    return true
  }

  async #send(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#isDue && this.#client) {
      const client = this.#client
      this.#isDue = false
      const isSent = await client.query(`notify ${CHANNEL}, '${this.#name}'`).then(
        () => true,
        () => false,
      )
      if (!isSent) await endSoon(client)
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
    this.#isSending = false
  }
}
