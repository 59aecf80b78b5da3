/**
 * Turns that all processes on one database take: one of them at a time does what is named. A turn is an advisory lock on a
 * connection of its own, so that it ends with the process; the connection is asked every few seconds whether it still
 * answers. When it is lost, another process may begin, so whoever had the turn is told to stop.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { exponentialBackoff } from '../../../../lib/concurrency/backoff.ts'
import { createKeyedSerialQueue } from '../../../../lib/concurrency/serial-queue.ts'
import type { InTurn, TurnName } from '../../../../model/stores.ts'
import { LOCKS } from '../locks.ts'
import { cut, endSoon } from './pool.ts'
import type { Presence } from './presence.ts'

const NUMBERS: Record<TurnName, number> = { start: 1, erasure: 2 }

const BEAT_MS = 5_000
const pauseBefore = exponentialBackoff({ first: 50, factor: 1.5, max: 1_000 })

interface TurnParts {
  /** A connection that is not open yet, whose statements end after some seconds. */
  newClient(): Promise<pg.Client>
  presence: Presence
}

/** Asks, rather than waits in the server: its limit for locks is shorter than a turn may be. */
async function take(client: pg.Client, name: TurnName, signal: AbortSignal | undefined): Promise<void> {
  for (let asked = 1; ; asked++) {
    signal?.throwIfAborted()
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCKS.turn}, ${NUMBERS[name]}) as taken`)
    if (rows[0].taken) return
    await sleep(pauseBefore(asked), undefined, signal === undefined ? {} : { signal })
  }
}

export function createProcessTurns({ newClient, presence }: TurnParts): InTurn {
  const inProcess = createKeyedSerialQueue()

  async function open(): Promise<pg.Client> {
    const client = await newClient()
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await endSoon(client)
      throw presence.failed(error)
    }
  }

  return (name, work, signal) =>
    inProcess(name, async () => {
      const client = await open()
      const lost = new AbortController()
      client.once('end', () => lost.abort(new Error(`The turn "${name}" was lost with its connection.`)))
      const beat = setInterval(() => void client.query('select 1').catch(() => cut(client)), BEAT_MS)
      beat.unref()
      try {
        await take(client, name, signal).catch((error) => {
          signal?.throwIfAborted()
          throw presence.failed(error)
        })
        return await work(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]))
      } finally {
        clearInterval(beat)
        await endSoon(client)
      }
    })
}
