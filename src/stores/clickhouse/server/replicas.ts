/**
 * Which nodes of a cluster are replicas of one shard, and waiting until they have the same. A row is stored on one replica,
 * and the others fetch it a moment later. Without replicas nothing is asked and nothing is waited for.
 *
 * Who waits is not kept by merges, which may take minutes, as `SYSTEM SYNC REPLICA` would be. A replica that cannot fetch
 * something within a second is passed over: the servers do not read from one that is so far behind (`STALE_SECONDS`), as
 * long as another one is not.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { exponentialBackoff } from '../../../lib/concurrency/backoff.ts'
import { OperatorError, unavailable } from '../../../lib/errors.ts'
import { SECOND } from '../../../lib/time/time.ts'
import { isOneOf, text } from '../values/literal.ts'
import { failureOf } from './failures.ts'
import type { ClickhouseAddress } from './read-url.ts'

/** From here on a replica is too far behind to be read from. */
export const STALE_SECONDS = 1
const LONGEST_WAIT_MS = 30 * SECOND

const pauseBefore = exponentialBackoff({ first: 5, factor: 1.5, max: 500 })

/** Asks one node, by its place in the address. */
type Ask = (place: number, sql: string) => Promise<unknown[][]>

/** The table of a node for which a view of all stands. */
const localOf = (view: string): string => `${view.replace(/_in$/, '')}_local`

/** What a node needs for replicated tables: ZooKeeper or Keeper, and its names of shard and replica. */
const MEANS = `SELECT (SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'),
  (SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica')),
  (SELECT any(substitution) FROM system.macros WHERE macro = 'shard')`

/** What a replica has read of its shard's log. */
interface LogState {
  /** Of the newest entry, and of the first that this replica has not read. */
  newest: bigint
  next: bigint
  /** Where the shard's log is in ZooKeeper, and what belongs to the replica. */
  shardPath: string
  ownPath: string
}

/** `fresh`: as far as they are read from; `all`: none may be away or behind. */
type Patience = 'fresh' | 'all'

interface Wait {
  table: string
  patience: Patience
  signal: AbortSignal
}

export class Replicas {
  readonly #address: ClickhouseAddress
  readonly #ask: Ask
  /** By place; null: not known yet. */
  #shards: (string | null)[]
  #count: number
  #hasAny = false

  constructor(address: ClickhouseAddress, ask: Ask) {
    this.#address = address
    this.#ask = ask
    this.#shards = address.nodes.map((_, place) => `${place}`)
    this.#count = address.nodes.length
  }

  /** Whether another node has what is on any of them. */
  get hasAny(): boolean {
    return this.#hasAny
  }

  /** Of shards. */
  get count(): number {
    return this.#count
  }

  /** When the store is opened. `about`: the highest number of a replica, the numbers of shards and of nodes. */
  async survey(about: (sql: string) => Promise<unknown[][]>): Promise<void> {
    const { cluster, nodes } = this.#address
    if (cluster === null) return
    const [row = []] = await about(`SELECT max(replica_num), uniqExact(shard_num), count() FROM system.clusters
      WHERE cluster = ${text(cluster)}`)
    const [most = 0, shards = 0, all = 0] = row.map(Number)
    if (most < 2) return
    if (all !== nodes.length)
      throw new OperatorError(
        `The cluster ${cluster} has ${all} nodes, but HEDGEROW_EVENTS_URL names ${nodes.length}; with replicas, all must be named.`,
      )
    this.#hasAny = true
    this.#count = shards
    this.#shards = nodes.map(() => null)
    await Promise.all(nodes.map((_, place) => this.#unlessAway(() => this.shardOf(place))))
  }

  /** Which shard a node belongs to. Rejects while that is not known, because it is away. */
  async shardOf(place: number): Promise<string> {
    const known = this.#shards[place]
    if (known) return known
    const [row = []] = await this.#ask(place, MEANS)
    const [keepers, macros, shard] = row
    if (Number(keepers) === 0 || Number(macros) < 2)
      throw new OperatorError(
        `The cluster ${this.#address.cluster} has replicas: every server of it needs ZooKeeper or Keeper, and the macros shard and replica, which ${this.#address.nodes[place]} has not.`,
      )
    this.#shards[place] = String(shard)
    return String(shard)
  }

  /** Whether all nodes have what replicated tables need. */
  async canReplicate(): Promise<boolean> {
    if (this.#address.cluster === null) return false
    for (const place of this.#shards.keys()) {
      const [[keepers, macros] = []] = await this.#ask(place, MEANS)
      if (Number(keepers) === 0 || Number(macros) < 2) return false
    }
    return true
  }

  /** A number of each node, by place: the sum over the shards, of each the highest. */
  async sumOfShards(numbers: number[]): Promise<number> {
    const highest = new Map<string, number>()
    for (const [place, number] of numbers.entries()) {
      const shard = await this.shardOf(place)
      highest.set(shard, Math.max(number, highest.get(shard) ?? 0))
    }
    return [...highest.values()].reduce((sum, number) => sum + number, 0)
  }

  /** Whether nothing is away, as far as that would make a difference. */
  async areAllThere(): Promise<boolean> {
    if (!this.#hasAny) return true
    const answers = this.#shards.map((_, place) => this.#unlessAway(() => this.#ask(place, 'SELECT 1')))
    return (await Promise.all(answers)).every((answer) => answer !== null)
  }

  /**
   * Resolves when replicas that are read from have all rows that any of them had when this was called; with whether that
   * goes for all replicas.
   */
  async haveSame(views: string[], patience: Patience = 'fresh'): Promise<boolean> {
    if (!this.#hasAny) return true
    let isWhole = true
    for (const view of views) {
      const wait = { table: localOf(view), patience, signal: AbortSignal.timeout(LONGEST_WAIT_MS) }
      const states = await Promise.all(this.#shards.map((_, place) => this.#stateOf(place, wait.table)))
      // Each may be connected to another server of ZooKeeper, and the one that stored the rows sees its own entry.
      const newest = new Map<string, bigint>()
      for (const state of states) {
        if (state && state.newest >= (newest.get(state.shardPath) ?? 0n)) newest.set(state.shardPath, state.newest)
      }
      const each = states.map((state, place) => this.#follows(place, state, newest, wait))
      if ((await Promise.all(each)).includes(false)) isWhole = false
    }
    return isWhole
  }

  /** Resolves when every replica has all rows of these tables; rejects when one is away. */
  async allHaveSame(views: string[]): Promise<void> {
    if (!(await this.haveSame(views, 'all')))
      throw unavailable('A replica of ClickHouse is away; what is to be removed waits for it.', 5)
  }

  /** Resolves when every replica knows of every removal from these tables, and every change of their rows, that any was told of. */
  async knowMutations(tables: string[]): Promise<void> {
    if (!this.#hasAny) return
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
    for (const table of tables) {
      await Promise.all(this.#shards.map((_, place) => this.#knowsMutations(place, table, signal)))
    }
  }

  async #unlessAway<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (failureOf(error).isAway) return null
      throw error
    }
  }

  /** Null when it is away, or without ZooKeeper, which is the same. */
  #stateOf(place: number, table: string): Promise<LogState | null> {
    return this.#unlessAway(async () => {
      const [row] = await this.#ask(
        place,
        `SELECT log_max_index, log_pointer, zookeeper_path, replica_path, is_readonly OR is_session_expired
          FROM system.replicas WHERE database = currentDatabase() AND table = ${text(table)}`,
      )
      if (!row) throw new Error(`ClickHouse has no replicated table ${table} at ${this.#address.nodes[place]}.`)
      const [newest, next, shardPath, ownPath, isAway] = row as [string, string, string, string, number]
      return Number(isAway) === 1 ? null : { newest: BigInt(newest), next: BigInt(next), shardPath, ownPath }
    })
  }

  /** Resolves when a replica has what its shard's log says up to an entry; with false if it is passed over. */
  async #follows(
    place: number,
    first: LogState | null,
    newest: Map<string, bigint>,
    { table, patience, signal }: Wait,
  ): Promise<boolean> {
    let state = first
    for (let round = 1; state && state.next <= (newest.get(state.shardPath) ?? 0n); round++) {
      if (state.next === 0n && (await this.#isLogEmpty(place, state))) break
      await wait(round, signal)
      state = await this.#stateOf(place, table)
    }
    if (!state) return false
    const { ownPath } = state
    const isThere = await this.#unlessAway(async () => {
      let missing = await this.#toFetch(place, ownPath)
      for (let round = 1; missing.size > 0; round++) {
        const tooOld = patience === 'all' ? new Set() : await this.#tooOld(place, table)
        if ([...missing].every((entry) => tooOld.has(entry))) return false
        await wait(round, signal)
        const now = await this.#toFetch(place, ownPath)
        missing = new Set([...missing].filter((entry) => now.has(entry)))
      }
      return true
    })
    return isThere ?? false
  }

  async #isLogEmpty(place: number, { shardPath }: LogState): Promise<boolean> {
    const rows = await this.#unlessAway(() => this.#childrenOf(place, `${shardPath}/log`))
    return rows === null || rows.length === 0
  }

  #childrenOf(place: number, path: string): Promise<unknown[][]> {
    return this.#ask(place, `SELECT name, value FROM system.zookeeper WHERE path = ${text(path)}`)
  }

  /** Entries of a replica's queue by which it fetches parts. They leave it when the part is there. */
  async #toFetch(place: number, ownPath: string): Promise<Set<string>> {
    const entries = (await this.#childrenOf(place, `${ownPath}/queue`)) as [string, string][]
    return new Set(entries.filter(([, value]) => value.includes('\nget\n')).map(([name]) => name))
  }

  /** Entries of a replica's queue for which it is not read from. */
  async #tooOld(place: number, table: string): Promise<Set<unknown>> {
    const rows = await this.#ask(
      place,
      `SELECT node_name FROM system.replication_queue WHERE database = currentDatabase() AND table = ${text(table)}
        AND type = 'GET_PART' AND create_time <= now() - ${STALE_SECONDS}`,
    )
    return new Set(rows.map(([name]) => name))
  }

  async #knowsMutations(place: number, table: string, signal: AbortSignal): Promise<void> {
    const state = await this.#stateOf(place, table)
    if (!state) throw unavailable('A replica of ClickHouse is away; what is to be removed waits for it.', 5)
    for (let round = 1; ; round++) {
      // The engine forgets those that are long done, there as here.
      const told = (await this.#childrenOf(place, `${state.shardPath}/mutations`)).map(([name]) => String(name))
      if (told.length === 0) return
      const [[known] = []] = await this.#ask(
        place,
        `SELECT count() FROM system.mutations WHERE database = currentDatabase() AND table = ${text(table)}
          AND ${isOneOf('mutation_id', told, text)}`,
      )
      if (Number(known) >= told.length) return
      await wait(round, signal)
    }
  }
}

async function wait(round: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw unavailable('A replica of ClickHouse takes too long to fetch what another one has.', 5)
  await pause(pauseBefore(round))
}
