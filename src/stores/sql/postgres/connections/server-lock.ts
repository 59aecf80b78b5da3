/**
 * One server for each database while events or recordings are in the server's own data folder, any number where they are
 * not: these hold the same lock together, and keep out one that would have a data folder. An advisory lock is held on a
 * connection that nothing else uses, and that is asked every few seconds whether it still answers.
 *
 * Modes: held; lost (the connection ended or is silent: nothing is written, and the lock is taken again as soon as the
 * server lets us); displaced (another process has it: told once, nothing is written any more); closed.
 */
import type pg from 'pg'
import { OperatorError, StoreUnavailable } from '../../../../lib/errors.ts'
import { LOCKS } from '../locks.ts'
import { cut, endSoon } from './pool.ts'
import type { Presence } from './presence.ts'

export interface ServerLockParts {
  /** A connection that is not open yet. */
  newClient(): Promise<pg.Client>
  presence: Presence
  /** Whether others may have it together with this one. */
  isShared: boolean
  /** The lock is lost: whatever runs has to end. */
  lost(): void
  /** Another process has it; the server has to end. */
  displaced(words: string): void
}

const BEAT_MS = 5_000
const ANSWER_MS = 10_000
const AGAIN_MS = 500

const takeBy = (call: string): string => `
  select ${call}(${LOCKS.server}, 0) as taken, pid, backend_start::text as since
  from pg_stat_activity where pid = pg_backend_pid()`
const TAKE_ALONE = takeBy('pg_try_advisory_lock')
const TAKE_SHARED = takeBy('pg_try_advisory_lock_shared')

const HOLDER = `
  select pid, backend_start::text as since, host(client_addr) as address
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and classid = ${LOCKS.server} and objid = 0 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** A connection as the server knows it: numbers alone are used again. */
interface Session {
  pid: number
  since: string | null
}

const isSame = (one: Session | null, other: Session): boolean =>
  one !== null && one.pid === other.pid && one.since === other.since

function describe({ address, since }: { address: string | null; since: string | null }): string {
  const details = [address === null ? '' : ` from ${address}`, since === null ? '' : ` since ${since}`].join('')
  return `Another Hedgerow server uses this database, connected${details}. Stop it first: several servers share one only if all of them have events on ClickHouse and recordings in S3.`
}

export class ServerLock {
  readonly #parts: ServerLockParts
  #mode: 'held' | 'lost' | 'displaced' | 'closed' = 'lost'
  #client: pg.Client | null = null
  #session: Session | null = null
  #heldSince = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(parts: ServerLockParts) {
    this.#parts = parts
  }

  /** Throws an OperatorError when another process has it. */
  static async take(parts: ServerLockParts): Promise<ServerLock> {
    const lock = new ServerLock(parts)
    const problem = await lock.#take()
    if (problem === null) return lock
    await lock.close()
    throw new OperatorError(problem)
  }

  /** Throws while the lock is not held. */
  check(): void {
    if (this.#mode !== 'held') throw new StoreUnavailable('sql_away')
  }

  async close(): Promise<void> {
    this.#mode = 'closed'
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = null
    if (client !== null) await endSoon(client)
  }

  /** Null when it is taken; who has it otherwise. */
  async #take(): Promise<string | null> {
    const client = await this.#parts.newClient()
    client.on('error', () => {})
    const limit = setTimeout(() => cut(client), ANSWER_MS)
    try {
      await client.connect()
      const problem = await this.#takeOn(client)
      if (problem === null && this.#mode !== 'closed') return null
      await client.end()
      return problem
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  async #takeOn(client: pg.Client): Promise<string | null> {
    for (;;) {
      const { taken, pid, since } = (await client.query(this.#parts.isShared ? TAKE_SHARED : TAKE_ALONE)).rows[0]
      if (taken) {
        this.#hold(client, { pid, since })
        return null
      }
      const holder = (await client.query(HOLDER)).rows[0]
      // Given back meanwhile.
      if (holder === undefined) continue
      if (!isSame(this.#session, holder)) return describe(holder)
      // Our own, which the server does not know to be cut.
      await client.query('select pg_terminate_backend($1, $2)', [holder.pid, ANSWER_MS / 2])
    }
  }

  #hold(client: pg.Client, session: Session): void {
    if (this.#mode === 'closed') return
    this.#mode = 'held'
    this.#heldSince = performance.now()
    this.#client = client
    this.#session = session
    client.once('end', () => this.#lose(client))
    this.#arm(BEAT_MS, () => this.#beat(client))
  }

  #arm(ms: number, next: () => Promise<void>): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void next(), ms)
    this.#timer.unref()
  }

  async #beat(client: pg.Client): Promise<void> {
    const limit = setTimeout(() => cut(client), ANSWER_MS)
    try {
      await client.query('select 1')
      this.#parts.presence.answered(this.#heldSince)
      if (this.#client === client) this.#arm(BEAT_MS, () => this.#beat(client))
    } catch (error) {
      this.#parts.presence.failed(error)
      cut(client)
    } finally {
      clearTimeout(limit)
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#mode !== 'held') return
    this.#mode = 'lost'
    this.#client = null
    this.#parts.lost()
    this.#arm(0, () => this.#takeAgain())
  }

  async #takeAgain(): Promise<void> {
    try {
      const problem = await this.#take()
      if (problem === null) return this.#parts.presence.answered(this.#heldSince)
      if (this.#mode !== 'lost') return
      this.#mode = 'displaced'
      this.#parts.displaced(problem)
    } catch (error) {
      this.#parts.presence.failed(error)
      if (this.#mode === 'lost') this.#arm(AGAIN_MS, () => this.#takeAgain())
    }
  }
}
