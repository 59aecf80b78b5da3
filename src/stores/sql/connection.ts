/**
 * What the repositories use: a Kysely handle, and prepared statements. Kysely writes and types all SQL; a prepared
 * statement is compiled once and prepared once per connection, which makes the hot look-ups fast.
 */
import type { Compilable, Kysely } from 'kysely'
import type { SqlDialect } from './dialect.ts'
import type { RecentBatches } from './repositories/outbox/recent-batches.ts'
import type { Tables } from './tables.ts'

export interface Connection {
  db: Kysely<Tables>
  dialect: SqlDialect
  /** Runs already compiled SQL as a prepared statement; a reader may defer it to the end of the event loop's turn. */
  runPrepared<Row>(text: string, values: unknown[]): Row[] | Promise<Row[]>
  recentBatches: RecentBatches
  /** Batches that the transaction adds to the outbox: cached after the commit. */
  addedBatches: Map<string, string>
  /** By project: how many more persons it has since the transaction began; see repositories/persons/person-count.ts. */
  addedPersons: Map<number, number>
  /** By project: the warnings added since their number was last checked. */
  addedWarnings: Map<number, number>
  /** Between the portions of a scan: lets other scans run, and throws when the scan must end. */
  pause(): Promise<void>
  /** Commits within `work` do not wait for the disk. Nothing else may use the connection meanwhile. */
  unsynced<T>(work: () => Promise<T>): Promise<T>
  /** As `truncateLog` of the stores. Nothing else may use the connection meanwhile. */
  truncateLog(): boolean
}

/** How many values, or rows with few columns, one statement gets: SQLite binds at most 32,766. */
export const AT_ONCE = 1_000

class Argument {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/** Placeholder for the `index`-th argument of a prepared statement while it is compiled. */
export const arg = <T>(index: number): T => new Argument(index) as T

export interface PreparedStatement<Row> {
  run(connection: Connection, ...values: unknown[]): Row[] | Promise<Row[]>
}

/** Prepares the statement that `build` describes; its variable parts are `arg(0)`, `arg(1)`… */
export function prepared<Row>(
  build: (db: Kysely<Tables>, dialect: SqlDialect) => Compilable<Row>,
): PreparedStatement<Row> {
  const compiledFor = new Map<SqlDialect, { text: string; slots: unknown[] }>()
  return {
    run(connection, ...values) {
      let compiled = compiledFor.get(connection.dialect)
      if (!compiled) {
        const query = build(connection.db, connection.dialect).compile()
        compiled = { text: query.sql, slots: [...query.parameters] }
        compiledFor.set(connection.dialect, compiled)
      }
      const bound = compiled.slots.map((slot) => (slot instanceof Argument ? values[slot.index] : slot))
      return connection.runPrepared<Row>(compiled.text, bound)
    },
  }
}
