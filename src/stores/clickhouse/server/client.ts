/**
 * Statements to the servers, each within a time limit. A node of a cluster asks the others itself, so any of them can be
 * asked; one that does not answer is passed over, except by an insert whose outcome at that node is not known.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BaseQueryParams, ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { StoreUnavailable } from '../../../lib/errors.ts'
import type { Deadline } from '../../../lib/time/deadline.ts'
import { SECOND } from '../../../lib/time/time.ts'
import { memoryShortage } from '../../memory-shortage.ts'
import { NOBODY_IS_TOLD, type PresenceParts, Standing } from '../../presence-parts.ts'
import { text } from '../values/literal.ts'
import { CODES, codeOf, failureOf } from './failures.ts'
import type { ClickhouseAddress } from './read-url.ts'
import { Replicas, STALE_SECONDS } from './replicas.ts'

/** Of the silence of a connection. Insights may take long. */
const SILENCE_MS = 300 * SECOND
/** After that an insert has ended, or its node is not there. */
export const INSERT_LIMIT_MS = 30 * SECOND
const MAX_CONNECTIONS = 32
/** Lists of ids are part of the statement. */
const LONGEST_STATEMENT = 256 * 1_024 * 1_024
const MOST_ELEMENTS = 10_000_000

/** A row of an answer: integers of 64 bits are texts. */
export type Row = unknown[]

/** Read once for each node that is tried. */
type RowBytes = Buffer | AsyncIterable<Buffer>

interface ReadOptions {
  deadline?: Deadline | undefined
}

/** Where an insert is tried first, and how it is known there. */
export interface InsertAttempt {
  /** Refused by a node on which one with this name runs. */
  queryId: string
  /** One that was tried before and not answered is tried at its own node only, until that has been away for long. */
  node: number
  mayMove: boolean
  /** Replicas leave out the same rows when they come again, also while the one that has them is away. */
  isKnown: boolean
}

/** `all` nodes; those that are `reachable`, of each shard at least one; or of each of the `shards` one. */
export type Which = 'all' | 'reachable' | 'shards'

export interface Servers {
  readonly address: ClickhouseAddress
  readonly replicas: Replicas
  /** The rows of a SELECT. */
  rows(sql: string, options?: ReadOptions): Promise<Row[]>
  /** The same in RowBinary: as rows, a million would take ten times the memory. */
  binary(sql: string, options?: ReadOptions): Promise<Buffer>
  /** Stores rows in RowBinary, which may still be being written. When it resolves, every later read sees them. */
  insert(table: string, columns: readonly string[], bytes: RowBytes, attempt?: Partial<InsertAttempt>): Promise<void>
  /** Runs a statement on every node, one after the other; a failure with one of these codes is passed over. */
  onEach(sql: string, which?: Which, passedOver?: readonly string[]): Promise<void>
  /** The rows of a SELECT on every node, of its own tables. */
  rowsOfEach(sql: string, which?: Which): Promise<Row[]>
  /** Whether any node runs an insert whose name begins with this; one that cannot be reached is passed over if it may be. */
  isRunning(name: string, mayPass: boolean): Promise<boolean>
  ping(): Promise<void>
  close(): Promise<void>
}

/** What stores the rows of a batch. */
export type Storing = Pick<Servers, 'address' | 'rows' | 'insert'>

const SETTINGS: ClickHouseSettings = {
  // An error in the middle of an answer would come after its status.
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 1,
  max_query_size: `${LONGEST_STATEMENT}`,
  max_ast_elements: `${MOST_ELEMENTS}`,
  max_expanded_ast_elements: `${MOST_ELEMENTS}`,
}

const INSERT_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  // Without it a cluster's node answers before the others have the rows.
  insert_distributed_sync: 1,
  max_execution_time: INSERT_LIMIT_MS / SECOND,
}

/** Of a cluster: nothing is read from a replica that has not fetched yet what others have, as long as there is another. */
const CLUSTER_SETTINGS: ClickHouseSettings = { max_replica_delay_for_distributed_queries: `${STALE_SECONDS}` }

/** Of a node by itself, about what it has: an answer takes no time. */
const NODE_LIMIT_MS = 5 * SECOND

/** Whole seconds more than a deadline, so that it is we who end a statement wherever we can. */
const GRACE_SECONDS = 2

/** The server's own limit ends what nobody is left to end. */
const limitFor = (deadline: Deadline | undefined): ClickHouseSettings =>
  deadline && Number.isFinite(deadline.leftMs)
    ? { max_execution_time: Math.ceil(deadline.leftMs / SECOND) + GRACE_SECONDS }
    : {}

/** Loaded when first needed, as most installations have no such server. */
const loadClient = () => import('@clickhouse/client')

class HttpServers implements Servers {
  readonly address: ClickhouseAddress
  readonly replicas: Replicas
  readonly #nodes: ClickHouseClient[]
  readonly #settings: ClickHouseSettings
  readonly #standing: Standing
  /** The node that is asked: the last one that answered. */
  #asked = 0
  #isClosed = false

  constructor(address: ClickhouseAddress, nodes: ClickHouseClient[], presence: PresenceParts) {
    this.address = address
    this.#nodes = nodes
    this.#standing = new Standing(presence)
    this.#settings = address.cluster === null ? SETTINGS : { ...SETTINGS, ...CLUSTER_SETTINGS }
    this.replicas = new Replicas(address, (place, sql) => this.#askNode(place, sql))
  }

  rows(sql: string, { deadline }: ReadOptions = {}): Promise<Row[]> {
    return this.#ask((node) => this.#rowsOf(node, sql, deadline))
  }

  binary(sql: string, { deadline }: ReadOptions = {}): Promise<Buffer> {
    return this.#ask((node) =>
      this.#read(node, deadline, async (options) => {
        const { stream } = await node.exec({ query: `${sql} FORMAT RowBinary`, ...options })
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        return Buffer.concat(chunks)
      }),
    )
  }

  async insert(
    table: string,
    columns: readonly string[],
    bytes: RowBytes,
    attempt: Partial<InsertAttempt> = {},
  ): Promise<void> {
    const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`
    const { queryId = randomUUID(), node = this.#asked, mayMove = true, isKnown = false } = attempt
    const clusters = this.address.cluster === null ? {} : { insert_deduplicate: isKnown ? (1 as const) : (0 as const) }
    await this.#told(async () => {
      await this.#atAny(node, mayMove, async (at) => {
        const { stream } = await at.exec({
          query,
          values: Readable.from(Buffer.isBuffer(bytes) ? [bytes] : bytes, { objectMode: false }),
          query_id: queryId,
          clickhouse_settings: { ...INSERT_SETTINGS, ...clusters },
          abort_signal: AbortSignal.timeout(INSERT_LIMIT_MS),
        })
        for await (const _ of stream);
      })
      await this.replicas.haveSame([table])
    })
  }

  async onEach(sql: string, which: Which = 'all', passedOver: readonly string[] = []): Promise<void> {
    await this.#each(which, async (node) => {
      try {
        await node.command({ query: sql, clickhouse_settings: SETTINGS })
      } catch (error) {
        if (!passedOver.includes(codeOf(error))) throw error
      }
    })
  }

  async rowsOfEach(sql: string, which: Which = 'all'): Promise<Row[]> {
    return (await this.#each(which, (node) => this.#rowsOf(node, sql))).flat()
  }

  async isRunning(name: string, mayPass: boolean): Promise<boolean> {
    const sql = `SELECT count() FROM system.processes WHERE startsWith(initial_query_id, ${text(name)})`
    return this.#told(async () => {
      for (const node of this.#nodes) {
        try {
          const [[count] = []] = await this.#rowsOf(node, sql)
          if (Number(count) > 0) return true
        } catch (error) {
          if (!mayPass) throw error
        }
      }
      return false
    })
  }

  async ping(): Promise<void> {
    await this.rows('SELECT 1')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const node of this.#nodes) await node.close()
  }

  /** A server may close a connection that was kept just when it is used again: what only reads is asked once more. */
  #ask<T>(read: (node: ClickHouseClient) => Promise<T>): Promise<T> {
    return this.#told(async () => {
      try {
        return await this.#atAny(this.#asked, true, read)
      } catch (error) {
        if (!failureOf(error).isCut) throw error
        return this.#atAny(this.#asked, true, read)
      }
    })
  }

  /** At this node, or where it may move and the node cannot be reached, at the next. */
  async #atAny<T>(first: number, mayMove: boolean, work: (node: ClickHouseClient) => Promise<T>): Promise<T> {
    const count = this.#nodes.length
    for (let turn = 0; ; turn++) {
      const place = (first + turn) % count
      try {
        const result = await work(this.#nodes[place] as ClickHouseClient)
        this.#asked = place
        return result
      } catch (error) {
        if (!mayMove || turn + 1 >= count || !failureOf(error).isUnreachable) throw error
      }
    }
  }

  /** At one node after the other. */
  #each<T>(which: Which, work: (node: ClickHouseClient) => Promise<T>): Promise<T[]> {
    return this.#told(async () => {
      if (which !== 'all' && this.replicas.hasAny) return this.#eachReached(which, work)
      const results: T[] = []
      for (const node of this.#nodes) results.push(await work(node))
      return results
    })
  }

  /** Of a shard with replicas those may be away that need not answer. */
  async #eachReached<T>(which: Which, work: (node: ClickHouseClient) => Promise<T>): Promise<T[]> {
    const results: T[] = []
    const reached = new Set<string>()
    let failure: unknown
    for (const [place, node] of this.#nodes.entries()) {
      try {
        const shard = await this.replicas.shardOf(place)
        if (which === 'shards' && reached.has(shard)) continue
        results.push(await work(node))
        reached.add(shard)
      } catch (error) {
        if (!failureOf(error).isAway) throw error
        failure = error
      }
    }
    if (reached.size < this.replicas.count) throw failure
    return results
  }

  async #askNode(place: number, sql: string): Promise<Row[]> {
    const node = this.#nodes[place] as ClickHouseClient
    const signal = AbortSignal.timeout(NODE_LIMIT_MS)
    const result = await node.query({
      query: sql,
      format: 'JSONCompact',
      clickhouse_settings: SETTINGS,
      abort_signal: signal,
    })
    return ((await result.json()) as { data: Row[] }).data
  }

  #rowsOf(node: ClickHouseClient, sql: string, deadline?: Deadline): Promise<Row[]> {
    return this.#read(node, deadline, async (options) => {
      const result = await node.query({ query: sql, format: 'JSONCompact', ...options })
      return ((await result.json()) as { data: Row[] }).data
    })
  }

  async #read<T>(
    node: ClickHouseClient,
    deadline: Deadline | undefined,
    ask: (options: BaseQueryParams) => Promise<T>,
  ): Promise<T> {
    deadline?.check()
    const queryId = randomUUID()
    const abort = new AbortController()
    const stop = deadline?.whenOver(() => {
      abort.abort()
      void this.#kill(node, queryId)
    })
    try {
      const settings = { ...this.#settings, ...limitFor(deadline) }
      return await ask({ query_id: queryId, clickhouse_settings: settings, abort_signal: abort.signal })
    } catch (error) {
      const isOver = abort.signal.aborted || codeOf(error) === CODES.timeout
      throw isOver && deadline ? deadline.error : error
    } finally {
      stop?.()
    }
  }

  /** Ends a statement that nobody waits for; the server would not notice before its end. */
  async #kill(node: ClickHouseClient, queryId: string): Promise<void> {
    try {
      await node.command({ query: `KILL QUERY WHERE query_id = ${text(queryId)} ASYNC` })
    } catch {
      // It has ended, or the server is away.
    }
  }

  /** Failures in the words of the port; whoever opened the store is told when it does not answer, and when it does again. */
  async #told<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('The event store is closed.')
    try {
      const result = await work()
      this.#standing.answered()
      return result
    } catch (error) {
      if (codeOf(error) === CODES.memory) throw memoryShortage(error)
      const { isAway, words } = failureOf(error)
      if (!isAway) throw error
      this.#standing.failed(words)
      throw new StoreUnavailable('events_away', error)
    }
  }
}

export async function connect(address: ClickhouseAddress, presence: PresenceParts = NOBODY_IS_TOLD): Promise<Servers> {
  const { createClient } = await loadClient()
  const nodes = address.nodes.map((url) =>
    createClient({
      url,
      username: address.user,
      password: address.password,
      database: address.database,
      request_timeout: SILENCE_MS,
      max_open_connections: MAX_CONNECTIONS,
      // Failures are thrown; who catches them says so.
      log: { LoggerClass: SilentLogger },
    }),
  )
  return new HttpServers(address, nodes, presence)
}

class SilentLogger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
