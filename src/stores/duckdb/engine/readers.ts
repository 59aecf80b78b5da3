/**
 * The connections for reading, some for each kind of read, so that none waits for another kind. Each is lent to one
 * read at a time, in order of arrival.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createSerialQueue } from '../../../lib/concurrency/serial-queue.ts'
import type { Deadline } from '../../../lib/time/deadline.ts'
import { inBackground } from './background-statements.ts'

export type ReadKind = 'look-up' | 'earliest' | 'persons' | 'events' | 'insight' | 'upkeep'

interface Lending {
  connections: number
  /** Whether statements give way to capture. Look-ups by key take a few milliseconds and have normal priority. */
  inBackground: boolean
}

const LENDING: Record<ReadKind, Lending> = {
  'look-up': { connections: 2, inBackground: false },
  earliest: { connections: 1, inBackground: true },
  persons: { connections: 2, inBackground: true },
  events: { connections: 2, inBackground: true },
  insight: { connections: 2, inBackground: true },
  upkeep: { connections: 1, inBackground: true },
}

const KINDS = Object.keys(LENDING) as ReadKind[]

/** Kinds whose reads may take much memory: none of them runs beside a read that needs all of it. */
const LARGE: ReadKind[] = ['events', 'insight']

/** How many of those may run at once. */
export const LARGE_READS = LARGE.reduce((sum, kind) => sum + LENDING[kind].connections, 0)

/** Lends the connections of one kind. */
class Lender {
  readonly #idle: DuckDBConnection[]
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = []
  readonly count: number

  constructor(connections: DuckDBConnection[]) {
    this.#idle = connections
    this.count = connections.length
  }

  take(deadline?: Deadline): Promise<DuckDBConnection> {
    const connection = this.#idle.pop()
    if (connection) return Promise.resolve(connection)
    return new Promise((resolve, reject) => {
      const stop = deadline?.whenOver(() => {
        this.#waiting.splice(this.#waiting.indexOf(given), 1)
        reject(deadline.error)
      })
      const given = (free: DuckDBConnection) => {
        stop?.()
        resolve(free)
      }
      this.#waiting.push(given)
    })
  }

  giveBack(connection: DuckDBConnection): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }
}

interface Lent {
  lender: Lender
  connection: DuckDBConnection
}

const giveBack = (lent: Lent[]): void => {
  for (const { lender, connection } of lent) lender.giveBack(connection)
}

export class Readers {
  readonly #lenders: Record<ReadKind, Lender>
  readonly #inTurn = createSerialQueue()
  /** All of them, as they were opened. */
  readonly connections: readonly DuckDBConnection[]

  private constructor(connections: Map<ReadKind, DuckDBConnection[]>) {
    this.connections = [...connections.values()].flat()
    const lenders = [...connections].map(([kind, own]) => {
      const lent = LENDING[kind].inBackground ? own.map(inBackground) : [...own]
      return [kind, new Lender(lent)] as const
    })
    this.#lenders = Object.fromEntries(lenders) as Record<ReadKind, Lender>
  }

  static async open(connect: () => Promise<DuckDBConnection>): Promise<Readers> {
    const connections = new Map<ReadKind, DuckDBConnection[]>()
    for (const kind of KINDS) {
      connections.set(kind, await Promise.all(Array.from({ length: LENDING[kind].connections }, connect)))
    }
    return new Readers(connections)
  }

  /** Runs `work` on a connection of this kind; rejects when the deadline is over before one is free. */
  async use<T>(kind: ReadKind, work: (connection: DuckDBConnection) => Promise<T>, deadline?: Deadline): Promise<T> {
    const lender = this.#lenders[kind]
    const connection = await lender.take(deadline)
    try {
      return await work(connection)
    } finally {
      lender.giveBack(connection)
    }
  }

  /** As `use`, while no read that may take much memory runs. */
  async useAlone<T>(
    kind: ReadKind,
    work: (connection: DuckDBConnection) => Promise<T>,
    deadline?: Deadline,
  ): Promise<T> {
    const lent = await this.#takeAll([...new Set([...LARGE, kind])], deadline)
    try {
      const own = lent.find(({ lender }) => lender === this.#lenders[kind]) as Lent
      return await work(own.connection)
    } finally {
      giveBack(lent)
    }
  }

  /** Waits for the reads that run; later ones wait until `work` has ended. */
  async withoutReads<T>(work: () => Promise<T>): Promise<T> {
    const lent = await this.#takeAll(KINDS)
    try {
      return await work()
    } finally {
      giveBack(lent)
    }
  }

  /** One after the other, so that two who take several never wait for each other. */
  #takeAll(kinds: ReadKind[], deadline?: Deadline): Promise<Lent[]> {
    const taking = this.#inTurn(() => this.#takeEach(kinds, deadline))
    if (!deadline) return taking
    return new Promise((resolve, reject) => {
      let isLate = false
      const stop = deadline.whenOver(() => {
        isLate = true
        reject(deadline.error)
      })
      taking.then((lent) => {
        stop()
        if (isLate) giveBack(lent)
        else resolve(lent)
      }, reject)
    })
  }

  async #takeEach(kinds: ReadKind[], deadline?: Deadline): Promise<Lent[]> {
    deadline?.check()
    const lent: Lent[] = []
    try {
      for (const kind of kinds) {
        const lender = this.#lenders[kind]
        for (let i = 0; i < lender.count; i++) lent.push({ lender, connection: await lender.take(deadline) })
      }
      return lent
    } catch (error) {
      giveBack(lent)
      throw error
    }
  }
}
