/**
 * The few things in which SQL engines differ, by name. Whatever is not here is written once with Kysely
 * and holds on every engine.
 */
import type { ColumnDefinitionBuilder, Compilable, Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { SqlCatalog } from './copy/catalog.ts'
import type { Tables } from './tables.ts'

/** Cells of a JSON list, as the columns they are stored in. Any may be null. */
export interface CellTypes {
  text: string
  integer: number
  bigint: number
  instant: number
}

/** Rows of a table whose values in some columns are given, in this order. */
export interface GivenRows<Column extends string = string> {
  table: keyof Tables
  /** How they are stored. */
  columns: { [name in Column]?: keyof CellTypes }
}

/** The engine gives the `id`, unless it is among the columns. */
export interface InsertedRows<Column extends string = string> extends GivenRows<Column> {
  /** What all rows have in other columns. */
  always?: { [name in Column]?: string | number }
  /** A row is left alone where there is one with the same values in these. */
  unlessTaken?: Column[]
}

type Cells<C extends Record<string, keyof CellTypes>> = { [name in keyof C]: CellTypes[C[name]] }

export interface SqlDialect {
  /** For messages only. */
  name: string
  /** What the database itself says of its tables, for a copy of all of them. */
  catalog: SqlCatalog
  /** Before the migrations, in their transaction: no other process migrates meanwhile. */
  prepare(db: Kysely<unknown>): Promise<void>
  /** An integer primary key whose values grow and are never handed out twice, not even after a deletion. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Column types: instants are doubles where integers cannot hold a fraction. */
  types: { instant: 'integer' | 'double precision'; bigint: 'integer' | 'bigint'; bytes: 'blob' | 'bytea' }
  /** Whether there may be rows that a version before this engine's first has stored, which migrations carry over. */
  hasEarlierRows: boolean
  /** Ends a CREATE TABLE whose primary key is the table itself, where the engine has such a thing. */
  clustered: string
  /**
   * Splits a large table by a hash of a column, where that helps, never by time: a unique key holds within one part only,
   * so that the column must be in the key. `ending` ends its CREATE TABLE, `create` makes the parts and `of` names them.
   */
  parts: {
    ending(column: string): string
    create(db: Kysely<unknown>, table: string): Promise<void>
    of(table: keyof Tables): string[]
  }
  /** After CREATE TABLE: how a table whose rows change all the time is stored and cleaned up. */
  tune(db: Kysely<unknown>, table: string): Promise<void>
  /** What tells the rows of a table that is not clustered apart, until they change. */
  rowId: RawBuilder<number | string>
  /** Whether those are numbers that grow as rows are stored and never change: a table can be walked by them. */
  hasRowNumbers: boolean
  /** Orders the rows of one instant where an index ends with the instant, and is greater than any of them. */
  tie: { by: RawBuilder<number | string>; last: number | string }
  /** Whether writers lock the rows that they change, and other writers go on meanwhile; else one writes at a time. */
  locksRows: boolean
  /**
   * A condition of an insert that a transaction of people begins with: where each trip counts it is on its way before the
   * engine has answered that the transaction has begun, and must not be stored if it has not.
   */
  inPeopleTransaction: RawBuilder<SqlBool>
  /**
   * Whether a row of this table, or part, is one that `where` finds, a condition with a limit: not even a large table is
   * read as a whole. `key` tells its rows apart.
   */
  isAmong(table: string, key: RawBuilder<unknown>[], where: RawBuilder<unknown>): RawBuilder<SqlBool>
  /**
   * How many prepared look-ups are worth asking for in one turn: many where each is a round trip, one where each is a call
   * that holds up everything else.
   */
  lookUpsAtOnce: number
  /** The same value, which no index is used to find. */
  unindexed<T>(value: RawBuilder<T>): RawBuilder<T>
  /**
   * The numbers of all changes, unique over all processes: taking the next one, the last one taken, and leaving some out.
   * Where writers overlap, they are no part of the transaction, and of two the later commit may have the lower number;
   * `settled` is then the last one up to which all transactions of people have ended, else it is null.
   */
  seq: {
    create(db: Kysely<unknown>): Promise<void>
    next(db: Kysely<Tables>): Compilable<{ value: number }>
    last(db: Kysely<Tables>): Compilable<{ value: number }>
    settled: ((db: Kysely<Tables>) => Compilable<{ value: number }>) | null
    raise(db: Kysely<Tables>, to: number): Compilable<unknown>
  }
  /**
   * Which of a project's counters a transaction adds to: where several run at once each takes one at random, so that
   * they rarely wait for one another.
   */
  counterSlot(): number
  /**
   * The `email` of a row of persons: a string as it is, everything else as JSON writes it; NULL when missing or null.
   * An index is made of it, so that it has no parameters and never changes.
   */
  email: RawBuilder<string | null>
  /** The values of a column over a group of rows as the text of a JSON list, in the order of another column. */
  jsonList(column: string, orderBy: string): RawBuilder<string>
  /** What stands behind `in` for a list of any length: one bound value, however many texts. */
  texts(values: string[]): RawBuilder<string>
  /** A table with the column `value`: the texts of a JSON list that is bound as one value. */
  jsonTexts(list: string): RawBuilder<{ value: string }>
  /** A table of the rows of a JSON list of lists, bound as one value, in order; JSON inside of them becomes text. */
  jsonRows<C extends Record<string, keyof CellTypes>>(list: string, columns: C): RawBuilder<Cells<C>>
  /** The statement that `Connection.writeEach` runs: of one row where that is quick, else of lists with the values of all. */
  rows: {
    insert(db: Kysely<Tables>, rows: InsertedRows): Compilable<unknown>
    /** The first column tells which row it is. */
    update(db: Kysely<Tables>, rows: GivenRows): Compilable<unknown>
  }
  /** The `changes` of a row of `property_history` from before step 18, as text of JSON. */
  changeOfOneKey: RawBuilder<string>
  /** Whether any value inside a column of JSON is one of these texts. */
  mentions(column: string, texts: string[]): RawBuilder<SqlBool>
  /** A UUID's text as its 16 bytes, and bytes as hexadecimal text in lower case. */
  bytesOfUuid(column: string): RawBuilder<Uint8Array>
  hexOf(column: string): RawBuilder<string>
  /** Text that is equal, and sorts the same, whatever its case. NULL for NULL. */
  fold(text: Expression<string | null>): RawBuilder<string | null>
  /** Whether `text` contains `part`, whatever the case, in all of Unicode. NULL for NULL. */
  contains(text: Expression<string | null>, part: string): RawBuilder<SqlBool>
}
