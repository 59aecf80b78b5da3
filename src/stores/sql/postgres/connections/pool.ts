/**
 * The connections of this process. The library is loaded when the first is asked for. How long anything may take on a
 * connection is said to the server by a statement, not when connecting: a pooler in between would refuse that.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'
import { IN_TRANSACTION } from '../locks.ts'
import { type Queries, rowTypes } from './clients.ts'
import { codeOf, hasMetMigration, isOutdated } from './failures.ts'
import type { Presence } from './presence.ts'
import type { PostgresAddress } from './read-url.ts'

/** To connect and log in, and to wait for a connection while all are in use: then the caller gets 503. */
const CONNECT_MS = 5_000
/** A connection nobody has used for so long is closed. */
const IDLE_MS = 30_000
/** Of silence, after which the system asks the other side whether it is still there. */
const KEEP_ALIVE_MS = 10_000

/**
 * For whatever is not a migration.
 * A statement: a list or a count ends after 10 s by itself; a portion of a project's removal may have to look through a
 * whole table for its rows.
 * A lock: nobody of ours holds one for longer than a transaction of a second or two.
 * Idle in a transaction: we compute between two statements, for a moment. Whoever is silent for longer has lost his way,
 * and his locks with him.
 */
const LIMITS_MS = {
  statement_timeout: 60_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
}

const SESSION = Object.entries(LIMITS_MS)
  .map(([name, ms]) => `set ${name} = ${ms}`)
  .join('; ')

/** In a migration: it waits for another one however long that takes, and rewrites tables of any size. */
export const WITHOUT_LIMITS = Object.keys(LIMITS_MS)
  .map((name) => `set local ${name} = 0`)
  .join('; ')

const loadPg = async (): Promise<typeof pg> => (await import('pg')).default

const clientConfig = ({ pool: _, ...address }: PostgresAddress): pg.ClientConfig => ({
  ...address,
  application_name: 'hedgerow',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
})

/** The server ends a statement first; if it has not, it is not there any more. Endless in a migration. */
const ANSWER_MS = LIMITS_MS.statement_timeout + 5_000
/** For the connections to say goodbye. */
const GOODBYE_MS = 5_000

/** Whatever waits on it fails at once. */
export const cut = (client: pg.ClientBase): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/** Says goodbye, or cuts it off if nobody hears that. */
export async function endSoon(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), GOODBYE_MS)
  await client.end().catch(() => {})
  clearTimeout(late)
}

/** Of a statement by itself, beside migrations. */
const MOST_TURNS = 5

/** The transaction has failed already. */
const AFTER_FAILURE = '25P02'

/** A client that one user has for a while. */
export interface LentQueries extends Queries {
  /**
   * Begins a transaction by these statements. Until the server has answered, which takes a trip of its own, `query` sends
   * only what does no harm where it has not begun: reads, and what is IN_TRANSACTION. All else waits, in its order.
   */
  begin(statements: string): Promise<void>
}

const mayComeEarly = (text: string): boolean => text.startsWith('select ') || text.includes(IN_TRANSACTION)

interface Watching {
  presence: Presence
  /** A statement that was prepared on it does not fit any more. */
  outdated(): void
  limitMs: number | null
}

/** The same client; what it fails with is in our words, and without an answer it is cut off. */
function watched(client: pg.ClientBase, { presence, outdated, limitMs }: Watching): LentQueries {
  const openedAt = performance.now()
  let failure: unknown
  /** Until the server has answered; of one that has failed, until the transaction is rolled back. */
  let beginning: Promise<unknown> | null = null
  let isHeldBack = false
  type Args = Parameters<Queries['query']>
  const send = async (...args: Args) => {
    const timer = limitMs === null ? undefined : setTimeout(() => cut(client), limitMs)
    try {
      const result = await client.query(...args)
      presence.answered(openedAt)
      return result
    } catch (error) {
      // What was sent after a statement that failed is not to blame.
      if (failure === undefined || codeOf(error) !== AFTER_FAILURE) failure = error
      if (isOutdated(error)) outdated()
      throw presence.failed(failure)
    } finally {
      clearTimeout(timer)
    }
  }
  const sendInOrder = async (...args: Args) => {
    const { text } = args[0] as unknown as { text?: string }
    if (isHeldBack || !mayComeEarly(text ?? '')) {
      isHeldBack = true
      await beginning
    }
    return send(...args)
  }
  const query = (...args: Args) => {
    if ((args[0] as unknown) === 'rollback') beginning = null
    return beginning === null ? send(...args) : sendInOrder(...args)
  }
  const begin = async (statements: string) => {
    isHeldBack = false
    beginning = send(...([statements] as unknown as Args))
    await beginning
    beginning = null
  }
  return { query, begin } as unknown as LentQueries
}

export interface Borrowed {
  queries: LentQueries
  /** A connection that is of no more use is closed. */
  giveBack(isUsable: boolean): void
}

/** The connections of one process, of which every failure is in our words. */
export class Clients {
  readonly #pool: pg.Pool
  readonly #presence: Presence
  /** Those that are open, each as it is lent. */
  readonly #open = new Map<pg.ClientBase, LentQueries>()
  /** They are closed instead of being lent again. */
  readonly #outdated = new WeakSet<pg.ClientBase>()

  constructor(pool: pg.Pool, presence: Presence) {
    this.#pool = pool
    this.#presence = presence
    pool.on('connect', (client) => this.#open.set(client, this.#watch(client, ANSWER_MS)))
    pool.on('remove', (client) => this.#open.delete(client))
  }

  #watch(client: pg.ClientBase, limitMs: number | null): LentQueries {
    const outdated = () => {
      // All that are open now may have such statements.
      for (const open of this.#open.keys()) this.#outdated.add(open)
    }
    return watched(client, { presence: this.#presence, outdated, limitMs })
  }

  /** A connection for one user; `isEndless`: its statements may take as long as they do. */
  async borrow(isEndless = false): Promise<Borrowed> {
    try {
      let client = await this.#pool.connect()
      for (; this.#outdated.has(client); client = await this.#pool.connect()) client.release(true)
      const usual = isEndless ? undefined : this.#open.get(client)
      const queries = usual ?? this.#watch(client, null)
      return { queries, giveBack: (isUsable) => client.release(!isUsable) }
    } catch (error) {
      throw this.#presence.failed(error)
    }
  }

  async #askAny(...args: Parameters<Queries['query']>): Promise<unknown> {
    const { queries, giveBack } = await this.borrow()
    let isUsable = false
    try {
      const result = await queries.query(...args)
      isUsable = true
      return result
    } finally {
      giveBack(isUsable)
    }
  }

  /** Each statement on any connection that is free. */
  readonly any = {
    query: async (...args: Parameters<Queries['query']>) => {
      for (let turn = 1; ; turn++) {
        try {
          return await this.#askAny(...args)
        } catch (error) {
          if (turn === MOST_TURNS || !hasMetMigration(error)) throw error
        }
      }
    },
  } as unknown as Queries

  /** Whatever runs fails at once, and the next use connects anew. */
  cutAll(): void {
    for (const client of this.#open.keys()) cut(client)
  }

  /** When all have been given back. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.cutAll(), GOODBYE_MS)
    await this.#pool.end()
    clearTimeout(late)
  }
}

/** One that is in no pool, not connected yet; `answerMs`: how long a statement waits for its answer. */
export async function createClient(address: PostgresAddress, answerMs?: number): Promise<pg.Client> {
  const { Client, types } = await loadPg()
  const limit = answerMs === undefined ? {} : { query_timeout: answerMs }
  return new Client({ ...clientConfig(address), ...limit, types: rowTypes(types) })
}

export async function createPool(address: PostgresAddress): Promise<pg.Pool> {
  const { Pool, types } = await loadPg()
  const pool = new Pool({
    ...clientConfig(address),
    max: address.pool,
    // Statements of a transaction that are asked for at once are one round trip.
    pipeline: true,
    idleTimeoutMillis: IDLE_MS,
    types: rowTypes(types),
    onConnect: async (client) => {
      const timer = setTimeout(() => cut(client), CONNECT_MS)
      await client.query(SESSION).finally(() => clearTimeout(timer))
    },
  })
  // A connection that ended: what uses it fails, and the next use opens another.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}
