/**
 * What the repositories use: a Kysely handle, and prepared statements. Kysely writes and types all SQL; a prepared
 * statement is compiled once and prepared once per connection, which makes the hot look-ups fast.
 */
import type { Compilable, Kysely } from 'kysely'
import type { InTurn } from '../../model/stores.ts'
import type { GivenRows, InsertedRows, SqlDialect } from './dialect.ts'
import type { AddedWarnings } from './repositories/added-warnings.ts'
import type { RecentBatches } from './repositories/outbox/recent-batches.ts'
import type { Tables } from './tables.ts'

export interface Connection {
  db: Kysely<Tables>
  dialect: SqlDialect
  /** Runs already compiled SQL as a prepared statement; a reader may defer it to the end of the event loop's turn. */
  runPrepared<Row>(text: string, values: unknown[]): Row[] | Promise<Row[]>
  /** Runs it in its order, without waiting for it where that is a round trip: what it fails with, the commit fails with. */
  sendPrepared(text: string, values: unknown[]): void
  /** Runs what `dialect.rows` has made for all these rows; as `RowsStatement.run`. Of a writer only. */
  writeEach(statement: Compiled, rows: unknown[][]): NewIds | Promise<NewIds>
  recentBatches: RecentBatches
  /** Batches that the transaction adds to the outbox: cached after the commit. */
  addedBatches: Map<string, string>
  /** By project: how many more persons it has since the transaction began; see repositories/persons/person-count.ts. */
  addedPersons: Map<number, number>
  addedWarnings: AddedWarnings
  /** Between the portions of a scan: lets other scans run, and throws when the scan must end. */
  pause(): Promise<void>
}

/**
 * The commit of a relaxed one does not wait for the disk. In a migration, and in one that changes people or claims, each
 * statement sees what was committed before it, so that a lock it has waited for counts. Those of people and queues, and
 * exclusive ones, are as model/stores.ts says.
 */
export type TransactionKind = 'durable' | 'relaxed' | 'migration' | 'people' | 'queue' | 'exclusive'

/** An open engine. */
export interface SqlEngine {
  reader: Connection
  /** Commits what `work` does, unless it throws; durable unless another kind is given. `projectIds`: whose people it is about. */
  transact<T>(work: (connection: Connection) => Promise<T>, kind?: TransactionKind, projectIds?: number[]): Promise<T>
  /** As that of the stores. */
  truncateLog(): Promise<boolean>
  bytesElsewhere(): Promise<number>
  inTurn: InTurn
  transactionsAtOnce: number
  /** Where processes share the store: tells the others, as well as it can, that rows were added to the outbox. */
  outboxSignal?: { tell(): void; listen(listener: () => void): void }
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

export type NewIds = (number | null)[]

export interface PreparedStatement<Row> {
  run(connection: Connection, ...values: unknown[]): Row[] | Promise<Row[]>
  /** Of a writer only; nobody gets its rows. */
  send(connection: Connection, ...values: unknown[]): void
}

type Build<Row> = (db: Kysely<Tables>, dialect: SqlDialect) => Compilable<Row>

export interface Compiled {
  text: string
  /** What to bind, for the arguments of one run. */
  bind: (values: unknown[]) => unknown[]
}

/** Compiles once for each engine. */
function compiler(build: Build<unknown>): (connection: Connection) => Compiled {
  const compiledFor = new Map<SqlDialect, Compiled>()
  return ({ db, dialect }) => {
    let compiled = compiledFor.get(dialect)
    if (!compiled) {
      const { sql: text, parameters: slots } = build(db, dialect).compile()
      const bind = (values: unknown[]) => slots.map((slot) => (slot instanceof Argument ? values[slot.index] : slot))
      compiled = { text, bind }
      compiledFor.set(dialect, compiled)
    }
    return compiled
  }
}

/** Prepares the statement that `build` describes; its variable parts are `arg(0)`, `arg(1)`… */
export function prepared<Row>(build: Build<Row>): PreparedStatement<Row> {
  const compile = compiler(build)
  return {
    run(connection, ...values) {
      const { text, bind } = compile(connection)
      return connection.runPrepared<Row>(text, bind(values))
    },
    send(connection, ...values) {
      const { text, bind } = compile(connection)
      connection.sendPrepared(text, bind(values))
    },
  }
}

export interface RowsStatement {
  /**
   * Writes a row for each list of values, which are in the order of the columns. Of rows whose ids the engine gives,
   * these are returned in the same order, null where a row in its way was left alone.
   */
  run(connection: Connection, rows: unknown[][]): NewIds | Promise<NewIds>
}

function rowsStatement(build: Build<unknown>): RowsStatement {
  const compile = compiler(build)
  return { run: (connection, rows) => connection.writeEach(compile(connection), rows) }
}

/**
 * Prepares the INSERT of rows. For wide rows: SQLite stores them in two thirds of the time that it takes by one list of
 * all, which it has to parse, while many narrow ones are quicker by a list (`dialect.jsonRows`).
 */
export const preparedInsert = <T extends keyof Tables>(
  rows: InsertedRows<keyof Tables[T] & string> & { table: T },
): RowsStatement => rowsStatement((db, dialect) => dialect.rows.insert(db, rows as InsertedRows))

/** Prepares the UPDATE of rows: of the one that has the first value in the first column, each. No row twice in a list. */
export const preparedUpdate = <T extends keyof Tables>(
  rows: GivenRows<keyof Tables[T] & string> & { table: T },
): RowsStatement => rowsStatement((db, dialect) => dialect.rows.update(db, rows as GivenRows))
